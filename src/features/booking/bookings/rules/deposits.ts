// A deposit: a share of the price that is paid in advance, and what is due then. The database computes it for offers, bookings and
// quotes: `payable_share` and `deposit_for` in sql/functions/bookable.sql. From the booking on, its balance says what is due
// (sql/functions/balance.sql).
import { MINIMUM_PAYMENT_CENTS, fromCents, isWholeCents, toCents } from '../../../../platform/schema/money.ts'
import type { Booking } from '../schemas.ts'

/** A smaller deposit is not asked: the payment provider would not take it. */
export const MINIMUM_DEPOSIT_CENTS = MINIMUM_PAYMENT_CENTS

/** What pros read beside the setting of a deposit. */
export const SMALL_DEPOSITS = `A deposit of less than $${fromCents(MINIMUM_DEPOSIT_CENTS).toFixed(2)} is not asked: nothing is paid in advance then.`

/**
 * What is wrong with the percentage of a deposit; undefined if nothing is. A deposit is always a percentage, because a deposit of
 * unknown amount cannot be paid.
 */
export function percentageProblem(isRequired: boolean, percentage: number | null): string | undefined {
  if (percentage === null) return isRequired ? 'is required with depositRequired: true' : undefined
  if (!isRequired) return 'is allowed only with depositRequired: true'
  return isWholeCents(percentage) ? undefined : 'must have at most 2 decimals'
}

interface Offer {
  price: Booking['price']
  /** Of the price, paid when booking. Null where the price is not known: the service cannot be booked. */
  deposit: number | null
  /** Besides the price, paid when booking. */
  fee: number
}

/** What a booking of an offer will cost, in dollars. `dueAtVisit` is null for a price that is not known to the cent. */
export function offerSums({ price, deposit, fee }: Offer): { dueNow: number; dueAtVisit: number | null } {
  const { type, basePrice, min, max } = price
  const depositCents = toCents(deposit ?? 0)
  const isExact = type === 'flat' && basePrice !== null && min === null && max === null
  return {
    dueNow: fromCents(depositCents + toCents(fee)),
    dueAtVisit: isExact ? fromCents(toCents(basePrice) - depositCents) : null,
  }
}
