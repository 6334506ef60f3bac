// A pro confirms, rejects, completes or assigns a booking.
import type { Deps } from '../../../deps.ts'
import { AppError, invalidField } from '../../../errors/app-error.ts'
import { tryRefund } from '../../../payments/verbs.ts'
import type { Transaction } from '../../../platform/postgres/database.ts'
import { lockActiveMember } from '../../members/verbs.ts'
import { saveAssignment } from '../queries/changes.ts'
import type { ProAction, ProBookingChanged } from '../schemas.ts'
import { getProBooking } from './find-booking.ts'
import { checkAction, endBooking, getBookingForUpdate, moveBooking } from './transitions.ts'

/**
 * Confirms, rejects, completes or assigns a booking, or marks a no-show. Rejecting refunds the payment. Throws
 * booking_not_found, member_not_found, validation_failed (assign without a member), and invalid_transition for an action
 * that does not fit the state or the time.
 */
export async function actOnBooking(
  deps: Deps,
  professionalId: string,
  id: string,
  { action, reason, assignToMemberId }: ProAction,
): Promise<ProBookingChanged> {
  if (action === 'assign') {
    if (assignToMemberId === undefined) throw invalidField('body.assignToMemberId', 'is required with assign')
    await deps.write.begin('assignBooking', (tx) => assign(tx, deps, professionalId, id, assignToMemberId))
  } else {
    const refundId = await deps.write.begin('actOnBooking', async (tx) => {
      const booking = await getBookingForUpdate(tx, { professionalId }, id, deps.clock.now())
      if (action === 'reject')
        return await endBooking(tx, deps, booking, action, { reason: reason ?? null, refund: 'rejected' })
      await moveBooking(tx, deps, booking, action)
      return undefined
    })
    await tryRefund(deps, refundId)
  }
  return { success: true, booking: await getProBooking({ ...deps, read: deps.write }, professionalId, id) }
}

/** Locks the member before the booking, in the same order as removing a member. */
async function assign(tx: Transaction, { clock }: Deps, professionalId: string, id: string, memberId: string) {
  const isMember = await lockActiveMember(tx, professionalId, memberId)
  const booking = await getBookingForUpdate(tx, { professionalId }, id, clock.now())
  checkAction(booking, 'assign', clock.now())
  if (!isMember) throw new AppError('member_not_found', 'Your team has no active member with this id.')
  await saveAssignment(tx, id, memberId)
}
