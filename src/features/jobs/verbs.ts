// Jobs: created when a quote is accepted; started, completed and cancelled by the pro.
import type { Deps } from '../../deps.ts'
import { AppError, invalidField } from '../../errors/app-error.ts'
import type { IdempotencyContext, IdempotentResult } from '../../idempotency/context.ts'
import { runIdempotently } from '../../idempotency/verbs.ts'
import type { Transaction } from '../../platform/postgres/database.ts'
import { closePayment, tryRefund } from '../../payments/verbs.ts'
import { pageMeta } from '../../platform/schema/paging.ts'
import { isWholeCents, toCents } from '../../platform/schema/money.ts'
import { transition } from '../../errors/transition.ts'
import type { Job, JobList, JobMove, JobsQuery } from './schemas.ts'
import { type NewJob, findJob, insertJob, listJobs as selectJobs, lockJob, saveJobState } from './queries.ts'
import { JOB } from './states.ts'

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

/**
 * Starts, completes or cancels a job. A completed job counts in the price statistics; cancelling refunds the quote's deposit.
 * Jobs have no events (spec §6). Throws
 * job_not_found, invalid_transition, and validation_failed for a `finalAmount` without `complete` or a `reason` without
 * `cancel`.
 */
export async function moveJob(
  deps: Deps,
  { accountId, professionalId }: { accountId: string; professionalId: string },
  id: string,
  move: JobMove,
  idempotency?: IdempotencyContext,
): Promise<IdempotentResult<Job>> {
  const { action, finalAmount, reason } = move
  if (finalAmount !== undefined && action !== 'complete')
    throw invalidField('body.finalAmount', 'is allowed only with complete')
  if (finalAmount !== undefined && !isWholeCents(finalAmount))
    throw invalidField('body.finalAmount', 'must be in whole cents')
  if (reason !== undefined && action !== 'cancel') throw invalidField('body.reason', 'is allowed only with cancel')
  const request = { accountId, operation: 'moveJob', request: { id, ...move } }
  const { value, replayed } = await runIdempotently(deps, idempotency, request, async (tx) => {
    const job = await lockJob(tx, professionalId, id)
    if (!job) throw jobNotFound()
    const status = transition(JOB, 'job', job.status, action)
    const amountCents = finalAmount === undefined ? null : toCents(finalAmount)
    const refundId =
      action === 'cancel' && job.quoteId !== null
        ? await closePayment(tx, deps, { quoteId: job.quoteId }, { reason: 'cancelled' })
        : undefined
    await saveJobState(tx, { id, status, now: deps.clock.now(), amountCents, reason: reason ?? null })
    const moved = await findJob(tx, professionalId, id)
    if (!moved) throw jobNotFound()
    return { moved, refundId }
  })
  await tryRefund(deps, value.refundId)
  return { value: value.moved, replayed }
}

/** The same for a job that does not exist and another pro's. */
const jobNotFound = () => new AppError('job_not_found', 'You have no job with this id.')
