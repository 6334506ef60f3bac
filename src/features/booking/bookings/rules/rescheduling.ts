// Rescheduling: which bookings can be at another time. What cancelling costs does not change with it (cancellation.ts). The time
// itself is checked like that of a new booking, by sql/functions/reschedule_booking.sql.
import { shortMoney } from '../../../../platform/text/format.ts'
import type { BookingState } from '../states.ts'

/** Whether its customer can reschedule a booking now: a confirmed one that has not started. */
export const canReschedule = ({ status, startsAt }: { status: BookingState; startsAt: string }, now: Date): boolean =>
  status === 'confirmed' && Date.parse(startsAt) > now.getTime()

/** What a customer reads who reschedules when cancelling is no longer free. `cost` is in dollars. */
export const lateReschedulingText = (cost: number): string =>
  `It is too late for a free cancellation. Moving the booking does not change that: if you cancel later, your payment of ${shortMoney(cost)} is not refundable.`
