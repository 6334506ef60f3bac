// The audit log of users in the database.
import type { ActorId, UserAction, UserChange } from '../schemas.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'
import * as statements from './changes.sql.ts'

export interface ChangeRow {
  id: string
  userId: string
  action: UserAction
  by: ActorId
  at: Date
}

export async function insertChange(ctx: TxCtx, { id, userId, action, by, at }: ChangeRow): Promise<void> {
  await statements.insertChange(ctx, { id, userId, action, by, at })
}

/** Newest first. */
export async function selectChanges(
  ctx: Ctx,
  { userId, limit }: { userId: string; limit: number },
): Promise<UserChange[]> {
  return await statements.selectChanges(ctx, { userId, limit })
}
