// Notices to accounts: written in the transaction of the change they report, shown until they are read.
import type { Ctx, TxCtx } from '../../../ctx.ts'
import { type Notice, findNotices, insertNotice, updateNoticeRead } from './queries.ts'

export type { Notice }

/** Writes a notice. Call it once per occurrence: notices are not deduplicated. */
export async function addNotice(
  ctx: TxCtx,
  { accountId, kind, data }: { accountId: string } & Pick<Notice, 'kind' | 'data'>,
): Promise<void> {
  const createdAt = ctx.clock.now().toISOString()
  await insertNotice(ctx, { accountId, notice: { id: ctx.ids.uuid(), kind, data, createdAt } })
}

/** The account's notices, newest first. */
export const listNotices = (
  ctx: Ctx,
  { accountId, unreadOnly = false, limit = 20 }: { accountId: string; unreadOnly?: boolean; limit?: number },
): Promise<Notice[]> => findNotices(ctx, { unreadOnly, limit, accountId })

/** Marks a notice as read, once. Returns whether the account has it. */
export const readNotice = (ctx: Ctx, { accountId, id }: { accountId: string; id: string }): Promise<boolean> =>
  updateNoticeRead(ctx, { accountId, id, now: ctx.clock.now() })
