// The service catalog with pro counts, and the cities with active pros.
import type { Deps } from '../../../deps.ts'
import type { CitiesListing, CitiesQuery, Service, ServicesListing, ServicesQuery } from '../schemas.ts'
import { type CatalogNames, getCatalogNames } from './names.ts'
import { type ServiceRow, selectCityCounts, selectServiceCounts } from '../queries.ts'

/**
 * All active services by category. `city` and `state` limit the counts to pros there. An unknown place counts no pros,
 * and an unknown category lists no services.
 */
export async function listServices(deps: Deps, query: ServicesQuery): Promise<ServicesListing> {
  const names = await getCatalogNames(deps)
  const counts = await selectServiceCounts(deps.read, areasOf(names, query))
  const categories = names.categories
    .filter((category) => query.categoryId === undefined || category === names.category(query.categoryId))
    .map((category) => ({
      ...ref(category),
      services: names.services
        .filter((service) => service.categoryId === category.id)
        .map((service): Service => {
          const count = counts.get(service.ordinal)
          return {
            ...ref(service),
            description: service.description,
            category: ref(category),
            professionalCount: count?.pros ?? 0,
            verifiedProfessionalCount: count?.verified ?? 0,
          }
        }),
    }))
  const services = categories.flatMap((category) => category.services)
  return { services, categories, meta: { totalServices: services.length, totalCategories: categories.length } }
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
export async function listCities(deps: Deps, { state: stateName, limit = 100 }: CitiesQuery): Promise<CitiesListing> {
  const names = await getCatalogNames(deps)
  const state = stateName === undefined ? undefined : names.state(stateName)
  const counts = stateName !== undefined && !state ? [] : await selectCityCounts(deps.read)
  const cities = counts.flatMap(({ cityId, pros }) => {
    const city = names.city(cityId)
    return city && (!state || city.state === state.code) ? [{ city, pros }] : []
  })
  return {
    cities: cities.slice(0, limit).map(({ city, pros }) => ({
      name: city.name,
      state: city.state,
      displayName: `${city.name}, ${city.state}`,
      professionalCount: pros,
      coordinates: { latitude: city.latitude, longitude: city.longitude },
    })),
    meta: { totalCities: cities.length, totalStates: new Set(cities.map(({ city }) => city.state)).size },
  }
}
