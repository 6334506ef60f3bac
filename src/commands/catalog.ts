// `hearth catalog export | import | starter | add | merge`: the catalog as a file, services to begin with, lines of services, merges.
import type { Ctx } from '../ctx.ts'
import type { CatalogChange, CategoryEntry } from '../features/catalog/entries/schemas.ts'
import { AppError } from '../errors/app-error.ts'
import { starterServices } from '../features/catalog/entries/rules/starter.ts'
import { trades } from '../features/catalog/entries/starter-set.ts'
import { addLines } from '../features/catalog/entries/verbs/add-lines.ts'
import { addStarters } from '../features/catalog/entries/verbs/starter.ts'
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
import { readJsonFile, readTextFile } from './read-file.ts'

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
    await report(ctx, changes, dryRun)
  })

/** Adds services of the starter set: all of them, or those that `only` names. With `--dry-run` it only prints. */
export const runCatalogStarter = ({ only, dryRun = false }: { only?: string; dryRun?: boolean }) =>
  withDeps(async (ctx) => {
    const names = only?.split(',').map((slug) => slug.trim())
    const services = starterServices(names ?? trades.map(({ slug }) => slug))
    await report(ctx, await addStarters(ctx, { by: null, services, isDryRun: dryRun }), dryRun)
  })

/** Adds services by lines of a file, or of standard input for `-`. With `--dry-run` it only prints. */
export const runCatalogAdd = (path: string, { category, dryRun = false }: { category: string; dryRun?: boolean }) =>
  withDeps(async (ctx) => {
    const { categories } = await getCatalog(ctx)
    const categoryId = categories.find(({ slug }) => slug === category)?.id
    if (categoryId === undefined)
      throw new UsageError(
        `The catalog has no category ${category}. It has: ${categories.map(({ slug }) => slug).join(', ') || 'none yet'}.`,
      )
    const text = await readTextFile(path)
    try {
      await report(ctx, await addLines(ctx, { by: null, categoryId, text, isDryRun: dryRun }), dryRun)
    } catch (error) {
      if (!(error instanceof AppError) || !error.errors?.every(({ path }) => path.startsWith('lines.'))) throw error
      const lines = error.errors.map(({ path, message }) => `  ${path.replace('lines.', 'line ')} ${message}`)
      throw new UsageError(`Nothing was added:\n${lines.join('\n')}`)
    }
  })

/** Prints each change, and does what it leaves to do. */
async function report(ctx: Ctx, changes: readonly CatalogChange[], dryRun: boolean): Promise<void> {
  for (const change of changes) console.log(lineOf(change))
  const added = changes.filter(({ isNew }) => isNew).length
  const summary = `${plural(added, 'entry', 'entries')} added, ${changes.length - added} changed.`
  console.log(dryRun ? `${summary} Nothing was written: this is a dry run.` : summary)
  if (!dryRun) await finish(ctx)
}

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
