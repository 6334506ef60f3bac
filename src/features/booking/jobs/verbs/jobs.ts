// Jobs: created when a quote is accepted, listed and read by the pro.
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { pageMeta } from '../../../../platform/schema/paging.ts'
import { type NewJob, findJob, listJobs as selectJobs } from '../queries.ts'
import { insertJob } from '../queries.sql.ts'
import type { Job, JobList, JobsQuery } from '../schemas.ts'

/** Creates the job of an accepted quote, in the same transaction. */
export const createJob = (ctx: TxCtx, job: NewJob): Promise<void> =>
  insertJob(ctx, { ...job, id: ctx.ids.uuid(), now: ctx.clock.now() })

/** Who sees the jobs of a pro. A worker sees those with a visit of this member alone. */
export interface JobReader {
  readonly professionalId: string
  readonly onlyMemberId?: string | null
}

const of = ({ professionalId, onlyMemberId = null }: JobReader) => ({ professionalId, onlyMemberId })

/** The pro's jobs. */
export async function listJobs(ctx: Ctx<JobReader>, query: JobsQuery): Promise<JobList> {
  const { total, items } = await selectJobs(ctx, { ...query, ...of(ctx.actor) })
  return { jobs: items, meta: pageMeta(total, query) }
}

/** A job of the pro. Throws job_not_found. */
export async function getJob(ctx: Ctx<JobReader>, { id }: { id: string }): Promise<Job> {
  const job = await findJob(ctx, { ...of(ctx.actor), id })
  if (!job) throw jobNotFound()
  return job
}

/** The same for a job that does not exist and another pro's. */
export const jobNotFound = () => new AppError('job_not_found', 'You have no job with this id.')
