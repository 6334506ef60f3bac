// A pro confirms, rejects, cancels, completes or assigns a booking, or proposes another time.
import type { Deps } from '../../../deps.ts'
import { AppError, invalidField } from '../../../errors/app-error.ts'
import type { IdempotencyContext, IdempotentResult } from '../../../idempotency/context.ts'
import { runIdempotently } from '../../../idempotency/verbs.ts'
import { tryRefund } from '../../../payments/verbs/refunds.ts'
import type { Transaction } from '../../../platform/postgres/database.ts'
import { lockActiveMember } from '../../members/verbs.ts'
import { saveAssignment } from '../queries/changes.ts'
import type { ProAction, ProBookingChanged } from '../action-schemas.ts'
import { lockJobOfVisit } from '../../jobs/verbs/end-job.ts'
import { getProBooking } from './find-booking.ts'
import { proposeTime } from './proposed-times.ts'
import { checkAction, endBooking, getBookingForUpdate, moveBooking } from './transitions.ts'

/**
 * Confirms, rejects, cancels, completes or assigns a booking, marks a no-show, or proposes another time. Rejecting and
 * cancelling refund the payment at any time. Throws
 * booking_not_found, member_not_found, validation_failed (assign without a member, cancel without a reason), and invalid_transition for an action
 * that does not fit the state or the time.
 */
export async function actOnBooking(
  deps: Deps,
  { accountId, professionalId }: { accountId: string; professionalId: string },
  id: string,
  input: ProAction,
  idempotency?: IdempotencyContext,
): Promise<IdempotentResult<ProBookingChanged>> {
  const operation = { accountId, operation: 'actOnBooking', request: { id, ...input } }
  const { value, replayed } = await runIdempotently(deps, idempotency, operation, async (tx) => {
    const refundId = await act(tx, deps, professionalId, id, input)
    return { refundId, booking: await getProBooking({ ...deps, read: tx }, professionalId, id) }
  })
  await tryRefund(deps, value.refundId)
  // A cancelled booking does not change, so a replay reads the same; only its refund proceeds.
  const booking = value.refundId === undefined ? value.booking : await getProBooking(deps, professionalId, id)
  return { value: { success: true, booking }, replayed }
}

/** Returns the id of the refund that the action makes due, if any. */
async function act(tx: Transaction, deps: Deps, professionalId: string, id: string, input: ProAction) {
  const { action, reason = null, assignToMemberId } = input
  if (action === 'assign') {
    await assign(tx, deps, professionalId, id, assignToMemberId)
    return undefined
  }
  if (action === 'propose') {
    await proposeTime(tx, deps, professionalId, id, input)
    return undefined
  }
  if (action === 'cancel' && (reason ?? '').trim() === '') throw invalidField('body.reason', 'is required with cancel')
  if (action === 'reject' || action === 'cancel' || action === 'no_show') await lockJobOfVisit(tx, id)
  const booking = await getBookingForUpdate(tx, { professionalId }, id, deps.clock.now())
  if (action === 'reject') return await endBooking(tx, deps, booking, action, { reason, refund: 'rejected' })
  if (action === 'cancel')
    return await endBooking(tx, deps, booking, action, { reason, refund: 'cancelled', by: 'pro' })
  // A missed visit of a job costs what a late cancellation costs.
  if (action === 'no_show' && booking.jobId !== null)
    return await endBooking(tx, deps, booking, action, { reason: MISSED, refund: 'cancelled', keep: true })
  await moveBooking(tx, deps, booking, action)
  return undefined
}

/** Locks the member before the booking, in the same order as removing a member. */
async function assign(tx: Transaction, { clock }: Deps, professionalId: string, id: string, memberId?: string) {
  if (memberId === undefined) throw invalidField('body.assignToMemberId', 'is required with assign')
  const isMember = await lockActiveMember(tx, professionalId, memberId)
  const booking = await getBookingForUpdate(tx, { professionalId }, id, clock.now())
  checkAction(booking, 'assign', clock.now())
  if (!isMember) throw new AppError('member_not_found', 'Your team has no active member with this id.')
  await saveAssignment(tx, id, memberId)
}

/** Why the job of a missed visit ended. */
const MISSED = 'The customer missed the visit.'
