// Operators add and change categories and services, one at a time.
import type { Ctx } from '../../../../ctx.ts'
import { AppError, invalidField } from '../../../../errors/app-error.ts'
import type { OperatorId } from '../../../upkeep/audit/verbs.ts'
import { entryVersion } from '../rules/changes.ts'
import { normalFields } from '../rules/normal-fields.ts'
import { freeCategoryOrdinal, freeServiceOrdinal } from '../rules/ordinals.ts'
import { placedAfter } from '../rules/order.ts'
import type {
  Catalog,
  CategoryEntry,
  CategoryFields,
  NewServiceFields,
  ServiceEntry,
  ServiceFields,
} from '../schemas.ts'
import { editCatalog, getCatalog } from './edit-catalog.ts'

/** Who acts, and after which neighbour the entry stands: null for the first place, undefined for the last or the same. */
interface Placing {
  by: OperatorId
  after?: string | null | undefined
}

interface Changed {
  id: string
  /** The {@link entryVersion} that was shown; undefined outside of pages. */
  seen?: string | undefined
}

const unknownEntry = () =>
  new AppError('not_found', 'The catalog has no such entry. /console/catalog lists all categories and services.')

/** A category, also one that is retired, beside all others. Throws not_found. */
export async function getCategoryEntry(
  ctx: Ctx,
  { id }: { id: string },
): Promise<{ catalog: Catalog; category: CategoryEntry }> {
  const catalog = await getCatalog(ctx)
  return { catalog, category: requireEntry(catalog.categories, { id }) }
}

/** A service, also one that is retired, beside all others. Throws not_found. */
export async function getServiceEntry(
  ctx: Ctx,
  { id }: { id: string },
): Promise<{ catalog: Catalog; service: ServiceEntry }> {
  const catalog = await getCatalog(ctx)
  return { catalog, service: requireEntry(catalog.services, { id }) }
}

/** Adds a category and returns its id. People see it once it has a service. Throws validation_failed. */
export async function addCategory(ctx: Ctx, { by, after, ...fields }: Placing & CategoryFields): Promise<string> {
  const id = ctx.ids.uuid()
  await editCatalog(ctx, {
    by,
    edit: ({ categories, services }) => {
      const ordinal = freeCategoryOrdinal(categories)
      if (ordinal === undefined) throw invalidField('name', 'is one too many: a catalog has at most 99 categories')
      const entry = {
        ...normalFields(fields),
        id,
        ordinal,
        position: null,
        formerSlugs: [],
        mergedInto: null,
        replacedAt: null,
      }
      return {
        services,
        categories: after === undefined ? [...categories, entry] : placedAfter(categories, entry, after),
      }
    },
  })
  return id
}

/** Adds a service and returns its id. Pros can offer it at once. Throws validation_failed. */
export async function addService(ctx: Ctx, { by, after, ...fields }: Placing & NewServiceFields): Promise<string> {
  const id = ctx.ids.uuid()
  await editCatalog(ctx, {
    by,
    edit: ({ categories, services }) => {
      const identity = {
        id,
        ordinal: freeServiceOrdinal(services),
        position: null,
        formerSlugs: [],
        mergedInto: null,
        replacedAt: null,
      }
      const entry = { questions: [], ...normalFields(fields), ...identity }
      return { categories, services: after === undefined ? [...services, entry] : placedAfter(services, entry, after) }
    },
  })
  return id
}

/**
 * Changes a category: renames, moves, retires or offers it again. Returns whether something has changed. Throws not_found,
 * invalid_transition when it is no longer as it was seen, and validation_failed, such as for a retirement while it has services.
 */
export async function changeCategory(
  ctx: Ctx,
  { by, after, id, seen, ...fields }: Placing & Changed & Partial<CategoryFields>,
): Promise<boolean> {
  const changes = await editCatalog(ctx, {
    by,
    edit: ({ categories, services }) => {
      const entry = { ...requireEntry(categories, { id, seen }), ...normalFields(fields) }
      return { services, categories: withEntry(categories, entry, after) }
    },
  })
  return changes.length > 0
}

/**
 * Changes a service: renames, moves, retires or offers it again. A retired one is found, offered and booked no more; bookings and
 * jobs keep it. Returns whether something has changed. Throws as {@link changeCategory}.
 */
export async function changeService(
  ctx: Ctx,
  { by, after, id, seen, ...fields }: Placing & Changed & Partial<ServiceFields>,
): Promise<boolean> {
  const changes = await editCatalog(ctx, {
    by,
    edit: ({ categories, services }) => {
      const old = requireEntry(services, { id, seen })
      const entry = { ...old, ...normalFields({ ...(fields.priceType === 'flat' && { unit: null }), ...fields }) }
      // In another category, a place among the old neighbours means nothing.
      const others = services.filter((it) => it.id !== id)
      if (entry.categoryId !== old.categoryId)
        return { categories, services: [...others, { ...entry, position: null }] }
      return { categories, services: withEntry(services, entry, after) }
    },
  })
  return changes.length > 0
}

function requireEntry<Entry extends CategoryEntry>(entries: readonly Entry[], { id, seen }: Changed): Entry {
  const entry = entries.find((it) => it.id === id)
  if (!entry) throw unknownEntry()
  if (seen !== undefined && seen !== entryVersion(entry))
    throw new AppError('invalid_transition', 'Another operator changed this meanwhile. Open the page again.')
  return entry
}

const withEntry = <Entry extends { id: string }>(
  list: readonly Entry[],
  entry: Entry,
  after: string | null | undefined,
): Entry[] =>
  after === undefined ? list.map((it) => (it.id === entry.id ? entry : it)) : placedAfter(list, entry, after)
