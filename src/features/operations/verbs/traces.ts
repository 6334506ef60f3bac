// Finds stored traces, and deletes old traces and reports.
import type { Deps } from '../../../deps.ts'
import type { TracePart } from '../../../platform/telemetry/trace-part.ts'
import type { TraceFilter, TraceSummary } from '../schemas.ts'
import { deleteParts, deleteReports, selectParts, selectTraces } from '../queries.ts'

const HOUR_MS = 3_600_000
/** The newest traces of each reason are stored, for a week at most. */
const MAX_TRACES = 20_000
const TRACES_MS = 7 * 24 * HOUR_MS
/** Reports feed the operations page; Prometheus stores metrics for longer. */
const REPORTS_MS = HOUR_MS

/** Newest first, and whether there are more. */
export async function listTraces(
  { write }: Pick<Deps, 'write'>,
  filter: TraceFilter,
  limit: number,
): Promise<{ traces: TraceSummary[]; hasMore: boolean }> {
  const rows = await selectTraces(write, filter, limit + 1)
  return { traces: rows.slice(0, limit), hasMore: rows.length > limit }
}

/** The part of each process in a trace, in order of their start. Empty if no part is stored. */
export const findTrace = async ({ write }: Pick<Deps, 'write'>, traceId: string): Promise<TracePart[]> =>
  isTraceId(traceId) ? await selectParts(write, traceId) : []

/** The form of a trace id, which is also the id of a request (W3C Trace Context §3.2.2.3). */
export const isTraceId = (text: string): boolean => /^[0-9a-f]{32}$/.test(text)

/** Deletes at most `limit` rows of each kind. Returns the largest number of deleted rows of a kind. */
export async function pruneOperations({ write, clock }: Pick<Deps, 'write' | 'clock'>, limit: number): Promise<number> {
  const before = (ms: number) => new Date(clock.now().getTime() - ms)
  const deleted = await Promise.all([
    deleteReports(write, { before: before(REPORTS_MS), limit }),
    ...(['sampled', 'failed', 'refused'] as const).map((reason) =>
      deleteParts(write, { reason, keep: MAX_TRACES, before: before(TRACES_MS), limit }),
    ),
  ])
  return Math.max(...deleted)
}
