// Packages: services at a fixed price. The spec names the filters and a few fields; the rest is ours.
import { type Static, Type } from '@sinclair/typebox'

import { Decimal, Integer, Natural } from '../../../platform/schema/numbers.ts'
import { Price } from '../../../platform/schema/price.ts'
import { Instant, Name, Nullable, OneOf, QueryValue, Text } from '../../../platform/schema/types.ts'
import { PageMeta, pageParameters } from '../../../platform/schema/paging.ts'

/** How often the work is done. */
export const Cadence = OneOf(['once', 'weekly', 'biweekly', 'monthly', 'quarterly', 'yearly'])

/** A kind chosen by the pro, such as `standard`, `deep_clean` or `move_out`. */
export const PackageKind = Type.String({ pattern: '^[a-z][a-z0-9_]{0,39}$', examples: ['standard'] })

export const Package = Type.Object(
  {
    id: Type.String(),
    sku: Type.String({ description: 'Readable, unique, and stable for the life of the package' }),
    kind: Type.String(),
    name: Type.String(),
    description: Nullable(Type.String()),
    price: Type.Number({ description: 'Of the work, without the booking fee' }),
    currency: Type.String(),
    pricing: Price,
    includes: Type.Array(Type.String()),
    cadence: Cadence,
    durationMinutes: Natural(),
    bedrooms: Nullable(Natural({ description: 'Bedrooms of the home it is for; null for any home' })),
    bathrooms: Nullable(Type.Number()),
    bookable: Type.Boolean({ description: 'Whether it can be booked at once; if not, ask for a quote' }),
    location: Type.Object({ city: Type.String(), state: Type.String() }),
    service: Type.Object({ id: Type.String(), name: Type.String(), slug: Type.String() }),
    professional: Type.Object({
      id: Type.String(),
      slug: Type.String(),
      businessName: Type.String(),
      verified: Type.Boolean(),
      rating: Nullable(Type.Number()),
      reviewCount: Natural(),
      instantBookingEnabled: Type.Boolean(),
    }),
    updatedAt: Instant(),
  },
  { $id: 'Package' },
)
export type Package = Static<typeof Package>

export const PackagesPage = Type.Object(
  {
    packages: Type.Array(Package),
    meta: PageMeta,
  },
  { $id: 'PackagesPage' },
)
export type PackagesPage = Static<typeof PackagesPage>

/** The kinds that pros commonly choose. */
export const COMMON_KINDS = ['standard', 'deep_clean', 'move_out', 'maintenance'] as const

export const PackagesQuery = Type.Object({
  kind: Type.Optional(PackageKind),
  service: Type.Optional(
    Name({ description: 'A service: id, slug, name, plural or synonym', examples: ['house-cleaning'] }),
  ),
  location: Type.Optional(Name({ description: 'A city, `City, ST`, a ZIP code or a state', examples: ['Austin, TX'] })),
  bedrooms: Type.Optional(
    Integer({
      minimum: 0,
      maximum: 20,
      description: 'Packages for homes of this size, and packages for any home',
    }),
  ),
  maxPrice: QueryValue(Type.Optional(Decimal({ minimum: 0, maximum: 1_000_000, description: 'US dollars' }))),
  ...pageParameters,
})
export type PackagesQuery = Static<typeof PackagesQuery>

export const CompareQuery = Type.Object({
  ids: Text(400, {
    minLength: 1,
    description: 'Two to four different packages by id or sku, separated by commas',
    examples: ['HC-AUSTIN-1,HC-AUSTIN-2'],
  }),
})

export const PackageComparison = Type.Object(
  {
    packages: Type.Array(Package),
    comparison: Type.Object({
      lowestPrice: Type.String({ description: 'The id of the cheapest package' }),
      highestRated: Nullable(Type.String({ description: 'The id of the package whose pro has the best rating' })),
      inAll: Type.Array(Type.String(), { description: 'Items included in every package' }),
      onlyIn: Type.Record(Type.String(), Type.Array(Type.String()), {
        description: 'By package id: items included in that package only',
      }),
    }),
  },
  { $id: 'PackageComparison' },
)
export type PackageComparison = Static<typeof PackageComparison>

export const PackageParams = Type.Object({ id: Name({ description: 'A package’s id or sku' }) })
