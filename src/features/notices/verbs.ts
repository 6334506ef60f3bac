// Notices to accounts: written in the transaction of the change they report, shown until they are read.
import type { Deps } from '../../deps.ts'
import type { Runner } from '../../platform/postgres/database.ts'
import { type Notice, findNotices, insertNotice, updateNoticeRead } from './queries.ts'

export type { Notice }

/** Writes a notice. Call it once per occurrence: notices are not deduplicated. */
export async function addNotice(
  { clock, ids }: Pick<Deps, 'clock' | 'ids'>,
  tx: Runner,
  accountId: string,
  { kind, data }: Pick<Notice, 'kind' | 'data'>,
): Promise<void> {
  const createdAt = clock.now().toISOString()
  await insertNotice(tx, { accountId, notice: { id: ids.uuid(), kind, data, createdAt } })
}

/** The account's notices, newest first. */
export const listNotices = (
  { read }: Pick<Deps, 'read'>,
  accountId: string,
  { unreadOnly = false, limit = 20 }: { unreadOnly?: boolean; limit?: number } = {},
): Promise<Notice[]> => findNotices(read, accountId, { unreadOnly, limit })

/** Marks a notice as read, once. Returns whether the account has it. */
export const readNotice = (
  { write, clock }: Pick<Deps, 'write' | 'clock'>,
  accountId: string,
  id: string,
): Promise<boolean> => updateNoticeRead(write, accountId, id, clock.now())
