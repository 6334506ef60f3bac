// Threads and runs that are past their time. Each is one statement: what belongs together goes together, and constraints
// are checked when all of it is gone.
import type { Runner } from '../../../platform/postgres/database.ts'

interface Past {
  before: Date
  limit: number
}

/** Deletes threads without a message since `before`, from the oldest on, with all that is theirs. How many. */
export async function deleteThreads(db: Runner, { before, limit }: Past): Promise<number> {
  const rows = await db.run(
    'deletePastThreads',
    (sql) => sql`
      with past as materialized (
        select t.professional_id, t.id from threads t
        where t.last_activity_at < ${before.toISOString()} and not exists (
          select from agent_runs r where r.professional_id = t.professional_id and r.thread_id = t.id
            and r.status in ('queued', 'running'))
        order by t.last_activity_at limit ${limit} for update of t skip locked),
      runs as (
        delete from agent_runs r using past where r.professional_id = past.professional_id and r.thread_id = past.id
        returning r.professional_id, r.id),
      steps as (
        delete from agent_steps s using runs where s.professional_id = runs.professional_id and s.run_id = runs.id),
      messages as (
        delete from thread_messages m using past
        where m.professional_id = past.professional_id and m.thread_id = past.id)
      delete from threads t using past where t.professional_id = past.professional_id and t.id = past.id
      returning 1`,
  )
  return rows.length
}

/** Deletes runs outside of threads that ended before `before`, from the oldest on, with their steps. How many. */
export async function deleteRuns(db: Runner, { before, limit }: Past): Promise<number> {
  const rows = await db.run(
    'deletePastRuns',
    (sql) => sql`
      with past as materialized (
        select professional_id, id from agent_runs
        where thread_id is null and finished_at < ${before.toISOString()}
        order by finished_at limit ${limit} for update skip locked),
      steps as (
        delete from agent_steps s using past where s.professional_id = past.professional_id and s.run_id = past.id)
      delete from agent_runs r using past where r.professional_id = past.professional_id and r.id = past.id
      returning 1`,
  )
  return rows.length
}
