// What holds for bookings, quotes, searches and pros from now on: what the environment sets, and otherwise what operators
// chose. Bookings and quotes keep what they were made with.
import type { Config } from '../../../../config.ts'
import { invalidField } from '../../../../errors/app-error.ts'
import { isWholeCents } from '../../../../platform/schema/money.ts'
import type { Marketplace, MarketplaceDefaults } from '../schemas.ts'

export interface Defaults extends Omit<MarketplaceDefaults, 'holdMinutes'> {
  readonly holdSeconds: number
}

type Environment = Pick<Config, 'instantBookingFeeCents' | 'bookingHoldSeconds'>

export const defaultsIn = (
  { instantBookingFeeCents, bookingHoldSeconds }: Environment,
  { radiusMiles, feeCents, minDepositPercentage, maxDepositPercentage, freeCancellationHours, ...chosen }: Marketplace,
): Defaults => ({
  radiusMiles,
  feeCents: instantBookingFeeCents ?? feeCents,
  minDepositPercentage,
  maxDepositPercentage,
  freeCancellationHours,
  holdSeconds: bookingHoldSeconds ?? chosen.holdMinutes * 60,
  prosMayJoin: chosen.prosMayJoin,
  reviewPolicy: chosen.reviewPolicy,
  operatorsNeedFactor: chosen.operatorsNeedFactor,
})

/** When reviews are published, as people read it. */
export const reviewPolicyText = ({ reviewPolicy }: Pick<Defaults, 'reviewPolicy'>): string =>
  reviewPolicy === 'read_first'
    ? 'A moderator reads each review before it is published.'
    : 'A verified review is published at once. A moderator reads each other review before it is published.'

/** The variables of the environment that set a default, by its name. What operators choose has no effect while one is set. */
export const setByEnvironment = ({
  instantBookingFeeCents,
  bookingHoldSeconds,
}: Environment): { readonly [Name in keyof MarketplaceDefaults]?: string } => ({
  ...(instantBookingFeeCents !== undefined && { feeCents: 'INSTANT_BOOKING_FEE_CENTS' }),
  ...(bookingHoldSeconds !== undefined && { holdMinutes: 'BOOKING_HOLD_SECONDS' }),
})

/** Throws validation_failed for limits of deposits that contradict each other, and for percentages with more than two decimals. */
export function requireDefaults({ minDepositPercentage, maxDepositPercentage }: MarketplaceDefaults): void {
  for (const [name, percentage] of Object.entries({ minDepositPercentage, maxDepositPercentage }))
    if (!isWholeCents(percentage)) throw invalidField(name, 'must have at most 2 decimals')
  if (maxDepositPercentage < minDepositPercentage)
    throw invalidField('maxDepositPercentage', `must be ${minDepositPercentage} or more, the smallest deposit`)
}
