// Account notices in the database, such as a disabled webhook endpoint.
import type { Runner } from '../../platform/postgres/database.ts'

export interface Notice {
  id: string
  /** A snake_case name that determines the shape of `data`. */
  kind: string
  data: Record<string, unknown>
  createdAt: string
  readAt: string | null
}

export async function insertNotice(
  db: Runner,
  { accountId, notice }: { accountId: string; notice: Omit<Notice, 'readAt'> },
): Promise<void> {
  await db.run(
    'insertNotice',
    (sql) => sql`
      insert into notices (id, account_id, kind, data, created_at)
      values (${notice.id}, ${accountId}, ${notice.kind}, ${JSON.stringify(notice.data)}::text::jsonb, ${notice.createdAt})`,
  )
}

export async function findNotices(
  db: Runner,
  accountId: string,
  { unreadOnly, limit }: { unreadOnly: boolean; limit: number },
): Promise<Notice[]> {
  return await db.run<Notice>(
    'findNotices',
    (sql) => sql`
      select id, kind, data, created_at, read_at from notices
      where account_id = ${accountId} and (not ${unreadOnly} or read_at is null)
      order by created_at desc, id desc limit ${limit}`,
  )
}

/** Returns whether the account has this notice. */
export async function updateNoticeRead(db: Runner, accountId: string, id: string, now: Date): Promise<boolean> {
  const rows = await db.run(
    'updateNoticeRead',
    (sql) => sql`
      update notices set read_at = coalesce(read_at, ${now.toISOString()}::timestamptz)
      where id = ${id} and account_id = ${accountId} returning id`,
  )
  return rows.length > 0
}
