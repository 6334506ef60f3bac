// A pro's own view of their profile, places and offers. Spec §4.6 names the fields that change; the rest is ours.
import { type Static, Type } from '@sinclair/typebox'

import { FreeText, Instant, Name, Nullable, OneOf, Uri, Uuid } from '../../platform/schema/types.ts'
import { Cadence, Package, PackageKind } from '../packages/schemas.ts'
import { Location } from '../pros/schemas.ts'

export const Profile = Type.Object(
  {
    id: Type.String(),
    slug: Type.String(),
    businessName: Type.String(),
    description: Nullable(Type.String()),
    active: Type.Boolean(),
    verified: Type.Boolean(),
    contact: Type.Object({ website: Nullable(Type.String()), phone: Nullable(Type.String()) }),
    location: Location,
    timezone: Type.String(),
    serviceRadiusMiles: Type.Integer(),
    acceptsEmergency: Type.Boolean(),
    yearsOfExperience: Nullable(Type.Integer()),
    rating: Nullable(Type.Number()),
    reviewCount: Type.Integer(),
    profileUrl: Uri(),
    createdAt: Instant(),
    updatedAt: Instant(),
  },
  { $id: 'Profile' },
)
export type Profile = Static<typeof Profile>

export const ProfileChange = Type.Object(
  {
    businessName: Type.Optional(Name()),
    description: Type.Optional(Nullable(FreeText())),
    serviceRadiusMiles: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
    acceptsEmergency: Type.Optional(Type.Boolean()),
  },
  { $id: 'ProfileChange', additionalProperties: false },
)
export type ProfileChange = Static<typeof ProfileChange>

export const Locations = Type.Object(
  {
    locations: Type.Array(
      Type.Object({
        id: Type.String(),
        city: Type.String(),
        state: Type.String(),
        latitude: Type.Number(),
        longitude: Type.Number(),
        timezone: Type.String(),
        serviceRadiusMiles: Type.Integer(),
        primary: Type.Boolean(),
      }),
    ),
    meta: Type.Object({ total: Type.Integer() }),
  },
  { $id: 'Locations' },
)
export type Locations = Static<typeof Locations>

const dollars = Type.Number({ minimum: 0, maximum: 1_000_000 })

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
    durationMinutes: Type.Integer(),
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
      Nullable(Type.String({ minLength: 1, maxLength: 40 }), {
        description: 'What the price is for; an hour for `hourly` unless given, null for `flat`',
        examples: ['square foot'],
      }),
    ),
    basePrice: Type.Optional(Nullable(dollars)),
    minPrice: Type.Optional(Nullable(dollars)),
    maxPrice: Type.Optional(Nullable(dollars)),
    durationMinutes: Type.Optional(Type.Integer({ minimum: 15, maximum: 720, multipleOf: 5 })),
    instantBookEnabled: Type.Optional(Type.Boolean()),
    packageKind: Type.Optional(
      Nullable(PackageKind, { description: 'Makes the offer a package of this kind; null takes the package away' }),
    ),
    packageName: Type.Optional(Name()),
    packagePrice: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 1_000_000,
        description: 'US dollars; the base price unless given',
      }),
    ),
    includes: Type.Optional(Type.Array(Name(), { maxItems: 20 })),
    cadence: Type.Optional(Cadence),
    bedrooms: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 20 }))),
    bathrooms: Type.Optional(Nullable(Type.Number({ minimum: 0, maximum: 20, multipleOf: 0.5 }))),
  },
  { $id: 'OfferChange', additionalProperties: false },
)
export type OfferChange = Static<typeof OfferChange>
