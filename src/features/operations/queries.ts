// Rows of trace_parts and process_reports. On the primary even for reads: a replica has no unlogged tables.
import type { Runner } from '../../platform/postgres/database.ts'
import type { MetricDeltas } from '../../platform/telemetry/metrics.ts'
import type { KeepReason } from '../../platform/telemetry/tail-sampler.ts'
import type { TracePart } from '../../platform/telemetry/trace-part.ts'
import type { ProcessReport, TraceFilter, TraceLine } from './schemas.ts'

export async function insertParts(db: Runner, parts: readonly TracePart[]): Promise<void> {
  await db.run(
    'insertParts',
    (sql) => sql`
      insert into trace_parts (trace_id, because, service, name, method, route, status, started_at, duration_us, spans,
        left_out)
      select "traceId", because, service, name, method, route, status, "startedAt", "durationUs", spans, "left"
      from jsonb_to_recordset(${JSON.stringify(parts)}::text::jsonb) as part ("traceId" text, because text, service text,
        name text, method text, route text, status smallint, "startedAt" timestamptz, "durationUs" bigint, spans jsonb,
        "left" integer)`,
  )
}

export async function insertReport(db: Runner, report: ProcessReport & { figures: MetricDeltas }): Promise<void> {
  await db.run(
    'insertReport',
    (sql) => sql`
      insert into process_reports (process, service, host, pid, at, seconds, figures)
      values (${report.process}, ${report.service}, ${report.host}, ${report.pid}, ${report.at}, ${report.seconds},
        ${JSON.stringify(report.figures)}::text::jsonb)`,
  )
}

/** Newest first: requests, and whatever failed elsewhere. */
export function selectTraces(db: Runner, filter: TraceFilter, limit: number): Promise<TraceLine[]> {
  const { route, statusFrom, statusTo, minUs, beforeId } = filter
  return db.run<TraceLine>(
    'selectTraces',
    (sql) => sql`
      select id, trace_id, because, service, name, status, started_at, duration_us
      from trace_parts
      where (route is not null or method is not null or because = 'failed')
        and (${beforeId ?? null}::bigint is null or id < ${beforeId ?? null})
        and (${route ?? null}::text is null or position(lower(${route ?? ''}) in lower(name)) > 0)
        and (${statusFrom ?? null}::integer is null or status between ${statusFrom ?? 0} and ${statusTo ?? 0})
        and (${minUs ?? null}::bigint is null or duration_us >= ${minUs ?? 0})
      order by id desc limit ${limit}`,
  )
}

/** What each process did of a trace, from the first to begin on. */
export function selectParts(db: Runner, traceId: string): Promise<TracePart[]> {
  return db.run<TracePart>(
    'selectParts',
    (sql) => sql`
      select trace_id, because, service, name, method, route, status, started_at, duration_us, spans, left_out as "left"
      from trace_parts where trace_id = ${traceId} order by started_at, id limit 200`,
  )
}

/** The newest report of every process that told of itself since then. */
export function selectProcesses(db: Runner, since: Date): Promise<(ProcessReport & { figures: MetricDeltas })[]> {
  return db.run<ProcessReport & { figures: MetricDeltas }>(
    'selectProcesses',
    (sql) => sql`
      select distinct on (process) process, service, host, pid, at, seconds, figures
      from process_reports where at >= ${since.toISOString()}
      order by process, id desc`,
  )
}

/** One figure of a report: a row of what {@link selectFigures} gives. */
export interface FigureRow {
  service: string
  at: string
  seconds: number
  figure: MetricDeltas['values'][number]
  bounds: readonly number[] | null
}

/** What all processes reported of some metrics since then, oldest first. */
export function selectFigures(db: Runner, names: readonly string[], since: Date): Promise<FigureRow[]> {
  return db.run<FigureRow>(
    'selectFigures',
    (sql) => sql`
      select r.service, r.at, r.seconds, f.figure, r.figures -> 'bounds' -> (f.figure ->> 0) as bounds
      from process_reports r, jsonb_array_elements(r.figures -> 'values') as f (figure)
      where r.at >= ${since.toISOString()} and f.figure ->> 0 = any (${[...names]}::text[])
      order by r.id`,
  )
}

/** Deletes all but the newest `keep` parts of a reason, and what is older than `before`. Gives how many. */
export async function deleteParts(
  db: Runner,
  { because, keep, before, limit }: { because: KeepReason; keep: number; before: Date; limit: number },
): Promise<number> {
  const rows = await db.run(
    'deleteParts',
    (sql) => sql`
      delete from trace_parts where id in (
        select id from trace_parts
        where because = ${because} and (started_at < ${before.toISOString()}
          or id <= (select id from trace_parts where because = ${because} order by id desc offset ${keep} limit 1))
        order by id limit ${limit})
      returning id`,
  )
  return rows.length
}

/** Deletes reports from before then, the oldest first. Gives how many. */
export async function deleteReports(db: Runner, { before, limit }: { before: Date; limit: number }): Promise<number> {
  const rows = await db.run(
    'deleteReports',
    (sql) => sql`
      delete from process_reports where id in (
        select id from process_reports where at < ${before.toISOString()} order by at limit ${limit})
      returning id`,
  )
  return rows.length
}
