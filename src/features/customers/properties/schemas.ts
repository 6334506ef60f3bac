// The shapes of properties: the homes that a client account manages.
import { type Static, Type } from '@sinclair/typebox'

import { Decimal, Integer } from '../../../platform/schema/numbers.ts'
import { FreeText, Instant, Name, Nullable, Uuid } from '../../../platform/schema/types.ts'
import { PageMeta } from '../../../platform/schema/paging.ts'

const bedrooms = Integer({ minimum: 0, maximum: 100 })
const bathrooms = Decimal({ minimum: 0, maximum: 100, multipleOf: 0.5 })
const areaSquareFeet = Integer({ minimum: 1, maximum: 1_000_000 })

export const NewProperty = Type.Object(
  {
    name: Name({ examples: ['Unit 4B'] }),
    address: Type.Object(
      {
        street: Name(),
        city: Name(),
        state: Name({ description: 'Code (`TX`) or name' }),
        zipCode: Type.String({
          pattern: '^(\\d{5}(-\\d{4})?|[A-Za-z]\\d[A-Za-z][ -]?\\d[A-Za-z]\\d)$',
          examples: ['78701'],
        }),
      },
      { additionalProperties: false },
    ),
    bedrooms: Type.Optional(Nullable(bedrooms)),
    bathrooms: Type.Optional(Nullable(bathrooms)),
    areaSquareFeet: Type.Optional(Nullable(areaSquareFeet)),
    accessNotes: Type.Optional(Nullable(FreeText({ description: 'For the pro on site: codes, keys, pets' }))),
  },
  { $id: 'NewProperty', additionalProperties: false },
)
export type NewProperty = Static<typeof NewProperty>

export const Property = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    address: Type.Object({
      street: Type.String(),
      city: Type.String(),
      state: Type.String(),
      zipCode: Type.String(),
    }),
    bedrooms: Nullable(bedrooms),
    bathrooms: Nullable(Type.Number()),
    areaSquareFeet: Nullable(areaSquareFeet),
    accessNotes: Nullable(Type.String()),
    createdAt: Instant(),
    updatedAt: Instant(),
  },
  { $id: 'Property' },
)
export type Property = Static<typeof Property>

export const PropertiesPage = Type.Object(
  {
    properties: Type.Array(Property),
    meta: PageMeta,
  },
  { $id: 'PropertiesPage' },
)
export type PropertiesPage = Static<typeof PropertiesPage>

export const PropertyParams = Type.Object({ id: Uuid() })
