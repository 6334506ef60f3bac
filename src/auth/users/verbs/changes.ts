// Changes of users: made in one transaction with the record of who made them.
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { Runner } from '../../../platform/postgres/database.ts'
import type { ActorId, UserAction, UserChange } from '../schemas.ts'
import { deleteSessionsOf } from '../queries/users.ts'
import { insertChange, selectChanges } from '../queries/changes.ts'
import { deleteLinkOf } from '../queries/password-links.ts'

export type UserDeps = Pick<Deps, 'write' | 'clock' | 'ids'>

/** What is done to a user, and who does it. */
export interface Change {
  userId: string
  action: UserAction
  by: ActorId
}

/** Writes down what is done. */
export const noteChange = ({ clock, ids }: Pick<Deps, 'clock' | 'ids'>, tx: Runner, change: Change): Promise<void> =>
  insertChange(tx, { id: ids.uuid(), at: clock.now(), ...change })

/**
 * Ends the user's sessions and their link, and writes down what was done: after the change itself, so that a log-in which
 * it waited for is seen.
 */
export async function endAccess(deps: Pick<Deps, 'clock' | 'ids'>, tx: Runner, change: Change): Promise<void> {
  await deleteSessionsOf(tx, change.userId)
  await deleteLinkOf(tx, change.userId)
  await noteChange(deps, tx, change)
}

export interface Changing {
  action: UserAction
  by: ActorId
  /** Makes the change; answers whose it is. */
  change: (tx: Runner) => Promise<string | undefined>
}

/** Changes a user, whose sessions are over then. Throws user_not_found when the change is nobody's. */
export const changeUser = (deps: UserDeps, { action, by, change }: Changing): Promise<void> =>
  deps.write.begin(`user ${action}`, async (tx) => {
    const userId = await change(tx)
    if (userId === undefined) throw new AppError('user_not_found', 'Nobody logs in with this e-mail address.')
    await endAccess(deps, tx, { userId, action, by })
  })

const CHANGES_SHOWN = 100

/** What was done to a user, newest first: the last hundred. */
export const listChanges = ({ write }: UserDeps, userId: string): Promise<UserChange[]> =>
  selectChanges(write, userId, CHANGES_SHOWN)
