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

/** The pro, and the member whose jobs alone are read; null for all. */
interface OfPro {
  professionalId: string
  onlyMemberId: string | null
}

/** The pro's jobs, newest first. */
export async function listJobs(
  ctx: Ctx,
  { professionalId, onlyMemberId, status, ...page }: OfPro & JobsQuery,
): Promise<{ total: number; items: Job[] }> {
  const { limit, offset } = pageOf(page)
  const [row] = await composed(ctx.read, 'listJobs', { total: number, items: json<Job[]>() }, (sql) => {
    const isMatching = sql`j.professional_id = ${professionalId} and ${status ? sql`j.status = ${status}` : sql`true`}
        and ${
          onlyMemberId === null
            ? sql`true`
            : sql`exists (select from bookings v where v.professional_id = j.professional_id
          and v.job_id = j.id and v.assigned_member_id = ${onlyMemberId})`
        }`
    const total =
      onlyMemberId === null
        ? sql`count_of_pro(${professionalId}, 'job', ${status ?? null})::int`
        : sql`(select count(*)::int from jobs j where ${isMatching})`
    return sql`
      with page as (
        select * from jobs j where ${isMatching} order by created_at desc, id desc limit ${limit} offset ${offset})
      select ${total} as total,
        (select coalesce(json_agg(job_object(page::jobs) order by created_at desc, id desc), '[]') from page) as items`
  })
  return row ?? { total: 0, items: [] }
}

/** A job of the pro; with `onlyMemberId` only one that has a visit of this member, with these visits alone. */
export async function findJob(ctx: Ctx, find: OfPro & { id: string }): Promise<Job | undefined> {
  const row = await statements.findJob<{ job: Job; ownVisits: string[] }>(ctx, find)
  if (!row || find.onlyMemberId === null) return row?.job
  const own = new Set(row.ownVisits)
  return { ...row.job, visits: row.job.visits.filter(({ id }) => own.has(id)) }
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
