// Operators merge services and categories. First everything is copied to the target, in parts, while both are found. Then one
// transaction makes the names of the one mean the other. Once all processes know that, search results lose the old one.
import type { Ctx } from '../../../../ctx.ts'
import type { OperatorId } from '../../../upkeep/audit/verbs.ts'
import { continueSearchRefresh, copyOffers, findSearchRefreshes, isRefreshing, lockService } from '../queries.sql.ts'
import { checkMerge, isBeingMerged, isMerged, merged } from '../rules/merging.ts'
import type { Catalog, CategoryEntry, EntryKind } from '../schemas.ts'
import { editCatalog, getCatalog, lockedCatalog, writeCatalog } from './edit-catalog.ts'

/** Pros that one transaction changes, and whose bookings wait for it. */
const PART = 100
/** Names in memory follow a change within a second. */
const HEARD_MS = 5000

interface Merging {
  by: OperatorId
  id: string
  into: string
}

/**
 * Makes a service part of another one: pros who offer it offer the other one at their price, unless they do so already; its names find
 * the other one; its bookings, jobs and quotes stay as they are. Repeating it continues it. Returns whether it is complete:
 * {@link continueCatalogWork} does the rest for many pros. Throws not_found and validation_failed.
 */
export const mergeService = (ctx: Ctx, merging: Merging): Promise<boolean> => begin(ctx, 'service', merging)

/** Makes a category part of another one, which gets its services. Otherwise as {@link mergeService}. */
export const mergeCategory = (ctx: Ctx, merging: Merging): Promise<boolean> => begin(ctx, 'category', merging)

const LISTS = { category: 'categories', service: 'services' } as const

async function begin(ctx: Ctx, kind: EntryKind, { by, id, into }: Merging): Promise<boolean> {
  const list = LISTS[kind]
  const markedIn = <Entry extends CategoryEntry>(entries: readonly Entry[]): Entry[] => {
    const { entry } = checkMerge(entries, { id, into })
    return entries.map((it) => (it === entry ? { ...it, mergedInto: into } : it))
  }
  await editCatalog(ctx, {
    by,
    edit: (catalog) => withList(catalog, kind, markedIn),
  })
  await continueMerge(ctx, { kind, id, limit: PART })
  return (await getCatalog(ctx))[list].some((entry) => entry.id === id && isMerged(entry))
}

/**
 * Does the next part of what an edit of the catalog has left to do: copies what is being merged, retires what was merged, and refreshes
 * the search results of pros. Returns false when there is nothing to do now.
 */
export async function continueCatalogWork(ctx: Ctx, { limit = PART }: { limit?: number } = {}): Promise<boolean> {
  const catalog = await getCatalog(ctx)
  for (const kind of ['service', 'category'] as const)
    for (const entry of catalog[LISTS[kind]]) {
      if (isBeingMerged(entry) && (await continueMerge(ctx, { kind, id: entry.id, limit }))) return true
      if (isOutlived(ctx, entry) && (await retireMerged(ctx, { kind, id: entry.id }))) return true
    }
  const part = await continueSearchRefresh(ctx, { limit })
  return part?.hasRefreshed === true
}

/** Whether an edit of the catalog has left something to do. */
export async function hasCatalogWork(ctx: Ctx): Promise<boolean> {
  const { categories, services } = await getCatalog(ctx)
  const isUnderWay = [...categories, ...services].some(({ active, mergedInto }) => active && mergedInto !== null)
  return isUnderWay || (await hasSearchRefreshes(ctx))
}

/** Whether searches lack a change of the catalog with some pros. */
export async function hasSearchRefreshes(ctx: Ctx): Promise<boolean> {
  const waiting = await findSearchRefreshes(ctx.write)
  return waiting?.hasRefreshes === true
}

/** Copies the next part. When nothing is left to copy, the names of the entry mean its target. Returns whether it did something. */
const continueMerge = (
  ctx: Ctx,
  { kind, id, limit }: { kind: EntryKind; id: string; limit: number },
): Promise<boolean> =>
  ctx.transaction('continueMerge', async (ctx) => {
    const before = await lockedCatalog(ctx)
    const entry = before[LISTS[kind]].find((it) => it.id === id)
    if (!entry || entry.mergedInto === null || isMerged(entry)) return false
    if (kind === 'service') {
      await lockService(ctx, { id })
      const part = await copyOffers(ctx, { fromId: id, intoId: entry.mergedInto, limit })
      if (part?.hasMore === true) return true
    } else {
      const waiting = await isRefreshing(ctx, { categoryId: id })
      if (waiting?.isRefreshing === true) return false
    }
    const at = ctx.clock.now().toISOString()
    const mergedIn = <Entry extends CategoryEntry>(entries: readonly Entry[]) => merged(entries, { id, at })
    await writeCatalog(ctx, { before, after: withList(before, kind, mergedIn) })
    return true
  })

/** Processes have heard of the new meaning of its names: no search asks for its facet. */
const isOutlived = (ctx: Ctx, { active, replacedAt }: CategoryEntry): boolean =>
  active && replacedAt !== null && ctx.clock.now().getTime() - Date.parse(replacedAt) > HEARD_MS

/** Retires what was merged, which search results lose. The services of a category go to its target. */
const retireMerged = (ctx: Ctx, { kind, id }: { kind: EntryKind; id: string }): Promise<boolean> =>
  ctx.transaction('retireMerged', async (ctx) => {
    const before = await lockedCatalog(ctx)
    const entry = before[LISTS[kind]].find((it) => it.id === id)
    if (!entry?.active || entry.mergedInto === null) return false
    const target = entry.mergedInto
    const retired = withList(before, kind, (entries) =>
      entries.map((it) => (it.id === id ? { ...it, active: false } : it)),
    )
    const services = retired.services.map((it) =>
      it.categoryId === id ? { ...it, categoryId: target, position: null } : it,
    )
    await writeCatalog(ctx, { before, after: { ...retired, services } })
    return true
  })

/** The catalog with another list of one kind. */
const withList = (
  { categories, services }: Catalog,
  kind: EntryKind,
  change: <Entry extends CategoryEntry>(entries: readonly Entry[]) => Entry[],
): Catalog =>
  kind === 'category' ? { categories: change(categories), services } : { categories, services: change(services) }
