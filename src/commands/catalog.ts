// `hearth catalog export | import | merge`: the catalog as a file to read, edit and bring to another marketplace; merges.
import type { Ctx } from '../ctx.ts'
import type { CatalogChange, CategoryEntry } from '../features/catalog/entries/schemas.ts'
import { exportCatalog, importCatalog } from '../features/catalog/entries/verbs/catalog-files.ts'
import { getCatalog } from '../features/catalog/entries/verbs/edit-catalog.ts'
import {
  continueCatalogWork,
  hasCatalogWork,
  mergeCategory,
  mergeService,
} from '../features/catalog/entries/verbs/merge.ts'
import { plural } from '../platform/text/format.ts'
import { withDeps } from './command-deps.ts'
import { UsageError } from './failure.ts'
import { readJsonFile } from './json-file.ts'

const WAIT_MS = 200

/** Prints the catalog as JSON. */
export const runCatalogExport = () =>
  withDeps(async (ctx) => {
    console.log(JSON.stringify(await exportCatalog(ctx), null, 2))
  })

/** Adds and changes what the file names, and prints each change. With `--dry-run` it only prints. */
export const runCatalogImport = (path: string, { dryRun = false }: { dryRun?: boolean }) =>
  withDeps(async (ctx) => {
    const changes = await importCatalog(ctx, { by: null, file: readJsonFile(path, 'catalog export'), isDryRun: dryRun })
    for (const change of changes) console.log(lineOf(change))
    const added = changes.filter(({ isNew }) => isNew).length
    const summary = `${plural(added, 'entry', 'entries')} added, ${changes.length - added} changed.`
    console.log(dryRun ? `${summary} Nothing was written: this is a dry run.` : summary)
    if (!dryRun) await finish(ctx)
  })

/** Makes a service, or else a category, part of another one; both by slug. */
export const runCatalogMerge = (slug: string, intoSlug: string) =>
  withDeps(async (ctx) => {
    const { categories, services } = await getCatalog(ctx)
    const idIn = (entries: readonly CategoryEntry[], wanted: string) => entries.find((it) => it.slug === wanted)?.id
    const isService = idIn(services, slug) !== undefined
    const list = isService ? services : categories
    const [id, into] = [idIn(list, slug), idIn(list, intoSlug)]
    if (id === undefined || into === undefined)
      throw new UsageError(
        `The catalog has no ${isService ? 'service' : 'category'} ${id === undefined ? slug : intoSlug}.`,
      )
    await (isService ? mergeService : mergeCategory)(ctx, { by: null, id, into })
    await finish(ctx)
    console.log(`Merged ${slug} into ${intoSlug}.`)
  })

/** Does what is left to do, whether or not workers run. A part that a worker is doing is waited for. */
async function finish(ctx: Ctx): Promise<void> {
  while (await hasCatalogWork(ctx)) if (!(await continueCatalogWork(ctx))) await Bun.sleep(WAIT_MS)
}

/** "+ service Dog walking" or "~ service Plumber: name "Plumber" → "Pipe fitter"". */
const lineOf = ({ kind, name, isNew, fields }: CatalogChange): string =>
  isNew
    ? `+ ${kind} ${name}`
    : `~ ${kind} ${name}: ${Object.entries(fields)
        .map(([field, [from, to]]) => `${field} ${JSON.stringify(from)} → ${JSON.stringify(to)}`)
        .join(', ')}`
