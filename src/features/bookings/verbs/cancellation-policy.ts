// Until when a customer cancels for free: agreed when the booking is made, and kept with it.
import type { Booking } from '../schemas.ts'

/** The hours before the start that new bookings agree to (design §7). */
export const FREE_CANCELLATION_HOURS = 24

/** The policy of new bookings. */
export const newCancellationPolicy = (): string => policyFor(FREE_CANCELLATION_HOURS)

/** The policy of a booking, in words. */
export const cancellationPolicyOf = ({
  freeCancellationHours,
  freeCancellationUntil,
}: Pick<Booking, 'freeCancellationHours' | 'freeCancellationUntil'>): string =>
  freeCancellationUntil === null
    ? 'Cancelling keeps the payment, because the booking was moved after its free cancellation had ended.'
    : policyFor(freeCancellationHours)

const policyFor = (hours: number): string =>
  `Free cancellation until ${hours === 0 ? '' : `${hours} ${hours === 1 ? 'hour' : 'hours'} before `}the start. After that, the payment is kept, even if the booking is then moved.`
