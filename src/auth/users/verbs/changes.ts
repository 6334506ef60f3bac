// Changes of users: each in one transaction with its entry in the audit log.
import type { Ctx, TxCtx } from '../../../ctx.ts'
import { AppError } from '../../../errors/app-error.ts'
import { revokeAppAccess } from '../../oauth/verbs/connected-apps.ts'
import { insertChange, selectChanges } from '../queries/changes.sql.ts'
import { deleteLinkOf } from '../queries/password-links.sql.ts'
import { deleteSessionsOf } from '../queries/sessions.sql.ts'
import type { OperatorRole } from '../rules/operator-roles.ts'
import type { ActorId, UserAction, UserChange } from '../schemas.ts'

export interface Change {
  userId: string
  action: UserAction
  /** The role that an operator was given. */
  operatorRole?: OperatorRole | null
  by: ActorId
}

/** Writes an entry of the audit log. */
export const recordChange = (ctx: TxCtx, change: Change): Promise<void> =>
  insertChange(ctx, { id: ctx.ids.uuid(), at: ctx.clock.now(), ...change })

/**
 * Ends for good what the user's sessions have opened: the sessions, the access of connected apps, and the password link. Call
 * it after the change itself, which locks the user, so that it sees a login or an approval which the change waited for.
 */
export async function revokeAccess(ctx: TxCtx, change: Change): Promise<void> {
  await deleteSessionsOf(ctx, { userId: change.userId })
  await revokeAppAccess(ctx, { userId: change.userId })
  await deleteLinkOf(ctx, { userId: change.userId })
  await recordChange(ctx, change)
}

export interface ChangeOptions {
  action: UserAction
  by: ActorId
  /** Returns the id of the changed user, or undefined when there is none. */
  change: (ctx: TxCtx) => Promise<string | undefined>
}

/** Changes a user, and ends their sessions and the access of their apps. Throws user_not_found. */
export const changeUser = (ctx: Ctx, { action, by, change }: ChangeOptions): Promise<void> =>
  ctx.transaction(`user ${action}`, async (ctx) => {
    const userId = await change(ctx)
    if (userId === undefined) throw noUserWithEmail()
    await revokeAccess(ctx, { userId, action, by })
  })

export const noUserWithEmail = () => new AppError('user_not_found', 'No user has this e-mail address.')

const MAX_LISTED = 100

/** The latest changes of a user, newest first. */
export const listChanges = (ctx: Ctx, { userId }: { userId: string }): Promise<UserChange[]> =>
  selectChanges(ctx, { userId, limit: MAX_LISTED })
