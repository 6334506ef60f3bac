// The number of future bookings that one customer may have with a pro without payment or the pro’s approval. The operator
// sets it with MAX_UNPAID_BOOKINGS. The database counts them when it reserves a time: `is_unpaid` and `reservation_limit` in
// sql/functions/reserve_slot.sql.
import type { AddressProof } from '../../../../auth/address-proof.ts'
import type { Config } from '../../../../config.ts'

/** The limit for a booking. A server key answers for its customers, and their addresses count as vouched for. */
export const maxUnpaid = ({ maxUnpaidBookings }: Config, addressProof: AddressProof): number =>
  maxUnpaidBookings[addressProof === 'vouched' ? 'ofServers' : 'ofOthers']

/** Why a customer at the limit cannot book, and what to do. */
export const TOO_MANY_UNPAID =
  'This customer has too many unpaid bookings with this pro. Pay for one of them or cancel one, then book again.'
