// The log-ins of an account that closes, and opens again.
import type { TxCtx } from '../../../ctx.ts'
import { disableUsersOf, enableUsersOf } from '../queries/users.sql.ts'
import type { ActorId } from '../schemas.ts'
import { recordChange, revokeAccess } from './changes.ts'

/** Logs all users of the account out everywhere and prevents further log-ins. */
export async function disableLogins(ctx: TxCtx, { accountId, by }: { accountId: string; by: ActorId }): Promise<void> {
  for (const { id } of await disableUsersOf(ctx, { accountId, now: ctx.clock.now() }))
    await revokeAccess(ctx, { userId: id, action: 'disabled', by })
}

/** Lets those log in again who were disabled at this instant. */
export async function enableLogins(
  ctx: TxCtx,
  { accountId, disabledAt, by }: { accountId: string; disabledAt: string; by: ActorId },
): Promise<void> {
  for (const { id } of await enableUsersOf(ctx, { accountId, disabledAt }))
    await recordChange(ctx, { userId: id, action: 'enabled', by })
}
