// What differs between two states of the catalog.
import { wordsOf } from '../../services/words.ts'
import type { Catalog, CatalogChange, CategoryEntry, CategoryFields, EntryKind, ServiceEntry } from '../schemas.ts'

const CATEGORY_FIELDS = [
  'name',
  'slug',
  'synonyms',
  'active',
  'mergedInto',
] as const satisfies readonly (keyof CategoryEntry)[]
const SERVICE_FIELDS = [
  ...CATEGORY_FIELDS,
  'categoryId',
  'description',
  'priceType',
  'unit',
  'durationMinutes',
  'atCustomer',
  'questions',
] as const satisfies readonly (keyof ServiceEntry)[]

/** Every entry that is new, or has another value or place, in the order of the catalog. */
export const changesBetween = (before: Catalog, after: Catalog): CatalogChange[] => [
  ...changesOf('category', CATEGORY_FIELDS, before.categories, after.categories),
  ...after.categories.flatMap(({ id }) => {
    const inCategory = ({ categoryId }: ServiceEntry) => categoryId === id
    return changesOf('service', SERVICE_FIELDS, before.services, after.services.filter(inCategory))
  }),
]

function changesOf<Entry extends CategoryEntry>(
  kind: EntryKind,
  names: readonly (keyof Entry & string)[],
  before: readonly Entry[],
  after: readonly Entry[],
): CatalogChange[] {
  const placeBefore = ranksOf(before.filter(({ id }) => after.some((entry) => entry.id === id)))
  const placeAfter = ranksOf(after.filter(({ id }) => placeBefore.has(id)))
  return after.flatMap((entry): CatalogChange[] => {
    const old = before.find(({ id }) => id === entry.id)
    const different = names.filter((name) => !Bun.deepEquals(old?.[name] ?? null, entry[name] ?? null))
    const [from, to] = [placeBefore.get(entry.id), placeAfter.get(entry.id)]
    const fields = {
      ...Object.fromEntries(different.map((name) => [name, [old?.[name] ?? null, entry[name]] as const])),
      ...(from !== to && { place: [from, to] as const }),
    }
    const { id, name } = entry
    return Object.keys(fields).length === 0 ? [] : [{ kind, id, name, isNew: !old, fields }]
  })
}

const ranksOf = (list: readonly { id: string }[]) => new Map(list.map(({ id }, at) => [id, at + 1]))

/** Changes whenever a field of the entry changes: a form says which state of it was shown. */
export const entryVersion = (entry: CategoryEntry | ServiceEntry): string => {
  const names: readonly (keyof ServiceEntry)[] = SERVICE_FIELDS
  return Bun.hash(JSON.stringify(names.map((name) => (entry as ServiceEntry)[name] ?? null))).toString(36)
}

/** "House Painting & Trim" → house-painting-trim. Empty for a name without letters from a to z and digits. */
export const slugOfName = (name: string): string =>
  wordsOf(name)
    .map((word) => word.replace(/[^a-z\d]/g, ''))
    .filter(Boolean)
    .join('-')
    .slice(0, 100)
    .replace(/-$/, '')

/**
 * The slugs that an entry loses with a change: its slug, and its name as one. The page of a service in a city has either in its
 * address: /plumbers/austin-tx.
 */
export function lostSlugs(old: CategoryFields, entry: CategoryFields): string[] {
  const names = old.name === entry.name ? [] : [slugOfName(old.name)]
  return [...new Set([old.slug, ...names])].filter((slug) => slug !== '' && slug !== entry.slug)
}
