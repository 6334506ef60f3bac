// The shapes of the catalog: services by category, and cities with active pros. Spec §2 and §4.1.
import { type Static, Type } from '@sinclair/typebox'

import { PageMeta, pageParameters } from '../../../platform/schema/paging.ts'
import { Integer, Natural } from '../../../platform/schema/numbers.ts'
import { Name, Nullable, OneOf } from '../../../platform/schema/types.ts'

/** A reference to a category or service inside other resources. */
export const CatalogRef = Type.Object(
  { id: Type.String(), name: Type.String(), slug: Type.String() },
  { $id: 'CatalogRef' },
)

export const Question = Type.Object(
  {
    question: Type.String(),
    required: Type.Boolean(),
    choices: Type.Array(Type.String(), { description: 'Empty for a text' }),
  },
  { $id: 'Question' },
)
export type Question = Static<typeof Question>

export const Service = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    slug: Type.String(),
    description: Nullable(Type.String()),
    category: CatalogRef,
    professionalCount: Natural({ description: 'Active pros who offer it, in the requested place' }),
    verifiedProfessionalCount: Natural(),
    atCustomer: Type.Boolean({ description: 'Done at the customer’s, so that a booking needs an address' }),
    questions: Type.Array(Question, {
      description: '`answers` of `POST /rfqs`',
    }),
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
    meta: Type.Object({ totalServices: Natural(), totalCategories: Natural() }),
  },
  { $id: 'ServicesListing' },
)
export type ServicesListing = Static<typeof ServicesListing>

/** What a person has typed so far. */
const Typed = (options: { description: string; examples: string[] }) => Type.Optional(Name(options))

export const ServicesQuery = Type.Object({
  q: Typed({
    description:
      'At most 10 services: those of such a name or synonym, for type-ahead, with most pros first; else those that the words may mean (`sink is leaking`), the likeliest first',
    examples: ['water hea'],
  }),
  categoryId: Type.Optional(Name({ description: 'Only this category: its id, slug or name' })),
  city: Type.Optional(Name({ description: 'Count the pros of this city only: `Austin` or `Austin, TX`' })),
  state: Type.Optional(Name({ description: 'Count the pros of this state only: code (`TX`) or name' })),
})
export type ServicesQuery = Static<typeof ServicesQuery>

export const City = Type.Object(
  {
    name: Type.String(),
    state: Type.String(),
    displayName: Type.String(),
    professionalCount: Natural(),
    coordinates: Nullable(Type.Object({ latitude: Type.Number(), longitude: Type.Number() })),
  },
  { $id: 'City' },
)

export const CitiesListing = Type.Object(
  {
    cities: Type.Array(City),
    meta: Type.Object({
      totalCities: Natural({ description: 'All cities with active pros; the same as `total`' }),
      totalStates: Natural(),
      ...PageMeta.properties,
    }),
  },
  { $id: 'CitiesListing' },
)
export type CitiesListing = Static<typeof CitiesListing>

export const CitiesQuery = Type.Object({
  state: Type.Optional(Name({ description: 'Only this state: code (`TX`) or name' })),
  limit: Type.Optional(Integer({ minimum: 1, maximum: 500, default: 100 })),
  offset: pageParameters.offset,
})
export type CitiesQuery = Static<typeof CitiesQuery>

export const Place = Type.Object(
  {
    type: OneOf(['city', 'zip', 'state', 'region'], {
      description:
        'A region is a county or the like: a search covers the cities of its state in a circle around its center',
    }),
    name: Type.String({ description: 'The city or region; the state’s name for a state' }),
    state: Type.String({ description: 'Code' }),
    displayName: Type.String({ description: 'The `place` of a search', examples: ['Austin, TX'] }),
    zipCode: Nullable(Type.String()),
    coordinates: Nullable(Type.Object({ latitude: Type.Number(), longitude: Type.Number() }), {
      description: 'The center; null for a state',
    }),
    radius: Type.Optional(Natural({ description: 'Only of a region: how many miles it reaches from its center' })),
  },
  { $id: 'Place' },
)
export type Place = Static<typeof Place>

export const PlacesListing = Type.Object({ places: Type.Array(Place) }, { $id: 'PlacesListing' })
export type PlacesListing = Static<typeof PlacesListing>

export const PlacesQuery = Type.Object({
  q: Name({ description: 'The beginning of a city, state or ZIP code', examples: ['aus', '787'] }),
  limit: Type.Optional(Integer({ minimum: 1, maximum: 10, default: 10 })),
})
export type PlacesQuery = Static<typeof PlacesQuery>

/** How a search was read: only where it left something to interpret. */
export const Understood = Type.Object(
  {
    service: Nullable(CatalogRef),
    category: Nullable(CatalogRef, { description: 'When the text means all services of a category, such as `HVAC`' }),
    place: Nullable(Place),
    corrected: Type.Optional(
      Type.Array(Type.Object({ typed: Type.String(), read: Type.String() }), {
        description: 'Misspelled words, and what they were read as',
      }),
    ),
    ignored: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Words that the search does not use, such as “tonight”. Short ones are left out.',
      }),
    ),
    notUnderstood: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'Words with an unknown meaning. When `service` and `category` are null, no service was understood.',
      }),
    ),
    namesakes: Type.Optional(
      Type.Array(Place, { description: 'Other places with the name of `place`: one of them may be meant' }),
    ),
  },
  { $id: 'Understood' },
)
export type Understood = Static<typeof Understood>

export const Suggestions = Type.Object(
  {
    service: Type.Optional(Type.Array(CatalogRef)),
    category: Type.Optional(Type.Array(CatalogRef)),
    place: Type.Optional(Type.Array(Place)),
  },
  {
    $id: 'Suggestions',
    description: 'The nearest names of each part that is unknown, at most 5; absent when everything is known',
  },
)
export type Suggestions = Static<typeof Suggestions>
