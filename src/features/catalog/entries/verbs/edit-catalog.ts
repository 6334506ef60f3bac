// Every change of the catalog: checked against all of it, written with the audit log in one transaction.
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import { invalidFields } from '../../../../errors/app-error.ts'
import { type OperatorId, recordAction } from '../../../upkeep/audit/verbs.ts'
import {
  deleteFormerSlug,
  insertFormerSlug,
  lockCatalog,
  moveFormerSlugs,
  saveCategory,
  saveService,
  selectCategoryEntries,
  selectServiceEntries,
} from '../queries.sql.ts'
import { changesBetween, lostSlugs, slugOfName } from '../rules/changes.ts'
import { entryFaults } from '../rules/entry-faults.ts'
import { isMerged, mergeFaults } from '../rules/merging.ts'
import { withPositions } from '../rules/order.ts'
import type { Catalog, CatalogChange, CategoryEntry, EntryFault, EntryKind, ServiceEntry } from '../schemas.ts'

interface CatalogEdit {
  by: OperatorId
  /** The catalog as it should be. */
  edit: (catalog: Catalog) => Catalog
  /** Only says what would change. */
  isDryRun?: boolean
  /** What the sender calls a field of an entry; by default its name. */
  pathOf?: (fault: EntryFault) => string
}

/** All entries in order, also those that are retired. */
export async function getCatalog(ctx: Ctx): Promise<Catalog> {
  return await readCatalog(ctx.read)
}

async function readCatalog(runner: Ctx['read']): Promise<Catalog> {
  const [categories, services] = await Promise.all([
    selectCategoryEntries<Pick<CategoryEntry, 'synonyms' | 'formerSlugs'>>(runner),
    selectServiceEntries<Pick<ServiceEntry, 'synonyms' | 'formerSlugs' | 'questions'>>(runner),
  ])
  return { categories, services }
}

/**
 * Changes the catalog and returns what has changed. The search rows of the pros change in the same transaction; the names in memory
 * follow by notification. Throws validation_failed, which names every field that is wrong.
 */
export const editCatalog = (
  ctx: Ctx,
  { by, edit, isDryRun = false, pathOf = ({ path }) => path }: CatalogEdit,
): Promise<CatalogChange[]> =>
  ctx.transaction('editCatalog', async (ctx) => {
    const before = await lockedCatalog(ctx)
    const after = positioned(edit(before))
    const faults = [...entryFaults(before, after), ...mergeFaults(before, after)]
    if (faults.length > 0) throw invalidFields(faults.map((fault) => ({ path: pathOf(fault), message: fault.message })))
    const changes = changesBetween(before, after)
    if (isDryRun) return changes
    await writeCatalog(ctx, { before, after })
    for (const { kind, id, isNew, fields } of changes) {
      const action = `${kind}.${isNew ? 'added' : fields['mergedInto'] ? 'merged' : 'changed'}` as const
      await recordAction(ctx, { action, subjectId: id, professionalId: null, by, details: { fields } })
    }
    return changes
  })

/** The catalog, which no other transaction changes until this one ends. */
export async function lockedCatalog(ctx: TxCtx): Promise<Catalog> {
  await lockCatalog(ctx)
  return await readCatalog(ctx.read)
}

/** Writes what differs from the {@link lockedCatalog}. */
export async function writeCatalog(ctx: TxCtx, { before, after }: { before: Catalog; after: Catalog }): Promise<void> {
  for (const entry of after.categories) await writeCategory(ctx, before, entry)
  for (const entry of after.services) await writeService(ctx, before, entry)
}

/** The catalog with positions that keep its order. */
const positioned = ({ categories, services }: Catalog): Catalog => {
  const ids = [...new Set(services.map(({ categoryId }) => categoryId))]
  return {
    categories: withPositions(categories),
    services: ids.flatMap((id) => withPositions(services.filter(({ categoryId }) => categoryId === id))),
  }
}

async function writeCategory(ctx: TxCtx, before: Catalog, entry: CategoryEntry): Promise<void> {
  const old = before.categories.find(({ id }) => id === entry.id)
  if (Bun.deepEquals(old, entry)) return
  const { formerSlugs: _, ...row } = entry
  await saveCategory(ctx, { ...row, synonyms: JSON.stringify(entry.synonyms) })
  await writeFormerSlugs(ctx, { kind: 'category', old, entry, catalog: before })
}

async function writeService(ctx: TxCtx, before: Catalog, entry: ServiceEntry): Promise<void> {
  const old = before.services.find(({ id }) => id === entry.id)
  if (Bun.deepEquals(old, entry)) return
  const { formerSlugs: _, ...row } = entry
  await saveService(ctx, { ...row, synonyms: JSON.stringify(entry.synonyms) })
  await writeFormerSlugs(ctx, { kind: 'service', old, entry, catalog: before })
}

/**
 * What the entry was called before still leads to it, unless another entry is called so. Once it is merged, all that it was called
 * leads to the target.
 */
async function writeFormerSlugs(
  ctx: TxCtx,
  {
    kind,
    old,
    entry,
    catalog,
  }: { kind: EntryKind; old: CategoryEntry | undefined; entry: CategoryEntry; catalog: Catalog },
): Promise<void> {
  const others = [...catalog.categories, ...catalog.services].filter(({ id }) => id !== entry.id)
  const ownerId = isMerged(entry) ? entry.mergedInto : entry.id
  const owner = kind === 'category' ? { categoryId: ownerId } : { serviceId: ownerId }
  const insert = async (slugs: readonly string[]) => {
    for (const slug of slugs.filter((slug) => !others.some((other) => other.slug === slug)))
      await insertFormerSlug(ctx, { ...owner, slug, now: ctx.clock.now() })
  }
  if (isMerged(entry)) {
    await moveFormerSlugs(ctx, { id: entry.id, intoId: ownerId ?? '' })
    await insert([entry.slug, slugOfName(entry.name)])
    return
  }
  await deleteFormerSlug(ctx, { slug: entry.slug })
  if (old) await insert(lostSlugs(old, entry))
}
