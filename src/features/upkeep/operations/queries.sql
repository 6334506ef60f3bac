-- name: insertParts :exec on write
insert into trace_parts (trace_id, because, service, name, method, route, status, started_at, duration_us, spans,
  left_out)
select "traceId", reason, service, name, method, route, status, "startedAt", "durationUs", spans, "omittedSpans"
from jsonb_to_recordset(:parts::text::jsonb) as part ("traceId" text, reason text, service text,
  name text, method text, route text, status smallint, "startedAt" timestamptz, "durationUs" bigint, spans jsonb,
  "omittedSpans" integer)

-- name: insertReport :exec on write
insert into process_reports (process, service, host, pid, at, seconds, figures)
values (:process, :service, :host, :pid, :at, :seconds,
  :metrics::text::jsonb)

-- name: selectTraces :many on write
select id, trace_id, because as reason, service, name, status, started_at, duration_us
from trace_parts
where (route is not null or method is not null or because = 'failed')
  and (:before_id?::bigint is null or id < :before_id?)
  and (:route?::text is null or position(lower(:route?) in lower(name)) > 0)
  and (:status_from?::integer is null or status between :status_from? and :status_to?)
  and (:min_us?::bigint is null or duration_us >= :min_us?)
  and (:from?::timestamptz is null or started_at >= :from?)
  and (:to?::timestamptz is null or started_at < :to?)
order by id desc limit :limit

-- name: selectParts :many on write
select trace_id, because as reason, service, name, method, route, status, started_at, duration_us, spans,
  left_out as omitted_spans
from trace_parts where trace_id = :trace_id order by started_at, id limit 200

-- name: selectProcesses :many on write
select distinct on (process) process, service, host, pid, at, seconds, figures as metrics
from process_reports where at >= :since
order by process, id desc

-- name: selectPoints :many on write
select r.at, p.point, f.bounds -> (p.point ->> 0) as bounds
from process_reports r
-- Once per report: without offset 0, its figures would be decompressed for each point.
cross join lateral (select r.figures -> 'bounds' as bounds, r.figures -> 'values' as points offset 0) as f
cross join jsonb_array_elements(f.points) as p (point)
where r.at >= :since and p.point ->> 0 = any (:names::text[])
order by r.id

-- name: deleteParts :many on write
delete from trace_parts where id in (
  select id from trace_parts
  where because = :reason
    and id <= (select id from trace_parts where because = :reason order by id desc offset :keep limit 1)
  order by id limit :limit)
returning id
