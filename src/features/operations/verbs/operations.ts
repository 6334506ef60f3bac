// Traces that were kept, and how long anything here is.
import type { Deps } from '../../../deps.ts'
import type { TracePart } from '../../../platform/telemetry/trace-part.ts'
import type { TraceFilter, TraceLine } from '../schemas.ts'
import { deleteParts, deleteReports, selectParts, selectTraces } from '../queries.ts'

const HOUR_MS = 3_600_000
/** Traces of each reason; older ones go, and all after a week. */
const KEPT_TRACES = 20_000
const KEPT_TRACES_MS = 7 * 24 * HOUR_MS
/** Reports are for looking at what goes on; Prometheus keeps more. */
const KEPT_REPORTS_MS = HOUR_MS

/** Newest first, and whether there are more. */
export async function listTraces(
  { write }: Pick<Deps, 'write'>,
  filter: TraceFilter,
  limit: number,
): Promise<{ traces: TraceLine[]; hasMore: boolean }> {
  const found = await selectTraces(write, filter, limit + 1)
  return { traces: found.slice(0, limit), hasMore: found.length > limit }
}

/** What each process did of a trace, from the first to begin on. Nothing when nothing of it was kept. */
export const findTrace = async ({ write }: Pick<Deps, 'write'>, traceId: string): Promise<TracePart[]> =>
  isTraceId(traceId) ? await selectParts(write, traceId) : []

/** The form of a trace's id, which is that of a request (W3C Trace Context §3.2.2.3). */
export const isTraceId = (text: string): boolean => /^[0-9a-f]{32}$/.test(text)

/** Deletes traces and reports beyond what is kept, `limit` of each kind at most. Gives the largest number of a kind. */
export async function pruneOperations({ write, clock }: Pick<Deps, 'write' | 'clock'>, limit: number): Promise<number> {
  const before = (ms: number) => new Date(clock.now().getTime() - ms)
  const deleted = await Promise.all([
    deleteReports(write, { before: before(KEPT_REPORTS_MS), limit }),
    ...(['sampled', 'failed', 'refused'] as const).map((because) =>
      deleteParts(write, { because, keep: KEPT_TRACES, before: before(KEPT_TRACES_MS), limit }),
    ),
  ])
  return Math.max(...deleted)
}
