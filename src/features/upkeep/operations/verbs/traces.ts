// Finds stored traces, and deletes those beyond a number.
import type { Ctx } from '../../../../ctx.ts'
import type { TracePart } from '../../../../platform/telemetry/trace-part.ts'
import type { TraceFilter, TraceSummary } from '../schemas.ts'
import { deleteParts, selectParts, selectTraces } from '../queries.ts'

/** The newest traces of each reason are stored; features/upkeep/retention deletes old ones before that. */
const MAX_TRACES = 20_000

/** Newest first, and whether there are more. */
export async function listTraces(
  ctx: Ctx,
  { limit, ...filter }: { limit: number } & TraceFilter,
): Promise<{ traces: TraceSummary[]; hasMore: boolean }> {
  const rows = await selectTraces(ctx, { ...filter, limit: limit + 1 })
  return { traces: rows.slice(0, limit), hasMore: rows.length > limit }
}

/** The part of each process in a trace, in order of their start. Empty if no part is stored. */
export const findTrace = async (ctx: Ctx, { traceId }: { traceId: string }): Promise<TracePart[]> =>
  isTraceId(traceId) ? await selectParts(ctx, { traceId }) : []

/** The form of a trace id, which is also the id of a request (W3C Trace Context §3.2.2.3). */
export const isTraceId = (text: string): boolean => /^[0-9a-f]{32}$/.test(text)

/** Deletes at most `limit` traces of each reason beyond the newest. Returns the largest number of a reason. */
export async function deleteExcessTraces(ctx: Ctx, { limit }: { limit: number }): Promise<number> {
  const deleted = await Promise.all(
    (['sampled', 'failed', 'refused'] as const).map((reason) => deleteParts(ctx, { reason, keep: MAX_TRACES, limit })),
  )
  return Math.max(...deleted)
}
