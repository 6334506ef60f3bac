// What the search form asks for, as it stands in the page's address.
import { type Static, type TSchema, Type } from '@sinclair/typebox'

import type { Narrowing } from '../../../features/search/pros/verbs/search.ts'
import type { ProsQuery } from '../../../features/search/pros/schemas.ts'
import { validFields } from '../../../http/form.ts'
import { Decimal, Integer } from '../../../platform/schema/numbers.ts'
import { OneOf, Text } from '../../../platform/schema/types.ts'
import { defineForm } from '../../ui/define-form.tsx'

export const PAGE_SIZE = 20
/** The longest text that the form sends. */
export const MAX_TEXT = 200

export const RATINGS = ['4', '4.5', '4.8'] as const
export const RADII = ['5', '10', '25', '50', '100'] as const

/** A search may leave every field empty. */
const field = <T extends TSchema>(schema: T) =>
  ({ schema: Type.Optional(schema), isOptional: true, saysOptional: false }) as const

export const SearchForm = defineForm({
  service: { ...field(Text(MAX_TEXT)), label: 'What do you need?', placeholder: 'Plumber, maid, AC repair…' },
  place: { ...field(Text(MAX_TEXT)), label: 'Where?' },
  /** Where the browser is: only without a place. */
  lat: field(Decimal({ minimum: -90, maximum: 90 })),
  lng: field(Decimal({ minimum: -180, maximum: 180 })),
  sort: { ...field(OneOf(['usual', 'nearest', 'rating', 'price', 'time'])), label: 'Sort by' },
  /** Dollars. */
  maxPrice: { ...field(Decimal({ minimum: 0.01, maximum: 100_000 })), label: 'Price up to, in dollars' },
  rating: { ...field(OneOf(RATINGS)), label: 'Rating' },
  radius: { ...field(OneOf(RADII)), label: 'Distance' },
  verified: { schema: Type.Boolean(), label: 'Verified' },
  instant: { schema: Type.Boolean(), label: 'Can be booked online' },
  /** With an open time in the next seven days. */
  week: { schema: Type.Boolean(), label: 'Has time this week', hint: 'In the next seven days' },
  offset: field(Integer({ minimum: 0, maximum: 10_000 })),
})

type Sent = Static<typeof SearchForm>
export interface Search extends Partial<Sent> {
  service: string
  place: string
  sort: NonNullable<Sent['sort']>
  offset: number
}

/** What is right in the page's address. What is wrong there does not limit the search. */
export function searchIn(query: URLSearchParams): Search {
  const { lat, lng, ...search } = validFields(SearchForm, query)
  const { service = '', place = '', sort = 'usual', offset = 0 } = search
  const isHere = place === '' && lat !== undefined && lng !== undefined
  return { ...search, service, place, sort, offset, ...(isHere && { lat, lng }) }
}

export const isHere = ({ lat }: Search): boolean => lat !== undefined

/** Whether there is anything to search for. */
export const isSearch = (search: Search): boolean => search.service !== '' || search.place !== '' || isHere(search)

/** The search as `GET /api/v1/pros` takes it, for pros who come to the place. A service without a place is a phrase, such as "plumbers austin tx". */
export function prosQueryOf({ service, place, lat, lng, radius, verified, instant, offset }: Search): ProsQuery {
  const here = lat === undefined || lng === undefined ? {} : { lat, lng }
  const subject = service === '' ? {} : { service }
  const terms = place !== '' ? { place, ...subject } : lat === undefined ? { q: service } : { ...here, ...subject }
  return {
    ...terms,
    ...(radius !== undefined && { radius: Number(radius) }),
    ...(verified && { verified }),
    ...(instant && { instantBook: instant }),
    inServiceArea: true,
    limit: PAGE_SIZE,
    offset,
  }
}

export const narrowingOf = ({ maxPrice, rating, week, sort }: Search): Narrowing => ({
  maxPrice,
  minRating: rating === undefined ? undefined : Number(rating),
  hasTimeThisWeek: week,
  order: sort === 'usual' ? 'best' : sort === 'nearest' ? 'usual' : sort,
})

/** The parameters of the page's address, without those that say nothing. The offset is left out. */
export function parametersOf(search: Search): Record<string, string> {
  const named = { ...search, offset: undefined, sort: search.sort === 'usual' ? undefined : search.sort }
  return Object.fromEntries(
    Object.entries(named).flatMap(([name, value]) =>
      value === undefined || value === '' || value === false ? [] : [[name, value === true ? 'on' : String(value)]],
    ),
  )
}

/** The number of filters that are set. */
export const countFilters = ({ radius, maxPrice, rating, verified, instant, week }: Search): number =>
  [radius, maxPrice, rating].filter((it) => it !== undefined).length + [verified, instant, week].filter(Boolean).length

/** Without limits and order, as a new search begins. */
export const withoutFilters = ({ service, place, lat, lng }: Search): Search => ({
  service,
  place,
  ...(lat !== undefined && lng !== undefined && { lat, lng }),
  sort: 'usual',
  offset: 0,
})
