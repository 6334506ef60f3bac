// Services in cities: what a page's path names, and which of them have pros.
import type { Ctx } from '../../../../ctx.ts'
import { isServed } from '../../../upkeep/marketplace/rules/area.ts'
import type { Circle } from '../../../upkeep/marketplace/schemas.ts'
import { type CityRow, type ServiceRow, selectCityFacetCounts, selectServiceCounts } from '../queries.ts'
import { citySlug, wordsOf } from '../words.ts'
import { getCatalogNames } from './names.ts'
import { displayNameOf } from './known-place.ts'

export type { CityRow, ServiceRow }

/** What two parts of a path mean, as far as they are known names; for an unknown part, the nearest names. */
export interface CityServiceTerms {
  service?: ServiceRow | undefined
  /** The first part names a whole category. */
  categoryName?: string | undefined
  city?: CityRow | undefined
  /** The display name of a place that is not a city. */
  placeName?: string | undefined
  similar: { services: readonly ServiceRow[]; cities: readonly CityRow[] }
}

const MAX_SIMILAR = 5

/**
 * Reads the two parts of an address such as /plumbers/austin-tx: a service or category as people write it, and a city's slug,
 * another name of it or a ZIP code. For an unknown part it suggests similar ones.
 */
export async function readCityService(
  ctx: Ctx,
  { serviceText, placeText }: { serviceText: string; placeText: string },
): Promise<CityServiceTerms> {
  const names = await getCatalogNames(ctx)
  const { service, category } = names.offering(serviceText) ?? {}
  const place = names.cityBySlug(placeText) ? undefined : names.place(placeText)
  // A ZIP code means its city.
  const state = place && names.state(place.state)
  const city =
    names.cityBySlug(placeText) ?? place?.city ?? (place?.zipCode ? names.cities(place.name, state)[0] : undefined)
  const similarCities = () =>
    names.placeNames.resembling(wordsOf(placeText), MAX_SIMILAR).flatMap(({ city }) => city ?? [])
  return {
    service,
    categoryName: category?.name,
    city,
    placeName: place && displayNameOf(place),
    similar: {
      services: service || category ? [] : names.servicesLike(serviceText, MAX_SIMILAR),
      cities: city || place ? [] : similarCities(),
    },
  }
}

/** A city with pros of a service. */
export interface CityWithPros {
  city: CityRow
  pros: number
}

/** Cities farther north or south are not nearby. */
const NEARBY_DEGREES = 1
/** Cities compared by distance before their pros are counted. */
const NEARBY_CANDIDATES = 60

/** The nearest other cities of the area with pros of the service, nearest first. */
export async function listNearbyCities(
  ctx: Ctx,
  { service, city, area, limit }: { service: ServiceRow; city: CityRow; area: readonly Circle[]; limit: number },
) {
  const { allCities } = await getCatalogNames(ctx)
  const width = Math.cos((city.latitude * Math.PI) / 180)
  const nearest = allCities
    .filter((it) => it.id !== city.id && Math.abs(it.latitude - city.latitude) < NEARBY_DEGREES && isServed(area, it))
    .map((it) => ({ it, away: Math.hypot(it.latitude - city.latitude, (it.longitude - city.longitude) * width) }))
    .toSorted((one, other) => one.away - other.away)
    .slice(0, NEARBY_CANDIDATES)
    .map(({ it }) => it)
  const counts = await selectCityFacetCounts(ctx, { facet: service.ordinal, cityIds: nearest.map(({ id }) => id) })
  return nearest
    .flatMap((it): CityWithPros[] => (counts.has(it.id) ? [{ city: it, pros: counts.get(it.id) ?? 0 }] : []))
    .slice(0, limit)
}

/** Half of what the sitemap protocol allows. */
const SITEMAP_SIZE = 25_000

/** The services that have pros, and how many sitemaps list the cities of one. */
export async function countCityServiceSitemaps(ctx: Ctx): Promise<{ services: ServiceRow[]; parts: number }> {
  const { services, allCities } = await getCatalogNames(ctx)
  const counts = await selectServiceCounts(ctx, { areas: [0] })
  return {
    services: services.filter(({ ordinal }) => (counts.get(ordinal)?.pros ?? 0) > 0),
    parts: Math.ceil(allCities.length / SITEMAP_SIZE),
  }
}

/** The service of a slug and the cities of one of its sitemaps that have its pros and are in the area; empty past the last one. */
export async function listCityServices(
  ctx: Ctx,
  { slug, part, area }: { slug: string; part: number; area: readonly Circle[] },
): Promise<{ service: ServiceRow; cities: CityRow[] } | undefined> {
  const names = await getCatalogNames(ctx)
  const { services, allCities } = names
  const service = services.find((it) => it.slug === slug)
  if (!service) return undefined
  const cities = allCities.slice(part * SITEMAP_SIZE, (part + 1) * SITEMAP_SIZE).filter((city) => isServed(area, city))
  const counts = await selectCityFacetCounts(ctx, { facet: service.ordinal, cityIds: cities.map(({ id }) => id) })
  return { service, cities: cities.filter((city) => counts.has(city.id) && names.cityBySlug(citySlug(city)) === city) }
}
