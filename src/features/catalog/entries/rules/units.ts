// The units of prices: a price per hour has the unit "hour", a price for the visit no unit, and a price per unit names its own.
import type { PriceType } from '../schemas.ts'

/** The unit that every price of this kind has; null for prices without a unit, and for those that name their own. */
export const unitOf = (priceType: PriceType | undefined): string | null => (priceType === 'hourly' ? 'hour' : null)
