// The shapes of price statistics. Spec §2 and §4.1.
import { MIN_PRICES } from './rules/price-eligibility.ts'
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

export const PricingResult = Type.Object(
  {
    service: Type.Object({ id: Type.String(), name: Type.String(), slug: Type.String(), category: Type.String() }),
    location: Nullable(Type.Object({ city: Nullable(Type.String()), state: Nullable(Type.String()) }), {
      description: 'The place of the statistics; null for all places',
    }),
    pricing: Nullable(Statistics, { description: `Null with fewer than ${MIN_PRICES} prices that count` }),
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
