// Which past work counts for the prices of prepared work.
import type { Ctx } from '../../../../ctx.ts'

/** Older prices say little about present cost. */
const PAST_WORK_MS = 730 * 86_400_000

/** Past work from this moment on counts for prices. */
export const pastWorkStart = (ctx: Ctx): Date => new Date(ctx.clock.now().getTime() - PAST_WORK_MS)
