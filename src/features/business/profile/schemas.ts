// A pro's own view of their profile and locations. Spec §4.6 names the fields that change; the rest is ours.
import { type Static, Type } from '@sinclair/typebox'

import { Integer, Natural } from '../../../platform/schema/numbers.ts'
import { FreeText, Instant, Name, Nullable, Uri } from '../../../platform/schema/types.ts'
import { Location, VerificationDetails } from '../../search/pros/schemas.ts'

export const Profile = Type.Object(
  {
    id: Type.String(),
    slug: Type.String(),
    businessName: Type.String(),
    description: Nullable(Type.String()),
    active: Type.Boolean(),
    verified: Type.Boolean(),
    verificationDetails: VerificationDetails,
    contact: Type.Object({ website: Nullable(Type.String()), phone: Nullable(Type.String()) }),
    location: Location,
    timezone: Type.String(),
    serviceRadiusMiles: Natural(),
    acceptsEmergency: Type.Boolean(),
    yearsOfExperience: Nullable(Natural()),
    rating: Nullable(Type.Number()),
    reviewCount: Natural(),
    profileUrl: Uri(),
    createdAt: Instant(),
    updatedAt: Instant(),
  },
  { $id: 'Profile' },
)
export type Profile = Static<typeof Profile>

export const ProfileChange = Type.Object(
  {
    businessName: Type.Optional(Name({ description: 'A new one is no longer `verified` until an operator looks' })),
    description: Type.Optional(Nullable(FreeText())),
    serviceRadiusMiles: Type.Optional(Integer({ minimum: 1, maximum: 500 })),
    acceptsEmergency: Type.Optional(Type.Boolean()),
    yearsOfExperience: Type.Optional(Nullable(Integer({ minimum: 0, maximum: 120 }))),
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
        serviceRadiusMiles: Natural(),
        primary: Type.Boolean(),
      }),
    ),
    meta: Type.Object({ total: Natural() }),
  },
  { $id: 'Locations' },
)
export type Locations = Static<typeof Locations>
