// Jobs: made when a quote is accepted; started, completed and cancelled by the pro.
import type { Deps } from '../../deps.ts'
import { AppError, invalidField } from '../../errors/app-error.ts'
import type { Transaction } from '../../platform/postgres/database.ts'
import { pageMeta } from '../../platform/schema/paging.ts'
import { isWholeCents, toCents } from '../quotes/money.ts'
import { transition } from '../../errors/transition.ts'
import type { Job, JobList, JobMove, JobsQuery } from './schemas.ts'
import { type NewJob, findJob, insertJob, listJobs as selectJobs, lockJob, saveJobState } from './queries.ts'
import { JOB } from './states.ts'

/** Makes the job of an accepted quote, in the transaction that accepts it. */
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

/** One of the pro's jobs. Throws job_not_found. */
export async function getJob({ read }: Deps, { professionalId }: { professionalId: string }, id: string): Promise<Job> {
  const job = await findJob(read, professionalId, id)
  if (!job) throw noSuchJob()
  return job
}

/**
 * Starts, completes or cancels a job. A completed one counts in the statistics of prices. No event tells of jobs (spec
 * §6 knows none). Throws job_not_found, invalid_transition, and validation_failed for a `finalAmount` without `complete`
 * or a `reason` without `cancel`.
 */
export async function moveJob(
  deps: Deps,
  { professionalId }: { professionalId: string },
  id: string,
  { action, finalAmount, reason }: JobMove,
): Promise<Job> {
  if (finalAmount !== undefined && action !== 'complete')
    throw invalidField('body.finalAmount', 'goes with complete only')
  if (finalAmount !== undefined && !isWholeCents(finalAmount))
    throw invalidField('body.finalAmount', 'must be in whole cents')
  if (reason !== undefined && action !== 'cancel') throw invalidField('body.reason', 'goes with cancel only')
  const moved = await deps.write.begin('moveJob', async (tx) => {
    const job = await lockJob(tx, professionalId, id)
    if (!job) throw noSuchJob()
    const status = transition(JOB, 'job', job.status, action)
    const amountCents = finalAmount === undefined ? null : toCents(finalAmount)
    await saveJobState(tx, { id, status, now: deps.clock.now(), amountCents, reason: reason ?? null })
    return await findJob(tx, professionalId, id)
  })
  if (!moved) throw noSuchJob()
  return moved
}

/** Also the answer for another pro's: whether that exists is not told. */
const noSuchJob = () => new AppError('job_not_found', 'None of your jobs has this id.')
