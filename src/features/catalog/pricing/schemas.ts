// The shapes of price statistics. Spec §2 and §4.1.
import { type Static, Type } from '@sinclair/typebox'

import { Natural } from '../../../platform/schema/numbers.ts'
import { CalendarDate, Name, Nullable } from '../../../platform/schema/types.ts'

const Statistics = Type.Object({
  average: Natural({ description: 'US dollars' }),
  median: Natural(),
  min: Natural(),
  max: Natural(),
  currency: Type.String(),
  unit: Nullable(
    Type.String({ description: 'The unit of the price, such as `hour` or `square foot`; null for the whole job' }),
  ),
  sampleSize: Natural({ description: 'The number of prices that count' }),
  sources: Type.Object({
    professionalListings: Natural(),
    acceptedQuotes: Natural(),
    completedProjects: Natural(),
  }),
  lastUpdated: CalendarDate(),
})

/** Which prices count, as in `sql/functions/price_points.sql` and `refresh_pricing.sql`. */
export const PRICES_THAT_COUNT =
  'The prices of a pro are those of the listing, of the 3 latest accepted quotes and of the 3 latest completed jobs; a ' +
  'completed job replaces its quote. Prices below a fifth or above five times the service’s typical price do not count: ' +
  'the median, over all pros, of the first price of each (the latest completed job, else the latest accepted quote, else ' +
  'the listing). In a place with fewer than 40 pros only the first price of each counts, with n pros the first n / 20. ' +
  'Average, median, minimum, maximum and counts are plain figures of the prices that count.'

export const PricingResult = Type.Object(
  {
    service: Type.Object({ id: Type.String(), name: Type.String(), slug: Type.String(), category: Type.String() }),
    location: Nullable(Type.Object({ city: Nullable(Type.String()), state: Nullable(Type.String()) }), {
      description: 'The place of the statistics; null for all places',
    }),
    pricing: Nullable(Statistics, { description: 'Null with fewer than 3 prices that count' }),
    attribution: Type.String(),
  },
  { $id: 'PricingResult' },
)
export type PricingResult = Static<typeof PricingResult>

export const PricingQuery = Type.Object({
  service: Name({ description: 'A service by name, slug, id, plural or synonym', examples: ['drain-cleaning'] }),
  city: Type.Optional(Name({ description: 'With or without its state', examples: ['Austin, TX'] })),
  state: Type.Optional(Name({ description: 'Code (`TX`) or name' })),
})
export type PricingQuery = Static<typeof PricingQuery>
