// Mutants of what is said of prices, times and terms.
import type { Mutant } from './mutant.ts'

const SAID = 'test/features/booking/bookings/said-everywhere.test.ts'

export const SAID_EVERYWHERE: readonly Mutant[] = [
  {
    guarantee: 'The lowest price is that of the range, not its middle.',
    file: 'sql/functions/price.sql',
    from: 'coalesce(min_cents, base_cents)',
    to: 'coalesce(base_cents, min_cents)',
    killedBy: SAID,
  },
  {
    guarantee: 'A total includes the fee that the booking takes.',
    file: 'src/platform/schema/price.ts',
    from: 'fromCents(toCents(price.total) + toCents(fee))',
    to: 'fee < 0 ? fromCents(toCents(fee)) : price.total',
    killedBy: SAID,
  },
  {
    guarantee: 'Agents that search are told the price with the fee.',
    file: 'src/mcp/customer/brief-price.ts',
    from: 'withFee(pricing, bookable ? bookingFee : 0)',
    to: 'withFee(pricing, bookable ? 0 : bookingFee - bookingFee)',
    killedBy: 'test/mcp/customer.test.ts',
  },
  {
    guarantee: 'A package does not take the price of an hour.',
    file: 'src/features/business/packages/verbs/offer-package.ts',
    from: "offer.priceType === 'flat' ? offer.basePrice : null",
    to: "offer.priceType === '' ? null : offer.basePrice",
    killedBy: 'test/features/business/offers/offers.test.ts',
  },
  {
    guarantee: 'The words of a time are on the clock of the visit.',
    file: 'sql/functions/time_zones.sql',
    from: "instant at time zone zone, 'FMDay",
    to: "instant at time zone 'UTC', 'FMDay",
    killedBy: SAID,
  },
  {
    guarantee: 'A time whose free cancellation is over says so.',
    file: 'sql/functions/open_slots.sql',
    from: 'when free.until < as_of then',
    to: 'when as_of is null then',
    killedBy: 'test/features/calendar/availability/availability.test.ts',
  },
  {
    guarantee: 'The answer to a booking says whether cancelling it is free.',
    file: 'src/features/booking/bookings/rules/cancellation.ts',
    from: 'Date.parse(until) >= madeAt',
    to: 'madeAt >= 0',
    killedBy: SAID,
  },
]
