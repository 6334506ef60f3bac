// The tables trace_parts and process_reports. Reads use the primary too: a replica has no unlogged tables.
import type { MetricDeltas } from '../../../platform/telemetry/metrics.ts'
import type { KeepReason } from '../../../platform/telemetry/tail-sampler.ts'
import type { TracePart } from '../../../platform/telemetry/trace-part.ts'
import type { ReportedPoint } from './metric-set.ts'
import type { ProcessReport, TraceFilter, TraceSummary } from './schemas.ts'
import type { Ctx } from '../../../ctx.ts'
import * as statements from './queries.sql.ts'

export async function insertParts(ctx: Ctx, { parts }: { parts: readonly TracePart[] }): Promise<void> {
  await statements.insertParts(ctx, { parts: JSON.stringify(parts) })
}

export async function insertReport(ctx: Ctx, report: ProcessReport & { metrics: MetricDeltas }): Promise<void> {
  await statements.insertReport(ctx, {
    process: report.process,
    service: report.service,
    host: report.host,
    pid: report.pid,
    at: report.at,
    seconds: report.seconds,
    metrics: JSON.stringify(report.metrics),
  })
}

/** Requests, and failures of other work. Newest first. */
export const selectTraces = (ctx: Ctx, filter: { limit: number } & TraceFilter): Promise<TraceSummary[]> =>
  statements.selectTraces(ctx, filter)

/** The part of each process in a trace, in order of their start. */
export function selectParts(ctx: Ctx, { traceId }: { traceId: string }): Promise<TracePart[]> {
  return statements.selectParts<Pick<TracePart, 'spans'>>(ctx, { traceId })
}

/** The newest report of each process since `since`. */
export function selectProcesses(
  ctx: Ctx,
  { since }: { since: Date },
): Promise<(ProcessReport & { metrics: MetricDeltas })[]> {
  return statements.selectProcesses<Pick<ProcessReport & { metrics: MetricDeltas }, 'metrics'>>(ctx, { since })
}

/** A metric of one report. */
export interface PointRow extends ReportedPoint {
  readonly at: string
}

/** What all processes reported of these metrics since `since`, oldest first. */
export function selectPoints(
  ctx: Ctx,
  { names, since }: { names: readonly string[]; since: Date },
): Promise<PointRow[]> {
  return statements.selectPoints<Pick<PointRow, 'point' | 'bounds'>>(ctx, { since, names })
}

/** Deletes parts of a reason beyond the newest `keep`. Returns how many. */
export async function deleteParts(
  ctx: Ctx,
  { reason, keep, limit }: { reason: KeepReason; keep: number; limit: number },
): Promise<number> {
  const rows = await statements.deleteParts(ctx, { reason, keep, limit })
  return rows.length
}
