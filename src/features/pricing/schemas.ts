// The shapes of price statistics. Spec §2 and §4.1.
import { type Static, Type } from '@sinclair/typebox'

import { CalendarDate, Name, Nullable } from '../../platform/schema/types.ts'

const Statistics = Type.Object({
  average: Type.Integer({ description: 'US dollars' }),
  median: Type.Integer(),
  min: Type.Integer(),
  max: Type.Integer(),
  currency: Type.String(),
  unit: Nullable(
    Type.String({ description: 'The unit of the price, such as `hour` or `square foot`; null for the whole job' }),
  ),
  sampleSize: Type.Integer({ description: 'The number of prices in the statistics' }),
  sources: Type.Object({
    professionalListings: Type.Integer(),
    acceptedQuotes: Type.Integer(),
    completedProjects: Type.Integer(),
  }),
  lastUpdated: CalendarDate(),
})

export const PricingResult = Type.Object(
  {
    service: Type.Object({ id: Type.String(), name: Type.String(), slug: Type.String(), category: Type.String() }),
    location: Nullable(Type.Object({ city: Nullable(Type.String()), state: Nullable(Type.String()) }), {
      description: 'The place of the statistics; null for all places',
    }),
    pricing: Nullable(Statistics, { description: 'Null with fewer than 3 prices' }),
    attribution: Type.String(),
  },
  { $id: 'PricingResult' },
)
export type PricingResult = Static<typeof PricingResult>

export const PricingQuery = Type.Object({
  service: Name({ description: 'A service by name, slug or id', examples: ['drain-cleaning'] }),
  city: Type.Optional(Name()),
  state: Type.Optional(Name({ description: 'Code (`TX`) or name' })),
})
export type PricingQuery = Static<typeof PricingQuery>
