// The tables trace_parts and process_reports. Reads use the primary too: a replica has no unlogged tables.
import type { MetricDeltas } from '../../../platform/telemetry/metrics.ts'
import type { KeepReason } from '../../../platform/telemetry/tail-sampler.ts'
import type { TracePart } from '../../../platform/telemetry/trace-part.ts'
import type { ReportedPoint } from './metric-set.ts'
import type { ProcessReport, TraceFilter, TraceSummary } from './schemas.ts'
import type { Ctx } from '../../../ctx.ts'

export async function insertParts(ctx: Ctx, { parts }: { parts: readonly TracePart[] }): Promise<void> {
  await ctx.write.run(
    'insertParts',
    (sql) => sql`
      insert into trace_parts (trace_id, because, service, name, method, route, status, started_at, duration_us, spans,
        left_out)
      select "traceId", reason, service, name, method, route, status, "startedAt", "durationUs", spans, "omittedSpans"
      from jsonb_to_recordset(${JSON.stringify(parts)}::text::jsonb) as part ("traceId" text, reason text, service text,
        name text, method text, route text, status smallint, "startedAt" timestamptz, "durationUs" bigint, spans jsonb,
        "omittedSpans" integer)`,
  )
}

export async function insertReport(ctx: Ctx, report: ProcessReport & { metrics: MetricDeltas }): Promise<void> {
  await ctx.write.run(
    'insertReport',
    (sql) => sql`
      insert into process_reports (process, service, host, pid, at, seconds, figures)
      values (${report.process}, ${report.service}, ${report.host}, ${report.pid}, ${report.at}, ${report.seconds},
        ${JSON.stringify(report.metrics)}::text::jsonb)`,
  )
}

/** Requests, and failures of other work. Newest first. */
export function selectTraces(ctx: Ctx, { limit, ...filter }: { limit: number } & TraceFilter): Promise<TraceSummary[]> {
  const { route, statusFrom, statusTo, minUs, beforeId } = filter
  return ctx.write.run<TraceSummary>(
    'selectTraces',
    (sql) => sql`
      select id, trace_id, because as reason, service, name, status, started_at, duration_us
      from trace_parts
      where (route is not null or method is not null or because = 'failed')
        and (${beforeId ?? null}::bigint is null or id < ${beforeId ?? null})
        and (${route ?? null}::text is null or position(lower(${route ?? ''}) in lower(name)) > 0)
        and (${statusFrom ?? null}::integer is null or status between ${statusFrom ?? 0} and ${statusTo ?? 0})
        and (${minUs ?? null}::bigint is null or duration_us >= ${minUs ?? 0})
      order by id desc limit ${limit}`,
  )
}

/** The part of each process in a trace, in order of their start. */
export function selectParts(ctx: Ctx, { traceId }: { traceId: string }): Promise<TracePart[]> {
  return ctx.write.run<TracePart>(
    'selectParts',
    (sql) => sql`
      select trace_id, because as reason, service, name, method, route, status, started_at, duration_us, spans,
        left_out as omitted_spans
      from trace_parts where trace_id = ${traceId} order by started_at, id limit 200`,
  )
}

/** The newest report of each process since `since`. */
export function selectProcesses(
  ctx: Ctx,
  { since }: { since: Date },
): Promise<(ProcessReport & { metrics: MetricDeltas })[]> {
  return ctx.write.run<ProcessReport & { metrics: MetricDeltas }>(
    'selectProcesses',
    (sql) => sql`
      select distinct on (process) process, service, host, pid, at, seconds, figures as metrics
      from process_reports where at >= ${since.toISOString()}
      order by process, id desc`,
  )
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
  return ctx.write.run<PointRow>(
    'selectPoints',
    (sql) => sql`
      select r.at, p.point, f.bounds -> (p.point ->> 0) as bounds
      from process_reports r
      -- Once per report: without offset 0, its figures would be decompressed for each point.
      cross join lateral (select r.figures -> 'bounds' as bounds, r.figures -> 'values' as points offset 0) as f
      cross join jsonb_array_elements(f.points) as p (point)
      where r.at >= ${since.toISOString()} and p.point ->> 0 = any (${[...names]}::text[])
      order by r.id`,
  )
}

/** Deletes parts of a reason beyond the newest `keep`. Returns how many. */
export async function deleteParts(
  ctx: Ctx,
  { reason, keep, limit }: { reason: KeepReason; keep: number; limit: number },
): Promise<number> {
  const rows = await ctx.write.run(
    'deleteParts',
    (sql) => sql`
      delete from trace_parts where id in (
        select id from trace_parts
        where because = ${reason}
          and id <= (select id from trace_parts where because = ${reason} order by id desc offset ${keep} limit 1)
        order by id limit ${limit})
      returning id`,
  )
  return rows.length
}
