// How many bookings to come one customer may have with a pro that are neither paid nor approved by the pro. The operator sets the
// numbers by MAX_UNPAID_BOOKINGS. The database counts in the reservation: `is_unpaid` and `reservation_limit` in
// sql/functions/reserve_slot.sql.
import type { AddressProof } from '../../../../auth/address-proof.ts'
import type { Config } from '../../../../config.ts'

/** The limit for a booking. A server key answers for its customers, and their addresses count as vouched for. */
export const maxUnpaid = ({ maxUnpaidBookings }: Config, addressProof: AddressProof): number =>
  maxUnpaidBookings[addressProof === 'vouched' ? 'ofServers' : 'ofOthers']

/** Why a customer at the limit cannot book, and what to do. */
export const TOO_MANY_UNPAID =
  'This customer has as many unpaid bookings with this pro as are possible. Pay for one or cancel one first.'
