// SQL of jobs.
import { pageOf } from '../../../platform/schema/paging.ts'
import type { Job, JobsQuery } from './schemas.ts'
import type { JobState } from './states.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'
import { composed, json, number } from '../../../platform/postgres/composed.ts'
import * as statements from './queries.sql.ts'

export interface NewJob {
  professionalId: string
  serviceId: string | null
  quoteId: string
  amountCents: number
  units: number | null
}

/** The pro's jobs, newest first. */
export async function listJobs(
  ctx: Ctx,
  { professionalId, status, ...page }: { professionalId: string } & JobsQuery,
): Promise<{ total: number; items: Job[] }> {
  const { limit, offset } = pageOf(page)
  const [row] = await composed(
    ctx.read,
    'listJobs',
    { total: number, items: json<Job[]>() },
    (sql) => sql`
      with page as (
        select * from jobs
        where professional_id = ${professionalId} and ${status ? sql`status = ${status}` : sql`true`}
        order by created_at desc, id desc limit ${limit} offset ${offset})
      select count_of_pro(${professionalId}, 'job', ${status ?? null})::int as total,
        (select coalesce(json_agg(job_object(page::jobs) order by created_at desc, id desc), '[]') from page) as items`,
  )
  return row ?? { total: 0, items: [] }
}

/** A job of the pro. */
export async function findJob(
  ctx: Ctx,
  { professionalId, id }: { professionalId: string; id: string },
): Promise<Job | undefined> {
  const row = await statements.findJob<{ job: Job }>(ctx, { id, professionalId })
  return row?.job
}

/** The job of a quote or visit, locked until the transaction ends. */
export const lockJobOf = (
  ctx: TxCtx,
  of: { quoteId: string } | { bookingId: string },
): Promise<{ id: string; status: JobState; hasVisit: boolean } | undefined> =>
  'quoteId' in of ? statements.lockJobOfQuote(ctx, of) : statements.lockJobOfBooking(ctx, of)

export interface EndedJob {
  id: string
  by: 'customer' | 'pro'
  reason: string | null
  now: Date
}

interface Move {
  id: string
  status: JobState
  now: Date
  amountCents: number | null
  reason: string | null
}

/** Saves a state with its time. */
export async function saveJobState(ctx: TxCtx, { id, status, now, amountCents, reason }: Move): Promise<void> {
  const at = now.toISOString()
  await statements.saveJobState(ctx, { status, amountCents, at, reason, id })
}
