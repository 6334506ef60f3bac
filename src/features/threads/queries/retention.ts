// Deletion of old threads and runs. Each function is one statement, so that foreign keys are checked after all of it.
import type { Runner } from '../../../platform/postgres/database.ts'

interface Retention {
  before: Date
  limit: number
}

/** Deletes threads without a message since `before`, oldest first, with their contents. Returns their number. */
export async function deleteThreads(db: Runner, { before, limit }: Retention): Promise<number> {
  const rows = await db.run(
    'deleteOldThreads',
    (sql) => sql`
      with old as materialized (
        select t.professional_id, t.id from threads t
        where t.last_activity_at < ${before.toISOString()} and not exists (
          select from agent_runs r where r.professional_id = t.professional_id and r.thread_id = t.id
            and r.status in ('queued', 'running'))
        order by t.last_activity_at limit ${limit} for update of t skip locked),
      runs as (
        delete from agent_runs r using old where r.professional_id = old.professional_id and r.thread_id = old.id
        returning r.professional_id, r.id),
      steps as (
        delete from agent_steps s using runs where s.professional_id = runs.professional_id and s.run_id = runs.id),
      messages as (
        delete from thread_messages m using old
        where m.professional_id = old.professional_id and m.thread_id = old.id)
      delete from threads t using old where t.professional_id = old.professional_id and t.id = old.id
      returning 1`,
  )
  return rows.length
}

/** Deletes runs outside of threads that ended before `before`, oldest first. Returns their number. */
export async function deleteRuns(db: Runner, { before, limit }: Retention): Promise<number> {
  const rows = await db.run(
    'deleteOldRuns',
    (sql) => sql`
      with old as materialized (
        select professional_id, id from agent_runs
        where thread_id is null and finished_at < ${before.toISOString()}
        order by finished_at limit ${limit} for update skip locked),
      steps as (
        delete from agent_steps s using old where s.professional_id = old.professional_id and s.run_id = old.id)
      delete from agent_runs r using old where r.professional_id = old.professional_id and r.id = old.id
      returning 1`,
  )
  return rows.length
}
