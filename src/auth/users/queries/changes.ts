// The audit log of users in the database.
import type { ActorId, UserAction, UserChange } from '../schemas.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'

export interface ChangeRow {
  id: string
  userId: string
  action: UserAction
  by: ActorId
  at: Date
}

export async function insertChange(ctx: TxCtx, { id, userId, action, by, at }: ChangeRow): Promise<void> {
  await ctx.tx.run(
    'insertChange',
    (sql) => sql`
      insert into user_changes (id, user_id, action, by_user_id, at)
      values (${id}, ${userId}, ${action}, ${by}, ${at.toISOString()})`,
  )
}

/** Newest first. */
export async function selectChanges(
  ctx: Ctx,
  { userId, limit }: { userId: string; limit: number },
): Promise<UserChange[]> {
  return await ctx.write.run(
    'selectChanges',
    (sql) => sql`
      select c.action, c.at, b.email as by
      from user_changes c left join users b on b.id = c.by_user_id
      where c.user_id = ${userId} order by c.at desc, c.id desc limit ${limit}`,
  )
}
