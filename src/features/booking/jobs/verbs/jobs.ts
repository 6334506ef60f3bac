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

/** The pro's jobs. */
export async function listJobs(ctx: Ctx<{ professionalId: string }>, query: JobsQuery): Promise<JobList> {
  const { total, items } = await selectJobs(ctx, { ...query, professionalId: ctx.actor.professionalId })
  return { jobs: items, meta: pageMeta(total, query) }
}

/** A job of the pro. Throws job_not_found. */
export async function getJob(ctx: Ctx<{ professionalId: string }>, { id }: { id: string }): Promise<Job> {
  const job = await findJob(ctx, { professionalId: ctx.actor.professionalId, id })
  if (!job) throw jobNotFound()
  return job
}

/** The same for a job that does not exist and another pro's. */
export const jobNotFound = () => new AppError('job_not_found', 'You have no job with this id.')
