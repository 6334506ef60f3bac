// What a pro does with a booking.
import type { Deps } from '../../../deps.ts'
import { AppError, invalidField } from '../../../errors/app-error.ts'
import type { Transaction } from '../../../platform/postgres/database.ts'
import { lockActiveMember } from '../../members/verbs.ts'
import { closePayment, settleSoon } from '../../../payments/verbs.ts'
import type { ProAction, ProBookingChanged } from '../schemas.ts'
import { checkAction, getBookingForUpdate, moveBooking } from './transitions.ts'
import { saveAssignment } from '../queries/changes.ts'
import { getProBooking } from './reserve.ts'

/**
 * Confirms, rejects, completes, gives to a member, or marks that nobody was there. What was paid for a rejected booking is
 * given back. Throws booking_not_found, member_not_found, validation_failed (assign without a member), and
 * invalid_transition for an action that does not fit the state or the time.
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
      await moveBooking(tx, deps, booking, action, reason ?? null)
      return action === 'reject' ? await closePayment(tx, deps, id, { reason: 'rejected', keep: false }) : undefined
    })
    await settleSoon(deps, refundId)
  }
  return { success: true, booking: await getProBooking({ ...deps, read: deps.write }, professionalId, id) }
}

/** The member first, then the booking: who removes a member takes them in the same order. */
async function assign(tx: Transaction, { clock }: Deps, professionalId: string, id: string, memberId: string) {
  const member = await lockActiveMember(tx, professionalId, memberId)
  const booking = await getBookingForUpdate(tx, { professionalId }, id, clock.now())
  checkAction(booking, 'assign', clock.now())
  if (!member) throw new AppError('member_not_found', 'No active member of your team has this id.')
  await saveAssignment(tx, id, memberId)
}
