// Account notices in the database, such as a disabled webhook endpoint.
import type { Ctx, TxCtx } from '../../../ctx.ts'
import * as statements from './queries.sql.ts'

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
  await statements.insertNotice(ctx, {
    id: notice.id,
    accountId,
    kind: notice.kind,
    data: JSON.stringify(notice.data),
    createdAt: notice.createdAt,
  })
}

export async function findNotices(
  ctx: Ctx,
  { accountId, unreadOnly, limit }: { accountId: string; unreadOnly: boolean; limit: number },
): Promise<Notice[]> {
  return await statements.findNotices<Pick<Notice, 'data'>>(ctx, { accountId, unreadOnly, limit })
}

/** Returns whether the account has this notice. */
export async function updateNoticeRead(
  ctx: Ctx,
  { accountId, id, now }: { accountId: string; id: string; now: Date },
): Promise<boolean> {
  const rows = await statements.updateNoticeRead(ctx, { now, id, accountId })
  return rows.length > 0
}
