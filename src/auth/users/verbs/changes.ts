// Changes of users: each in one transaction with its entry in the audit log.
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { Runner, Transaction } from '../../../platform/postgres/database.ts'
import { endAccessOfUser } from '../../oauth/verbs/connected-apps.ts'
import { insertChange, selectChanges } from '../queries/changes.ts'
import { deleteLinkOf } from '../queries/password-links.ts'
import { deleteSessionsOf } from '../queries/sessions.ts'
import type { ActorId, UserAction, UserChange } from '../schemas.ts'

export type UserDeps = Pick<Deps, 'write' | 'clock' | 'ids'>

export interface Change {
  userId: string
  action: UserAction
  by: ActorId
}

/** Writes an entry of the audit log. */
export const recordChange = ({ clock, ids }: Pick<Deps, 'clock' | 'ids'>, tx: Runner, change: Change): Promise<void> =>
  insertChange(tx, { id: ids.uuid(), at: clock.now(), ...change })

/**
 * Ends for good what the user's sessions have opened: the sessions, the access of connected apps, and the password link. Call
 * it after the change itself, which locks the user, so that it sees a login or an approval which the change waited for.
 */
export async function revokeAccess(deps: Pick<Deps, 'clock' | 'ids'>, tx: Transaction, change: Change): Promise<void> {
  await deleteSessionsOf(tx, change.userId)
  await endAccessOfUser(deps, tx, change.userId)
  await deleteLinkOf(tx, change.userId)
  await recordChange(deps, tx, change)
}

export interface ChangeOptions {
  action: UserAction
  by: ActorId
  /** Returns the id of the changed user, or undefined when there is none. */
  change: (tx: Runner) => Promise<string | undefined>
}

/** Changes a user, and ends their sessions and the access of their apps. Throws user_not_found. */
export const changeUser = (deps: UserDeps, { action, by, change }: ChangeOptions): Promise<void> =>
  deps.write.begin(`user ${action}`, async (tx) => {
    const userId = await change(tx)
    if (userId === undefined) throw noUserWithEmail()
    await revokeAccess(deps, tx, { userId, action, by })
  })

export const noUserWithEmail = () => new AppError('user_not_found', 'No user has this e-mail address.')

const MAX_LISTED = 100

/** The latest changes of a user, newest first. */
export const listChanges = ({ write }: UserDeps, userId: string): Promise<UserChange[]> =>
  selectChanges(write, userId, MAX_LISTED)
