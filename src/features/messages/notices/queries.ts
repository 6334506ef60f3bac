// Account notices in the database, such as a disabled webhook endpoint.
import type { Ctx, TxCtx } from '../../../ctx.ts'

export interface Notice {
  id: string
  /** A snake_case name that determines the shape of `data`. */
  kind: string
  data: Record<string, unknown>
  createdAt: string
  readAt: string | null
}

export async function insertNotice(
  ctx: TxCtx,
  { accountId, notice }: { accountId: string; notice: Omit<Notice, 'readAt'> },
): Promise<void> {
  await ctx.tx.run(
    'insertNotice',
    (sql) => sql`
      insert into notices (id, account_id, kind, data, created_at)
      values (${notice.id}, ${accountId}, ${notice.kind}, ${JSON.stringify(notice.data)}::text::jsonb, ${notice.createdAt})`,
  )
}

export async function findNotices(
  ctx: Ctx,
  { accountId, unreadOnly, limit }: { accountId: string; unreadOnly: boolean; limit: number },
): Promise<Notice[]> {
  return await ctx.read.run<Notice>(
    'findNotices',
    (sql) => sql`
      select id, kind, data, created_at, read_at from notices
      where account_id = ${accountId} and (not ${unreadOnly} or read_at is null)
      order by created_at desc, id desc limit ${limit}`,
  )
}

/** Returns whether the account has this notice. */
export async function updateNoticeRead(
  ctx: Ctx,
  { accountId, id, now }: { accountId: string; id: string; now: Date },
): Promise<boolean> {
  const rows = await ctx.write.run(
    'updateNoticeRead',
    (sql) => sql`
      update notices set read_at = coalesce(read_at, ${now.toISOString()}::timestamptz)
      where id = ${id} and account_id = ${accountId} returning id`,
  )
  return rows.length > 0
}
