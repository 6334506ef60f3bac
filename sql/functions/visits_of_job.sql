-- A job and its visits are one thing. A job is scheduled until its work begins, by hand or with the first completed visit; it has at
-- most one open visit, and none once it is over. Verbs lock the job before the booking; these triggers hold whatever code runs.

-- A completed visit begins the work of its job.
create or replace function begin_job_of_visit() returns trigger
  language plpgsql as $$
begin
  update jobs j set status = 'in_progress', started_at = new.completed_at
  where j.professional_id = new.professional_id and j.id = new.job_id and j.status = 'scheduled';
  return null;
end $$;

create or replace trigger visit_begins_job after update of status on bookings
  for each row when (new.job_id is not null and new.status = 'completed' and old.status <> 'completed')
  execute function begin_job_of_visit();

-- Which rule a job and its visits break; null if they agree. The job is locked: a concurrent change of a visit waits.
create or replace function contradiction_of_job(pro_id uuid, of_job_id uuid) returns text
  language plpgsql volatile as $$
declare
  job jobs;
  broken text;
begin
  select j.* into job from jobs j where j.professional_id = pro_id and j.id = of_job_id for share;
  select case
      when count(*) filter (where v.is_open) > 1 then 'has two open visits'
      when job.status in ('completed', 'cancelled') and bool_or(v.is_open) then 'is over and has an open visit'
      when job.status = 'scheduled' and bool_or(v.status = 'completed') then 'has not begun and has a completed visit'
      when bool_or(v.status = 'completed' and v.starts_at > job.completed_at) then 'was completed before a visit began'
      when job.status = 'in_progress' and bool_or(v.is_open and v.starts_at > job.started_at and v.created_at < job.started_at)
        then 'began before its visit'
    end
  into broken
  from (
    select b.*, b.status in ('pending', 'confirmed') as is_open from bookings b
    where b.professional_id = pro_id and b.job_id = of_job_id
  ) v;
  return broken;
end $$;

-- Refuses, at the end of a transaction, a job that contradicts its visits.
create or replace function check_visits_of_job() returns trigger
  language plpgsql as $$
declare
  of_job_id constant uuid := case tg_table_name when 'jobs' then new.id else (to_jsonb(new) ->> 'job_id')::uuid end;
  broken constant text := contradiction_of_job(new.professional_id, of_job_id);
begin
  if broken is not null then
    raise exception 'Job % %.', of_job_id, broken using errcode = 'check_violation', constraint = 'visits_of_job';
  end if;
  return null;
end $$;

do $$
begin
  if exists (select from pg_trigger where tgname = 'job_visits') then
    return;
  end if;
  create constraint trigger job_visits after update of status on jobs
    deferrable initially deferred for each row when (new.status <> old.status) execute function check_visits_of_job();
  create constraint trigger visit_job after insert or update of status on bookings
    deferrable initially deferred for each row when (new.job_id is not null) execute function check_visits_of_job();
end $$;
