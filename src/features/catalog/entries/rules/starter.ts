// What a catalog has of the starter set, and the catalog with more of it.
import { invalidField } from '../../../../errors/app-error.ts'
import { nameKey, wordsOf } from '../../services/words.ts'
import type { Catalog, CategoryEntry, ServiceEntry } from '../schemas.ts'
import { type CatalogService, type Trade, trades } from '../starter-set.ts'
import { isMerged } from './merging.ts'
import { freeCategoryOrdinal, freeServiceOrdinal } from './ordinals.ts'

/** A category of the set beside the catalog. */
export interface StarterCategory {
  readonly trade: Trade
  /** Where its services go; undefined while the catalog has no such category. */
  readonly category: CategoryEntry | undefined
  readonly services: readonly {
    readonly service: CatalogService
    /** What the catalog has already: the service itself, or another one of its name. */
    readonly present: ServiceEntry | undefined
  }[]
}

/** Every category of the set with its services, and what the catalog has of them. */
export function starterSet({ categories, services }: Catalog): StarterCategory[] {
  const [presentCategory, presentService] = [finderOf(categories), finderOf(services)]
  return trades.map((trade) => ({
    trade,
    category: targetOf(categories, presentCategory(trade)),
    services: trade.services.map((service) => ({ service, present: presentService(service) })),
  }))
}

/** Whether services of the category can be added. */
export const isOpenToStarters = ({ category }: StarterCategory): boolean =>
  category === undefined || (category.active && category.mergedInto === null)

/**
 * The services of the set that the slugs name: their own, or those of their categories. Throws validation_failed for other slugs.
 */
export function starterServices(slugs: readonly string[]): CatalogService[] {
  const ofCategories = new Set(trades.map(({ slug }) => slug))
  return starterServicesIn({
    categories: slugs.filter((slug) => ofCategories.has(slug)),
    services: slugs.filter((slug) => !ofCategories.has(slug)),
  })
}

/** As {@link starterServices}, where a category and a service of one slug are told apart. */
export function starterServicesIn({
  categories,
  services,
}: {
  categories: readonly string[]
  services: readonly string[]
}): CatalogService[] {
  const all = trades.flatMap((trade) => trade.services)
  const unknown =
    services.find((slug) => !all.some((it) => it.slug === slug)) ??
    categories.find((slug) => !trades.some((it) => it.slug === slug))
  if (unknown !== undefined)
    throw invalidField('only', `must be slugs of the starter set. “${unknown}” is none of its categories or services`)
  return trades.flatMap((trade) =>
    trade.services.filter(({ slug }) => categories.includes(trade.slug) || services.includes(slug)),
  )
}

/** The catalog with the services that it lacks, and with their categories. What it has stays as it is. */
export function withStarters(catalog: Catalog, wanted: readonly CatalogService[]): Catalog {
  let { categories, services } = catalog
  for (const row of starterSet(catalog)) {
    const missing = row.services.flatMap(({ service, present }) =>
      present === undefined && wanted.includes(service) ? [service] : [],
    )
    if (missing.length === 0) continue
    if (!isOpenToStarters(row))
      throw invalidField(
        'only',
        `cannot have services of “${row.category?.name}”, which is retired or being merged. Offer it first`,
      )
    const category = row.category ?? newCategory(categories, row.trade)
    if (!row.category) categories = placed(categories, category, trades)
    for (const service of missing) {
      const own = services.filter(({ categoryId }) => categoryId === category.id)
      const entry = newService(services, { ...service, categoryId: category.id })
      services = [...services.filter((it) => !own.includes(it)), ...placed(own, entry, row.trade.services)]
    }
  }
  return { categories, services }
}

const keyOf = (text: string) => nameKey(wordsOf(text))

/** Finds the entry of the set itself, else another one that has its slug, now or formerly, or its name. */
function finderOf<Entry extends CategoryEntry>(entries: readonly Entry[]) {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const bySlug = new Map(
    entries.flatMap((entry) => [entry.slug, ...entry.formerSlugs].map((slug) => [keyOf(slug), entry] as const)),
  )
  const byName = new Map(entries.map((entry) => [keyOf(entry.name), entry]))
  return ({ id, slug, name }: Pick<CategoryEntry, 'id' | 'slug' | 'name'>): Entry | undefined =>
    byId.get(id) ?? bySlug.get(keyOf(slug)) ?? byName.get(keyOf(name))
}

/** What a merged category is part of. */
const targetOf = (categories: readonly CategoryEntry[], found: CategoryEntry | undefined): CategoryEntry | undefined =>
  found && isMerged(found) ? (categories.find(({ id }) => id === found.mergedInto) ?? found) : found

const IDENTITY = { position: null, formerSlugs: [], mergedInto: null, replacedAt: null } as const

function newCategory(
  categories: readonly CategoryEntry[],
  { id, ordinal, name, slug, synonyms }: Trade,
): CategoryEntry {
  const free = isFree(categories, ordinal) ? ordinal : freeCategoryOrdinal(categories)
  if (free === undefined) throw invalidField('only', 'is one category too many: a catalog has at most 99')
  return { ...IDENTITY, id, ordinal: free, name, slug, synonyms, active: true }
}

function newService(services: readonly ServiceEntry[], given: CatalogService): ServiceEntry {
  const { price: _, ordinal, ...service } = given
  const free = isFree(services, ordinal) ? ordinal : freeServiceOrdinal(services)
  return { ...IDENTITY, ...service, questions: [], ordinal: free, active: true }
}

const isFree = (entries: readonly CategoryEntry[], ordinal: number) => entries.every((it) => it.ordinal !== ordinal)

/** The list with the entry beside its neighbours of the set, which the operator may have put into another order. */
function placed<Entry extends CategoryEntry>(
  list: readonly Entry[],
  entry: Entry,
  set: readonly { readonly id: string }[],
): Entry[] {
  const at = set.findIndex(({ id }) => id === entry.id)
  const indexOf = ({ id }: { id: string }) => list.findIndex((it) => it.id === id)
  const before = set.slice(0, at).findLast((it) => indexOf(it) !== -1)
  const after = set.slice(at + 1).find((it) => indexOf(it) !== -1)
  return list.toSpliced(before ? indexOf(before) + 1 : after ? indexOf(after) : list.length, 0, entry)
}
