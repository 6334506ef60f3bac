// Merging: an entry becomes part of another one. What operators may change meanwhile and afterwards, and what follows in the catalog.
import { AppError, invalidField } from '../../../../errors/app-error.ts'
import type { Catalog, CategoryEntry, EntryFault, ServiceEntry } from '../schemas.ts'
import { MAX_SYNONYMS } from './entry-faults.ts'
import { distinctTexts } from '../../../../platform/text/distinct-texts.ts'

interface Merge<Entry extends CategoryEntry> {
  entry: Entry
  into: Entry
}

/** Whether its names mean the entry that it is part of. */
export const isMerged = ({ replacedAt }: CategoryEntry): boolean => replacedAt !== null

export const isBeingMerged = ({ mergedInto, replacedAt }: CategoryEntry): boolean =>
  mergedInto !== null && replacedAt === null

/** Throws not_found for an unknown entry, and validation_failed, whose path is `into`, for two that cannot be merged. */
export function checkMerge<Entry extends CategoryEntry>(
  entries: readonly Entry[],
  { id, into: intoId }: { id: string; into: string },
): Merge<Entry> {
  const entry = entries.find((it) => it.id === id)
  if (!entry) throw new AppError('not_found', 'The catalog has no such entry. /console/catalog lists all of them.')
  const into = entries.find((it) => it.id === intoId)
  if (!into || into.id === id) throw invalidField('into', 'must be another entry of the catalog')
  if (!entry.active || (entry.mergedInto !== null && entry.mergedInto !== intoId))
    throw invalidField('into', `cannot be chosen: “${entry.name}” is retired or part of another one`)
  if (!into.active || into.mergedInto !== null)
    throw invalidField('into', `must be one that is offered: “${into.name}” is retired or part of another one`)
  const waiting = entries.find((it) => isBeingMerged(it) && it.mergedInto === id)
  if (waiting)
    throw invalidField('into', `cannot be chosen yet: “${waiting.name}” is being merged into “${entry.name}”`)
  const synonyms = synonymsOf({ entry, into })
  if (synonyms.length > MAX_SYNONYMS)
    throw invalidField(
      'into',
      `has ${synonyms.length} other names with those of “${entry.name}”; ${MAX_SYNONYMS} at most`,
    )
  return { entry, into }
}

const synonymsOf = ({ entry, into }: Merge<CategoryEntry>) => distinctTexts([...into.synonyms, ...entry.synonyms])

/** The entries once the names of one mean the other: what was merged into it before is part of the other, too. */
export function merged<Entry extends CategoryEntry>(
  entries: readonly Entry[],
  { id, at }: { id: string; at: string },
): Entry[] {
  const entry = entries.find((it) => it.id === id)
  const into = entries.find((it) => it.id === entry?.mergedInto)
  if (!entry || !into) return [...entries]
  const synonyms = synonymsOf({ entry, into }).slice(0, MAX_SYNONYMS)
  return entries.map((it) => {
    if (it.id === into.id) return { ...it, synonyms }
    if (it.id === entry.id) return { ...it, replacedAt: at }
    return it.mergedInto === entry.id ? { ...it, mergedInto: into.id } : it
  })
}

/** An entry that is or becomes part of another one does not change, and its target is not retired meanwhile. */
export const mergeFaults = (before: Catalog, after: Catalog): EntryFault[] => [
  ...faultsOf('category', before.categories, after.categories),
  ...faultsOf('service', before.services, after.services),
  ...after.services.flatMap((service): EntryFault[] => {
    const category = before.categories.find(({ id }) => id === service.categoryId)
    const old = before.services.find(({ id }) => id === service.id)
    return category && category.mergedInto !== null && old?.categoryId !== category.id
      ? [{ kind: 'service', id: service.id, path: 'categoryId', message: `is part of another one. Choose that` }]
      : []
  }),
]

const faultsOf = <Entry extends CategoryEntry | ServiceEntry>(
  kind: EntryFault['kind'],
  before: readonly Entry[],
  after: readonly Entry[],
): EntryFault[] =>
  after.flatMap((entry): EntryFault[] => {
    const old = before.find(({ id }) => id === entry.id)
    if (!old) return []
    const nameOf = (id: string | null) => before.find((it) => it.id === id)?.name ?? ''
    if (old.mergedInto !== null && !Bun.deepEquals(old, { ...entry, position: old.position }))
      return [
        { kind, id: entry.id, path: 'name', message: `cannot change: this is part of “${nameOf(old.mergedInto)}”` },
      ]
    const waiting = before.find((it) => isBeingMerged(it) && it.mergedInto === entry.id)
    return waiting && !entry.active
      ? [
          {
            kind,
            id: entry.id,
            path: 'active',
            message: `cannot change yet: “${waiting.name}” is being merged into it`,
          },
        ]
      : []
  })
