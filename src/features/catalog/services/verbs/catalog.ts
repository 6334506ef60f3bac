// The service catalog with pro counts, and the cities with active pros.
import type { Ctx } from '../../../../ctx.ts'
import { pageMeta } from '../../../../platform/schema/paging.ts'
import type { CitiesListing, CitiesQuery, Service, ServicesListing, ServicesQuery } from '../schemas.ts'
import { type CatalogNames, getCatalogNames } from './names.ts'
import type { Offering } from './service-names.ts'
import { wordsOf } from '../words.ts'
import { type ServiceRow, selectServiceCounts } from '../queries.ts'
import { selectCityCounts } from '../queries.sql.ts'

/**
 * All active services by category. `city` and `state` limit the counts to pros there. An unknown place counts no pros,
 * and an unknown category lists no services. `q` limits the list to services of such names.
 */
export async function listServices(ctx: Ctx, query: ServicesQuery): Promise<ServicesListing> {
  const names = await getCatalogNames(ctx)
  const counts = await selectServiceCounts(ctx, { areas: areasOf(names, query) })
  const listed = query.q === undefined ? names.services : servicesLike(names, query.q, counts)
  const categories = names.categories
    .filter((category) => query.categoryId === undefined || category === names.category(query.categoryId))
    // A category that an operator has just added has no services yet.
    .filter(({ id }) => listed.some(({ categoryId }) => categoryId === id))
    .map((category) => ({
      ...ref(category),
      services: listed
        .filter((service) => service.categoryId === category.id)
        .map((service): Service => {
          const count = counts.get(service.ordinal)
          return {
            ...ref(service),
            description: service.description,
            category: ref(category),
            professionalCount: count?.pros ?? 0,
            verifiedProfessionalCount: count?.verified ?? 0,
            atCustomer: service.atCustomer,
            questions: [...service.questions],
          }
        }),
    }))
  const services = categories.flatMap((category) => category.services)
  // For type-ahead, the best come first, whatever their category.
  const rank = new Map(listed.map(({ id }, at) => [id, at]))
  if (query.q !== undefined) services.sort((one, other) => (rank.get(one.id) ?? 0) - (rank.get(other.id) ?? 0))
  return { services, categories, meta: { totalServices: services.length, totalCategories: categories.length } }
}

const MAX_LIKE = 10

/**
 * Services with a name or synonym that begins with the text, those with most pros first; else the services that the text may
 * mean, the likeliest first.
 */
function servicesLike(
  names: CatalogNames,
  text: string,
  counts: ReadonlyMap<number, { pros: number }>,
): readonly ServiceRow[] {
  const words = wordsOf(text)
  const servicesOf = (offerings: readonly Offering[]) =>
    offerings.flatMap(({ service, category }) =>
      service ? [service] : names.services.filter(({ categoryId }) => categoryId === category.id),
    )
  const beginning = new Set(servicesOf(names.serviceNames.beginning(words)))
  const prosOf = ({ ordinal }: ServiceRow) => counts.get(ordinal)?.pros ?? 0
  const found =
    beginning.size > 0
      ? [...beginning].toSorted((one, other) => prosOf(other) - prosOf(one) || one.ordinal - other.ordinal)
      : [...new Set(servicesOf(names.serviceNames.resembling(words, MAX_LIKE)))]
  return found.slice(0, MAX_LIKE)
}

/** The area keys of the search counters: 0 is everywhere, a city is its id, a state is its negated ordinal. */
function areasOf(names: CatalogNames, { city, state: stateName }: ServicesQuery): number[] {
  const state = stateName === undefined ? undefined : names.state(stateName)
  if (stateName !== undefined && !state) return []
  if (city !== undefined) return names.cities(city, state).map(({ id }) => id)
  return [state ? -state.ordinal : 0]
}

const ref = ({ id, name, slug }: Pick<ServiceRow, 'id' | 'name' | 'slug'>) => ({ id, name, slug })

/** Cities with active pros, most pros first. */
export async function listCities(
  ctx: Ctx,
  { state: stateName, limit = 100, offset = 0 }: CitiesQuery,
): Promise<CitiesListing> {
  const names = await getCatalogNames(ctx)
  const state = stateName === undefined ? undefined : names.state(stateName)
  const counts = stateName !== undefined && !state ? [] : await selectCityCounts(ctx)
  const cities = counts.flatMap(({ cityId, pros }) => {
    const city = names.city(cityId)
    return city && (!state || city.state === state.code) ? [{ city, pros }] : []
  })
  return {
    cities: cities.slice(offset, offset + limit).map(({ city, pros }) => ({
      name: city.name,
      state: city.state,
      displayName: `${city.name}, ${city.state}`,
      professionalCount: pros,
      coordinates: { latitude: city.latitude, longitude: city.longitude },
    })),
    meta: {
      totalCities: cities.length,
      totalStates: new Set(cities.map(({ city }) => city.state)).size,
      ...pageMeta(cities.length, { limit, offset }),
    },
  }
}
