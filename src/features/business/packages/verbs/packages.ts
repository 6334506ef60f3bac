// Lists, finds and compares packages.
import { type Viewer, testAccountOf } from '../../../../auth/caller.ts'
import type { Ctx } from '../../../../ctx.ts'
import { AppError, invalidField } from '../../../../errors/app-error.ts'
import { takesPayments } from '../../../../payments/open-provider.ts'
import { findDepositTakers } from '../../../search/pros/verbs/online-offers.ts'
import type { Defaults } from '../../../upkeep/marketplace/rules/defaults.ts'
import { getDefaults } from '../../../upkeep/marketplace/verbs.ts'
import { type CatalogNames, getCatalogNames } from '../../../catalog/services/verbs/names.ts'
import { fromCents } from '../../../../platform/schema/money.ts'
import { withFee } from '../../../../platform/schema/price.ts'
import { pageMeta, pageOf } from '../../../../platform/schema/paging.ts'
import type { Package, PackageComparison, PackagesPage, PackagesQuery } from '../schemas.ts'
import { countPackages, selectPackages, selectPackagesByIdOrSku, selectSkus } from '../queries.ts'

/** One page of matching packages, cheapest first; with `isBookable` only those that can be booked at once. An unknown place or service has none. */
export async function listPackages(
  ctx: Ctx<Viewer>,
  { isBookable = false, ...query }: PackagesQuery & { isBookable?: boolean },
): Promise<PackagesPage> {
  // Without a provider, the fee cannot be paid.
  const { feeCents } = await getDefaults(ctx)
  if (isBookable && !takesPayments(ctx.config, testAccountOf(ctx.actor)) && feeCents > 0)
    return { packages: [], meta: pageMeta(0, query) }
  const names = await getCatalogNames(ctx)
  const place = query.location === undefined ? {} : placeOf(names, query.location)
  const service = query.service === undefined ? undefined : names.offering(query.service)?.service
  const isKnown = query.service === undefined || service !== undefined
  const { packages, total } =
    place && isKnown
      ? await selectPackages(ctx, {
          professionalId: null,
          testAccountId: testAccountOf(ctx.actor),
          kind: query.kind ?? null,
          serviceId: service?.id ?? null,
          cityIds: place.cityIds ?? null,
          state: place.state ?? null,
          bedrooms: query.bedrooms ?? null,
          maxPriceCents: query.maxPrice === undefined ? null : Math.round(query.maxPrice * 100),
          isBookable,
          ...pageOf(query),
        })
      : { packages: [], total: 0 }
  const offered = await asBookable(ctx, packages)
  return { packages: isBookable ? offered.filter(({ bookable }) => bookable) : offered, meta: pageMeta(total, query) }
}

/** The packages of a pro, cheapest first; empty when FEATURE_OFFER_PACKAGES is off. */
export async function listPackagesOfPro(ctx: Ctx, { professionalId }: { professionalId: string }): Promise<Package[]> {
  const { config } = ctx
  if (!config.features.has('FEATURE_OFFER_PACKAGES')) return []
  const anything = {
    kind: null,
    serviceId: null,
    cityIds: null,
    state: null,
    bedrooms: null,
    maxPriceCents: null,
    isBookable: false,
  }
  const { packages } = await selectPackages(ctx, {
    ...anything,
    professionalId,
    testAccountId: null,
    limit: MAX_PACKAGES_OF_PRO,
    offset: 0,
  })
  return withPackageFee(packages, await getDefaults(ctx))
}

const MAX_PACKAGES_OF_PRO = 20

/** One package by id or sku. Throws package_not_found. */
export async function getPackage(ctx: Ctx<Viewer>, { name }: { name: string }): Promise<Package> {
  const rows = await selectPackagesByIdOrSku(ctx, { names: [name], testAccountId: testAccountOf(ctx.actor) })
  const [offered] = await asBookable(ctx, rows)
  if (!offered) throw packageNotFound(name)
  return offered
}

/** Compares two to four packages, in the requested order. Throws validation_failed and package_not_found. */
export async function comparePackages(ctx: Ctx<Viewer>, { ids }: { ids: string }): Promise<PackageComparison> {
  const names = ids.split(',').map((name) => name.trim())
  if (names.length < 2 || names.length > 4 || names.includes('')) throw notComparable()
  const rows = await asBookable(
    ctx,
    await selectPackagesByIdOrSku(ctx, { names, testAccountId: testAccountOf(ctx.actor) }),
  )
  const packages = names.map((name) => {
    const match = rows.find(({ id, sku }) => id === name.toLowerCase() || sku === name.toUpperCase())
    if (!match) throw packageNotFound(name)
    return match
  })
  // The same package may be named by its id and its sku.
  if (new Set(packages.map(({ id }) => id)).size < packages.length) throw notComparable()
  return { packages, comparison: compare(packages) }
}

/** With the fee, which every booking of a package takes. */
const withPackageFee = (packages: readonly Package[], { feeCents }: Defaults): Package[] =>
  packages.map((one) => ({ ...one, pricing: withFee(one.pricing, fromCents(feeCents)) }))

/** Packages as they can be booked here: without a payment provider, only where nothing is due when booking. */
async function asBookable(ctx: Ctx<Viewer>, found: readonly Package[]): Promise<Package[]> {
  const defaults = await getDefaults(ctx)
  const packages = withPackageFee(found, defaults)
  if (takesPayments(ctx.config, testAccountOf(ctx.actor))) return packages
  const takers = await findDepositTakers(ctx, { ids: packages.map(({ professional }) => professional.id) })
  const isFree = ({ professional }: Package) => defaults.feeCents === 0 && !takers.has(professional.id)
  return packages.map((one) => ({ ...one, bookable: one.bookable && isFree(one) }))
}

/** Half of what the sitemap protocol allows. */
const SITEMAP_SIZE = 25_000

/** The number of package sitemaps; 0 when FEATURE_OFFER_PACKAGES is off. */
export async function countPackageSitemaps(ctx: Ctx): Promise<number> {
  return ctx.config.features.has('FEATURE_OFFER_PACKAGES') ? Math.ceil((await countPackages(ctx)) / SITEMAP_SIZE) : 0
}

/** The package skus of one sitemap; empty past the last one. */
export const listPackageSkus = (ctx: Ctx, { part }: { part: number }): Promise<string[]> =>
  ctx.config.features.has('FEATURE_OFFER_PACKAGES')
    ? selectSkus(ctx, { limit: SITEMAP_SIZE, offset: part * SITEMAP_SIZE })
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

const notComparable = () => invalidField('query.ids', 'must name two to four different packages, separated by commas')

const packageNotFound = (name: string) => new AppError('package_not_found', `No package has the id or sku "${name}".`)

/** A city, a state, the cities of a region, or the city of a ZIP code; undefined for an unknown place. */
function placeOf(names: CatalogNames, text: string): { cityIds?: number[]; state?: string } | undefined {
  const place = names.place(text)
  if (!place) return undefined
  if (place.type === 'state') return { state: place.state }
  if (place.cities) return { cityIds: place.cities().map(({ id }) => id) }
  const cities = names.cities(place.zipCode === null ? text : `${place.name}, ${place.state}`)
  return { cityIds: cities.map(({ id }) => id) }
}
