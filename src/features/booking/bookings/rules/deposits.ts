// A deposit: a share of the price that is paid in advance, and what is due then. The database computes it for offers, bookings and
// quotes: `payable_share` and `deposit_for` in sql/functions/bookable.sql. From the booking on, its balance says what is due
// (sql/functions/balance.sql).
import { MINIMUM_PAYMENT_CENTS, fromCents, isWholeCents, toCents } from '../../../../platform/schema/money.ts'
import { type Price, withFee } from '../../../../platform/schema/price.ts'

/** A smaller deposit is not asked: the payment provider would not take it. */
export const MINIMUM_DEPOSIT_CENTS = MINIMUM_PAYMENT_CENTS

/** What the marketplace lets pros ask for, in percent of the price. What was set before the limits changed stays. */
export interface DepositLimits {
  readonly minDepositPercentage: number
  readonly maxDepositPercentage: number
}

/** What is wrong with a percentage that a pro sets or asks for in a quote now; undefined if nothing is. */
export const limitProblem = (
  percentage: number | null,
  { minDepositPercentage: min, maxDepositPercentage: max }: DepositLimits,
): string | undefined =>
  percentage === null || (percentage >= min && percentage <= max)
    ? undefined
    : `must be ${min === max ? `${min}%` : `from ${min}% to ${max}%`} of the price, which this marketplace lets pros ask for`

/** The limits beside a field: "From 10 to 50." Nothing where any percentage is allowed. */
export const limitHint = ({ minDepositPercentage: min, maxDepositPercentage: max }: DepositLimits): string =>
  min <= SMALLEST_PERCENTAGE && max === 100 ? '' : min === max ? `Always ${min}.` : `From ${min} to ${max}.`

const SMALLEST_PERCENTAGE = 0.01

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
  /** Without the fee. */
  price: Price
  /** Of the price, paid when booking. Null where the price is not known: the service cannot be booked. */
  deposit: number | null
  /** Besides the price, paid when booking. */
  fee: number
}

/** What a booking of an offer costs, in dollars: `price.total` is what is due now and at the visit. */
export interface OfferSums {
  /** With the fee. */
  price: Price
  /** Null where the service cannot be booked because its deposit is not known. */
  dueNow: number | null
  /** Null while the price is not known to the cent. */
  dueAtVisit: number | null
}

export function offerSums({ price, deposit, fee }: Offer): OfferSums {
  const dueCents = deposit === null ? null : toCents(deposit) + toCents(fee)
  const agreed = withFee(price, fee)
  return {
    price: agreed,
    dueNow: dueCents === null ? null : fromCents(dueCents),
    dueAtVisit: agreed.total === null || dueCents === null ? null : fromCents(toCents(agreed.total) - dueCents),
  }
}
