// Jobs: created when a quote is accepted, listed and read by the pro.
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { Transaction } from '../../../platform/postgres/database.ts'
import { pageMeta } from '../../../platform/schema/paging.ts'
import { type NewJob, findJob, insertJob, listJobs as selectJobs } from '../queries.ts'
import type { Job, JobList, JobsQuery } from '../schemas.ts'

/** Creates the job of an accepted quote, in the same transaction. */
export const createJob = ({ clock, ids }: Pick<Deps, 'clock' | 'ids'>, tx: Transaction, job: NewJob): Promise<void> =>
  insertJob(tx, { ...job, id: ids.uuid(), now: clock.now() })

/** The pro's jobs. */
export async function listJobs(
  { read }: Deps,
  { professionalId }: { professionalId: string },
  query: JobsQuery,
): Promise<JobList> {
  const { total, items } = await selectJobs(read, professionalId, query)
  return { jobs: items, meta: pageMeta(total, query) }
}

/** A job of the pro. Throws job_not_found. */
export async function getJob({ read }: Deps, { professionalId }: { professionalId: string }, id: string): Promise<Job> {
  const job = await findJob(read, professionalId, id)
  if (!job) throw jobNotFound()
  return job
}

/** The same for a job that does not exist and another pro's. */
export const jobNotFound = () => new AppError('job_not_found', 'You have no job with this id.')
