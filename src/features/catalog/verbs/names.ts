// The names of services, categories, states and cities, kept in memory: a search resolves them without a round trip.
import { type Deps, oncePerDeps } from '../../../deps.ts'
import { type CategoryRow, type CityRow, type ServiceRow, type StateRow, selectNames } from '../queries.ts'

/** Finds by id, slug or name, whatever the case. */
export interface Names {
  readonly services: readonly ServiceRow[]
  readonly categories: readonly CategoryRow[]
  service(text: string): ServiceRow | undefined
  category(text: string): CategoryRow | undefined
  /** By code or full name. */
  state(text: string): StateRow | undefined
  /** Every city of that name, in the state when given, the most populous first. */
  cities(name: string, state?: StateRow): readonly CityRow[]
  city(id: number): CityRow | undefined
}

/**
 * The names as they are now: loaded on first use, and again after the database says that they changed. Callers that
 * come while they load wait for the same load.
 */
export const namesOf = oncePerDeps(({ read, notifications }: Deps) => {
  let loading: Promise<Names> | undefined
  notifications.on('catalog_names_changed', () => {
    loading = undefined
  })
  return (): Promise<Names> => {
    const current = (loading ??= selectNames(read).then(toNames))
    // A failed load is not kept: the next caller tries again.
    current.catch(() => {
      if (loading === current) loading = undefined
    })
    return current
  }
})

const folded = (text: string) => text.trim().toLowerCase()

function toNames(rows: Awaited<ReturnType<typeof selectNames>>): Names {
  const services = byAnyName(rows.services)
  const categories = byAnyName(rows.categories)
  const states = new Map(
    rows.states.flatMap((state) => [
      [folded(state.code), state],
      [folded(state.name), state],
    ]),
  )
  const citiesByName = Map.groupBy(rows.cities, (city) => folded(city.name))
  const citiesById = new Map(rows.cities.map((city) => [city.id, city]))
  return {
    services: rows.services,
    categories: rows.categories,
    service: (text) => services.get(folded(text)),
    category: (text) => categories.get(folded(text)),
    state: (text) => states.get(folded(text)),
    cities: (name, state) => {
      const found = citiesByName.get(folded(name)) ?? []
      return state ? found.filter((city) => city.state === state.code) : found
    },
    city: (id) => citiesById.get(id),
  }
}

/** Where two share a name, the one found by id or slug wins over the one found by name. */
const byAnyName = <T extends { id: string; slug: string; name: string }>(rows: readonly T[]): Map<string, T> =>
  new Map([
    ...rows.map((row) => [folded(row.name), row] as const),
    ...rows.map((row) => [folded(row.slug), row] as const),
    ...rows.map((row) => [folded(row.id), row] as const),
  ])
