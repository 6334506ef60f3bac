// A pro confirms, rejects, cancels, completes or assigns a booking, or proposes another time.
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import { AppError, invalidField } from '../../../../errors/app-error.ts'
import { runIdempotently } from '../../../../idempotency/verbs.ts'
import { tryRefund } from '../../../../payments/verbs/refunds.ts'
import { lockActiveMember } from '../../../business/members/verbs/team.ts'
import { saveAssignment } from '../queries/changes.sql.ts'
import type { ProAction, ProBookingChanged } from '../action-schemas.ts'
import { mayTake } from '../rules/worker-actions.ts'
import { lockJobOfVisit } from '../../jobs/verbs/end-job.ts'
import { getProBooking } from './find-booking.ts'
import { proposeTime } from './proposed-times.ts'
import { checkAction, endBooking, getBookingForUpdate, transitionBooking } from './transitions.ts'

/**
 * Confirms, rejects, cancels, completes or assigns a booking, marks a no-show, or proposes another time. Rejecting and
 * cancelling refund the payment at any time. Throws
 * booking_not_found, member_not_found, validation_failed (assign without a member, cancel without a reason), and invalid_transition for an action
 * that does not fit the state or the time. A worker acts on visits of their own: booking_not_found for others, role_not_allowed for what
 * dispatchers do.
 */
export async function actOnBooking(
  ctx: Ctx<{ accountId: string; professionalId: string; onlyMemberId?: string | null }>,
  { id, ...input }: { id: string } & ProAction,
): Promise<ProBookingChanged> {
  const { professionalId, onlyMemberId = null } = ctx.actor
  const own = { professionalId, onlyMemberId, id }
  if (onlyMemberId !== null) await getProBooking(ctx, own)
  if (!mayTake(onlyMemberId, input.action))
    throw new AppError('role_not_allowed', 'Workers mark their visits as completed. A dispatcher does the rest.')
  const operation = { accountId: ctx.actor.accountId, operation: 'actOnBooking', request: { id, ...input } }
  const value = await runIdempotently(ctx, operation, async (ctx) => {
    const refundId = await act(ctx, professionalId, id, input)
    // Undoes the act when the visit was assigned to another member meanwhile.
    return { refundId, booking: await getProBooking(ctx, own) }
  })
  await tryRefund(ctx, { refundId: value.refundId })
  // A cancelled booking does not change, so a replay reads the same; only its refund proceeds.
  const booking = value.refundId === undefined ? value.booking : await getProBooking(ctx, own)
  return { success: true, booking }
}

/** Returns the id of the refund that the action makes due, if any. */
async function act(ctx: TxCtx, professionalId: string, id: string, input: ProAction) {
  const { action, reason = null, assignToMemberId } = input
  if (action === 'assign') {
    await assign(ctx, professionalId, id, assignToMemberId)
    return undefined
  }
  if (action === 'propose') {
    await proposeTime(ctx, { ...input, professionalId, id })
    return undefined
  }
  if (action === 'cancel' && (reason ?? '').trim() === '') throw invalidField('body.reason', 'is required with cancel')
  await lockJobOfVisit(ctx, { bookingId: id })
  const booking = await getBookingForUpdate(ctx, { access: { professionalId }, id, now: ctx.clock.now() })
  if (action === 'reject') return await endBooking(ctx, { reason, refund: 'rejected', booking, action })
  if (action === 'cancel') return await endBooking(ctx, { reason, refund: 'cancelled', by: 'pro', booking, action })
  // A missed first visit of a job costs what a late cancellation costs.
  if (action === 'no_show' && booking.jobId !== null)
    return await endBooking(ctx, { reason: MISSED, refund: 'cancelled', keep: true, booking, action })
  await transitionBooking(ctx, { booking, action })
  return undefined
}

/** Locks the member before the booking, in the same order as removing a member. */
async function assign(ctx: TxCtx, professionalId: string, id: string, memberId?: string) {
  if (memberId === undefined) throw invalidField('body.assignToMemberId', 'is required with assign')
  const isMember = await lockActiveMember(ctx, { professionalId, id: memberId })
  const booking = await getBookingForUpdate(ctx, { access: { professionalId }, id, now: ctx.clock.now() })
  checkAction(booking, 'assign', ctx.clock.now())
  if (!isMember) throw new AppError('member_not_found', 'Your team has no active member with this id.')
  await saveAssignment(ctx, { id, memberId })
}

/** Why the job of a missed visit ended. */
const MISSED = 'The customer missed the visit.'
