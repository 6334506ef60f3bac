// What a booking of an offer will cost, before it is made. From then on its balance says so (sql/functions/balance.sql).
import { fromCents, toCents } from '../../../platform/schema/money.ts'
import type { Booking } from '../../booking/bookings/schemas.ts'

interface Offer {
  price: Booking['price']
  /** Of the price, paid when booking. Null where the price is not known: the service cannot be booked. */
  deposit: number | null
  /** Besides the price, paid when booking. */
  fee: number
}

/** In dollars. `dueAtVisit` is null for a price that is not known to the cent. */
export function offerSums({ price, deposit, fee }: Offer): { dueNow: number; dueAtVisit: number | null } {
  const { type, basePrice, min, max } = price
  const depositCents = toCents(deposit ?? 0)
  const isExact = type === 'flat' && basePrice !== null && min === null && max === null
  return {
    dueNow: fromCents(depositCents + toCents(fee)),
    dueAtVisit: isExact ? fromCents(toCents(basePrice) - depositCents) : null,
  }
}
