// What the search form asks for, as it stands in the page's address.
import type { Narrowing } from '../../../features/search/pros/verbs/search.ts'
import type { ProsQuery } from '../../../features/search/pros/schemas.ts'

export const PAGE_SIZE = 20
/** The longest text that the form sends. */
export const MAX_TEXT = 200
const MAX_OFFSET = 10_000
const MAX_PRICE = 100_000

export const RATINGS = ['4', '4.5', '4.8'] as const
export const RADII = ['5', '10', '25', '50', '100'] as const
export const ORDERS = ['usual', 'rating', 'price', 'time'] as const

export interface Search {
  service: string
  place: string
  /** Where the browser is: only without a place. */
  lat?: number | undefined
  lng?: number | undefined
  radius?: (typeof RADII)[number] | undefined
  /** Dollars. */
  maxPrice?: number | undefined
  rating?: (typeof RATINGS)[number] | undefined
  verified: boolean
  instant: boolean
  /** With an open time in the next seven days. */
  week: boolean
  sort: (typeof ORDERS)[number]
  offset: number
}

export function searchIn(query: URLSearchParams): Search {
  const text = (name: string) => (query.get(name) ?? '').trim().slice(0, MAX_TEXT)
  const number = (name: string, from: number, to: number) => {
    const value = Number(text(name) === '' ? Number.NaN : text(name))
    return value >= from && value <= to ? value : undefined
  }
  const place = text('place')
  const [lat, lng] = [number('lat', -90, 90), number('lng', -180, 180)]
  const isHere = place === '' && lat !== undefined && lng !== undefined
  const offset = number('offset', 0, MAX_OFFSET) ?? 0
  return {
    service: text('service'),
    place,
    ...(isHere && { lat, lng }),
    radius: RADII.find((it) => it === text('radius')),
    maxPrice: number('maxPrice', 0.01, MAX_PRICE),
    rating: RATINGS.find((it) => it === text('rating')),
    verified: query.has('verified'),
    instant: query.has('instant'),
    week: query.has('week'),
    sort: ORDERS.find((it) => it === text('sort')) ?? 'usual',
    offset: Number.isInteger(offset) ? offset : 0,
  }
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
  order: sort,
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
  lat,
  lng,
  verified: false,
  instant: false,
  week: false,
  sort: 'usual',
  offset: 0,
})
