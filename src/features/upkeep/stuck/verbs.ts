// What waits for an operator's help: failing webhook endpoints, messages that did not arrive, dead letters.
import type { Ctx } from '../../../ctx.ts'
import * as statements from './queries.sql.ts'

/** Older messages are of the past: their visit is over, and their link has ended. */
export const UNDELIVERED_DAYS = 14
const DAY_MS = 86_400_000

/** How much is stuck; each part counts to 1,000. */
export interface StuckCounts {
  endpoints: number
  messages: number
  letters: number
  /** Messages that the mail server refused for now and that are sent again by themselves. */
  retried: number
}

export type UndeliveredMessage = Awaited<ReturnType<typeof statements.selectUndelivered>>[number]

export async function countStuck(ctx: Ctx): Promise<StuckCounts> {
  const counts = await statements.countStuck(ctx, { since: sinceOf(ctx) })
  return counts ?? { endpoints: 0, messages: 0, letters: 0, retried: 0 }
}

/** Messages of the last {@link UNDELIVERED_DAYS} days that were given up or held back, the latest first. */
export const listUndelivered = (ctx: Ctx, page: { limit: number; offset: number }): Promise<UndeliveredMessage[]> =>
  statements.selectUndelivered(ctx, { ...page, since: sinceOf(ctx) })

const sinceOf = (ctx: Ctx): Date => new Date(ctx.clock.now().getTime() - UNDELIVERED_DAYS * DAY_MS)
