// A pro's offers: the services they sell, with prices and packages. Spec §4.6 names the fields that change; the rest is ours.
import { type Static, Type } from '@sinclair/typebox'

import { Decimal, Integer, Natural } from '../../../platform/schema/numbers.ts'
import { FreeText, Name, Nullable, OneOf, Text, Uuid } from '../../../platform/schema/types.ts'
import { Cadence, Package, PackageKind } from '../packages/schemas.ts'

const dollars = Decimal({ minimum: 0, maximum: 1_000_000 })

const PriceType = OneOf(['flat', 'hourly', 'per_unit'])

export const Offer = Type.Object(
  {
    serviceId: Type.String(),
    name: Type.String(),
    slug: Type.String(),
    description: Nullable(Type.String()),
    priceType: PriceType,
    unit: Nullable(Type.String()),
    basePrice: Nullable(Type.Number()),
    minPrice: Nullable(Type.Number()),
    maxPrice: Nullable(Type.Number()),
    durationMinutes: Natural(),
    instantBookEnabled: Type.Boolean(),
    package: Nullable(Package),
  },
  { $id: 'Offer' },
)
export type Offer = Static<typeof Offer>

export const Offers = Type.Object({ services: Type.Array(Offer) }, { $id: 'Offers' })

export const OfferChange = Type.Object(
  {
    serviceId: Uuid({ description: 'A service that the pro offers' }),
    description: Type.Optional(Nullable(FreeText())),
    priceType: Type.Optional(PriceType),
    unit: Type.Optional(
      Nullable(Text(40, { minLength: 1 }), {
        description: 'The unit of the price; defaults to `hour` for `hourly`, must be null for `flat`',
        examples: ['square foot'],
      }),
    ),
    basePrice: Type.Optional(Nullable(dollars)),
    minPrice: Type.Optional(Nullable(dollars)),
    maxPrice: Type.Optional(Nullable(dollars)),
    durationMinutes: Type.Optional(Integer({ minimum: 15, maximum: 720, multipleOf: 5 })),
    instantBookEnabled: Type.Optional(Type.Boolean()),
    packageKind: Type.Optional(
      Nullable(PackageKind, { description: 'Makes the offer a package of this kind; null removes the package' }),
    ),
    packageName: Type.Optional(Name()),
    packagePrice: Type.Optional(
      Decimal({
        minimum: 0.01,
        maximum: 1_000_000,
        description: 'US dollars; defaults to the base price of a flat offer',
      }),
    ),
    includes: Type.Optional(Type.Array(Name(), { maxItems: 20 })),
    cadence: Type.Optional(Cadence),
    bedrooms: Type.Optional(Nullable(Integer({ minimum: 0, maximum: 20 }))),
    bathrooms: Type.Optional(Nullable(Decimal({ minimum: 0, maximum: 20, multipleOf: 0.5 }))),
  },
  { $id: 'OfferChange', additionalProperties: false },
)
export type OfferChange = Static<typeof OfferChange>

/** A service of the catalog that a pro could offer. */
export interface FurtherService {
  id: string
  name: string
  category: string
}
