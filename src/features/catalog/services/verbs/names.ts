// An in-memory index of services, categories, states and cities, so that a search resolves names without a round trip.
import { type Ctx, ctxOf } from '../../../../ctx.ts'
import { oncePerDeps } from '../../../../deps.ts'
import { trackedLoad } from '../../../../platform/postgres/tracked-load.ts'
import { type Region, UNITED_STATES, regionOf } from '../../../../platform/text/region.ts'
import { type CategoryRow, type CityRow, type ServiceRow, type StateRow, selectNames } from '../queries.ts'
import { citySlug, wordsOf } from '../words.ts'
import type { KnownPlace } from './known-place.ts'
import { PlaceNames } from './place-names.ts'
import { type Offering, ServiceNames } from './service-names.ts'
import { Vocabulary } from './vocabulary.ts'

/** Finds entries by what people call them, ignoring case, punctuation, accents and spaces. */
export interface CatalogNames {
  readonly services: readonly ServiceRow[]
  readonly categories: readonly CategoryRow[]
  /** A service or a whole category: by id, slug, name, plural or synonym. */
  offering(text: string): Offering | undefined
  /** The services whose names or synonyms are most like a text. */
  servicesLike(text: string, limit: number): readonly ServiceRow[]
  category(text: string): CategoryRow | undefined
  /** By code or full name. */
  state(text: string): StateRow | undefined
  /** Every city of that name, with or without its state, optionally within one state, most populous first. */
  cities(name: string, state?: StateRow): readonly CityRow[]
  /** One place: a ZIP code, a city (the most populous of the name) or a state. */
  place(text: string, state?: StateRow): KnownPlace | undefined
  city(id: number): CityRow | undefined
  /** The city that a page's path names: austin-tx. */
  cityBySlug(slug: string): CityRow | undefined
  /** The most populous first. */
  readonly allCities: readonly CityRow[]
  /** Of the country to which the states and cities belong. */
  readonly region: Region
  readonly serviceNames: ServiceNames
  readonly placeNames: PlaceNames
}

/** The current catalog names: loaded on first use and again after a change notification. Concurrent callers share one load. */
export const getCatalogNames = (ctx: Ctx): Promise<CatalogNames> => loaderOf(ctx)()

const loaderOf = oncePerDeps((deps) =>
  trackedLoad(
    deps.notifications.track({ name: 'names', channels: ['catalog_names_changed', 'marketplace_changed'] }),
    async () => toNames(await selectNames(ctxOf(deps))),
  ),
)

/** Builds the index from the rows of the catalog and of the added words. */
export function toNames(rows: Awaited<ReturnType<typeof selectNames>>): CatalogNames {
  const { services, categories, states, cities, words } = rows
  const vocabulary = new Vocabulary(words)
  const serviceNames = new ServiceNames(services, categories, vocabulary)
  const region = states[0] ? regionOf(states[0]) : UNITED_STATES
  const placeNames = new PlaceNames({ region, states, cities, vocabulary })
  const citiesById = new Map(cities.map((city) => [city.id, city]))
  let citiesBySlug: ReadonlyMap<string, CityRow> | undefined
  return {
    services,
    categories,
    offering: (text) => serviceNames.find(wordsOf(text)),
    servicesLike: (text, limit) =>
      serviceNames
        .resembling(wordsOf(text), 2 * limit)
        .flatMap(({ service }) => service ?? [])
        .slice(0, limit),
    category: (text) => serviceNames.findCategory(wordsOf(text)),
    state: (text) => placeNames.state(wordsOf(text)),
    cities: (name, state) => placeNames.cities(wordsOf(name), state),
    place: (text, state) => placeNames.place(text, state),
    city: (id) => citiesById.get(id),
    cityBySlug: (slug) =>
      // Of two cities with one slug, the more populous has the page.
      (citiesBySlug ??= new Map(cities.toReversed().map((city) => [citySlug(city), city]))).get(slug),
    allCities: cities,
    region,
    serviceNames,
    placeNames,
  }
}
