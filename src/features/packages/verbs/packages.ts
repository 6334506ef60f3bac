// Packages: listed, looked up, compared.
import type { Deps } from '../../../deps.ts'
import { AppError, invalidField } from '../../../errors/app-error.ts'
import { type Names, namesOf } from '../../catalog/verbs/names.ts'
import { pageMeta, pageOf } from '../../../platform/schema/paging.ts'
import type { Package, PackageComparison, PackagesPage, PackagesQuery } from '../schemas.ts'
import { countPackages, selectPackages, selectPackagesByName, selectSkus } from '../queries.ts'

/** Packages that fit, cheapest first. A place that does not exist has none. */
export async function listPackages(deps: Deps, query: PackagesQuery): Promise<PackagesPage> {
  const place = query.location === undefined ? {} : placeOf(await namesOf(deps)(), query.location)
  const { packages, total } = place
    ? await selectPackages(deps.read, {
        professionalId: null,
        kind: query.kind ?? null,
        cityIds: place.cityIds ?? null,
        state: place.state ?? null,
        bedrooms: query.bedrooms ?? null,
        maxPriceCents: query.maxPrice === undefined ? null : Math.round(query.maxPrice * 100),
        ...pageOf(query),
      })
    : { packages: [], total: 0 }
  return { packages, meta: pageMeta(total, query) }
}

/** What a pro offers at a fixed price, cheapest first; nothing where packages are not offered at all. */
export async function listPackagesOfPro({ read, config }: Deps, professionalId: string): Promise<Package[]> {
  if (!config.features.has('FEATURE_OFFER_PACKAGES')) return []
  const anything = { kind: null, cityIds: null, state: null, bedrooms: null, maxPriceCents: null }
  const { packages } = await selectPackages(read, { ...anything, professionalId, limit: MAX_OF_PRO, offset: 0 })
  return packages
}

/** A page shows no more. */
const MAX_OF_PRO = 20

/** One package by id or sku. Throws package_not_found. */
export async function getPackage({ read }: Deps, name: string): Promise<Package> {
  const [found] = await selectPackagesByName(read, [name])
  if (!found) throw packageNotFound(name)
  return found
}

/** Two to four packages side by side, in the order asked for. Throws validation_failed, and package_not_found. */
export async function comparePackages({ read }: Deps, ids: string): Promise<PackageComparison> {
  const names = [...new Set(ids.split(',').map((name) => name.trim()))]
  if (names.length < 2 || names.length > 4 || names.includes(''))
    throw invalidField('query.ids', 'must name two to four different packages, separated by commas')
  const found = await selectPackagesByName(read, names)
  const packages = names.map((name) => {
    const match = found.find(({ id, sku }) => id === name.toLowerCase() || sku === name.toUpperCase())
    if (!match) throw packageNotFound(name)
    return match
  })
  return { packages, comparison: compare(packages) }
}

/** Half of what the protocol allows. */
const SITEMAP_SIZE = 25_000

/** How many parts there are; none where packages are not offered. */
export async function countPackageParts({ read, config }: Deps): Promise<number> {
  return config.features.has('FEATURE_OFFER_PACKAGES') ? Math.ceil((await countPackages(read)) / SITEMAP_SIZE) : 0
}

/** The skus of the packages of a part; none beyond the last. */
export const listPackageSkus = ({ read, config }: Deps, part: number): Promise<string[]> =>
  config.features.has('FEATURE_OFFER_PACKAGES')
    ? selectSkus(read, { limit: SITEMAP_SIZE, offset: part * SITEMAP_SIZE })
    : Promise.resolve([])

function compare(packages: Package[]): PackageComparison['comparison'] {
  const [cheapest] = packages.toSorted((a, b) => a.price - b.price)
  const [best] = packages
    .filter(({ professional }) => professional.rating !== null)
    .toSorted((a, b) => (b.professional.rating ?? 0) - (a.professional.rating ?? 0))
  const holders = (item: string) => packages.filter(({ includes }) => includes.includes(item))
  const items = [...new Set(packages.flatMap(({ includes }) => includes))]
  return {
    lowestPrice: cheapest?.id ?? '',
    highestRated: best?.id ?? null,
    inAll: items.filter((item) => holders(item).length === packages.length),
    onlyIn: Object.fromEntries(
      packages.map(({ id }) => [id, items.filter((item) => holders(item).every((holder) => holder.id === id))]),
    ),
  }
}

const packageNotFound = (name: string) => new AppError('package_not_found', `No package has the id or sku "${name}".`)

/** "Austin", "Austin, TX", "TX" or "Texas", as the catalog knows them; undefined for a place that does not exist. */
function placeOf(names: Names, text: string): { cityIds?: number[]; state?: string } | undefined {
  const [name = '', stateText] = text.split(',').map((part) => part.trim())
  const state = stateText === undefined ? undefined : names.state(stateText)
  if (stateText !== undefined && !state) return undefined
  const cities = names.cities(name, state)
  if (cities.length > 0) return { cityIds: cities.map(({ id }) => id) }
  const wholeState = names.state(name)
  return wholeState && stateText === undefined ? { state: wholeState.code } : undefined
}
