// Removes the content of files whose rows are gone. A trigger asks for it in the transaction that deletes the row.
import type { Ctx } from '../../../../ctx.ts'
import { claimRemovals, endRemoval, postponeRemoval } from '../queries.sql.ts'
import { allKeys } from '../rules/addresses.ts'

/**
 * Content is removed at once, and again after this time: an upload or a decoding may have been under way that had read the row,
 * and stored something afterwards. Both have ended by then.
 */
const LAST_AFTER_MS = 20 * 60_000
/** When the claim of a process that died ends, or a storage is tried again. */
const CLAIM_MS = 60_000

/** Removes the content of rows that were deleted. Returns how many were due. */
export async function removeContent(ctx: Ctx, { limit }: { limit: number }): Promise<number> {
  const now = ctx.clock.now()
  const claimed = await claimRemovals(ctx, {
    now,
    until: new Date(now.getTime() + CLAIM_MS),
    last: new Date(now.getTime() - LAST_AFTER_MS),
    limit,
  })
  for (const { name, isLast } of claimed) {
    for (const key of allKeys(name)) await ctx.storage.delete(key)
    if (isLast) await endRemoval(ctx, { name })
    else await postponeRemoval(ctx, { name, at: new Date(now.getTime() + LAST_AFTER_MS + CLAIM_MS) })
  }
  return claimed.length
}

const LEFTOVER_MS = 3_600_000

/** Removes what processes left that died while they wrote. */
export async function removeLeftovers(ctx: Ctx): Promise<number> {
  await ctx.storage.sweep(new Date(ctx.clock.now().getTime() - LEFTOVER_MS))
  return 0
}
