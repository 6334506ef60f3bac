// An in-memory index of services, categories, states and cities, so that a search resolves names without a round trip.
import { type Deps, oncePerDeps } from '../../../deps.ts'
import { type CategoryRow, type CityRow, type ServiceRow, type StateRow, selectNames } from '../queries.ts'

/** Finds entries by id, slug or name, ignoring case. */
export interface CatalogNames {
  readonly services: readonly ServiceRow[]
  readonly categories: readonly CategoryRow[]
  service(text: string): ServiceRow | undefined
  category(text: string): CategoryRow | undefined
  /** By code or full name. */
  state(text: string): StateRow | undefined
  /** Every city of that name, optionally within one state, most populous first. */
  cities(name: string, state?: StateRow): readonly CityRow[]
  city(id: number): CityRow | undefined
}

/** The current catalog names: loaded on first use and again after a change notification. Concurrent callers share one load. */
export const getCatalogNames = (deps: Deps): Promise<CatalogNames> => loaderOf(deps)()

const loaderOf = oncePerDeps(({ read, notifications }: Deps) => {
  let loading: Promise<CatalogNames> | undefined
  notifications.on('catalog_names_changed', () => {
    loading = undefined
  })
  return (): Promise<CatalogNames> => {
    const current = (loading ??= selectNames(read).then(toNames))
    // A failed load is not cached, so the next caller retries.
    current.catch(() => {
      if (loading === current) loading = undefined
    })
    return current
  }
})

const normalized = (text: string) => text.trim().toLowerCase()

function toNames(rows: Awaited<ReturnType<typeof selectNames>>): CatalogNames {
  const services = byAnyName(rows.services)
  const categories = byAnyName(rows.categories)
  const states = new Map(
    rows.states.flatMap((state) => [
      [normalized(state.code), state],
      [normalized(state.name), state],
    ]),
  )
  const citiesByName = Map.groupBy(rows.cities, (city) => normalized(city.name))
  const citiesById = new Map(rows.cities.map((city) => [city.id, city]))
  return {
    services: rows.services,
    categories: rows.categories,
    service: (text) => services.get(normalized(text)),
    category: (text) => categories.get(normalized(text)),
    state: (text) => states.get(normalized(text)),
    cities: (name, state) => {
      const cities = citiesByName.get(normalized(name)) ?? []
      return state ? cities.filter((city) => city.state === state.code) : cities
    },
    city: (id) => citiesById.get(id),
  }
}

/** When two rows match, a match by id or slug wins over a match by name. */
const byAnyName = <T extends { id: string; slug: string; name: string }>(rows: readonly T[]): Map<string, T> =>
  new Map([
    ...rows.map((row) => [normalized(row.name), row] as const),
    ...rows.map((row) => [normalized(row.slug), row] as const),
    ...rows.map((row) => [normalized(row.id), row] as const),
  ])
