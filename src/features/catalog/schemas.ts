// The shapes of the catalog: services by category, and cities with active pros. Spec §2 and §4.1.
import { type Static, Type } from '@sinclair/typebox'

import { Name, Nullable } from '../../platform/schema/types.ts'

/** A reference to a category or service inside other resources. */
export const CatalogRef = Type.Object(
  { id: Type.String(), name: Type.String(), slug: Type.String() },
  { $id: 'CatalogRef' },
)

export const Service = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    slug: Type.String(),
    description: Nullable(Type.String()),
    category: CatalogRef,
    professionalCount: Type.Integer({ description: 'Active pros who offer it, in the requested place' }),
    verifiedProfessionalCount: Type.Integer(),
  },
  { $id: 'Service' },
)
export type Service = Static<typeof Service>

export const Category = Type.Object(
  { id: Type.String(), name: Type.String(), slug: Type.String(), services: Type.Array(Service) },
  { $id: 'Category' },
)
export type Category = Static<typeof Category>

export const ServicesListing = Type.Object(
  {
    services: Type.Array(Service),
    categories: Type.Array(Category),
    meta: Type.Object({ totalServices: Type.Integer(), totalCategories: Type.Integer() }),
  },
  { $id: 'ServicesListing' },
)
export type ServicesListing = Static<typeof ServicesListing>

export const ServicesQuery = Type.Object({
  categoryId: Type.Optional(Name({ description: 'Only this category: its id, slug or name' })),
  city: Type.Optional(Name({ description: 'Count the pros of this city only' })),
  state: Type.Optional(Name({ description: 'Count the pros of this state only: code (`TX`) or name' })),
})
export type ServicesQuery = Static<typeof ServicesQuery>

export const City = Type.Object(
  {
    name: Type.String(),
    state: Type.String(),
    displayName: Type.String(),
    professionalCount: Type.Integer(),
    coordinates: Nullable(Type.Object({ latitude: Type.Number(), longitude: Type.Number() })),
  },
  { $id: 'City' },
)

export const CitiesListing = Type.Object(
  {
    cities: Type.Array(City),
    meta: Type.Object({
      totalCities: Type.Integer({ description: 'Cities with active pros, before `limit`' }),
      totalStates: Type.Integer(),
    }),
  },
  { $id: 'CitiesListing' },
)
export type CitiesListing = Static<typeof CitiesListing>

export const CitiesQuery = Type.Object({
  state: Type.Optional(Name({ description: 'Only this state: code (`TX`) or name' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 100 })),
})
export type CitiesQuery = Static<typeof CitiesQuery>
