// `hearth catalog export | import`: the catalog as a file to read, edit and bring to another marketplace.
import type { CatalogChange } from '../features/catalog/entries/schemas.ts'
import { exportCatalog, importCatalog } from '../features/catalog/entries/verbs/catalog-files.ts'
import { plural } from '../platform/text/format.ts'
import { withDeps } from './command-deps.ts'
import { readJsonFile } from './json-file.ts'

/** A new name is written into the search results of every pro who offers the service, which takes longer than a request may. */
const DATABASE_LIMIT_MS = 10 * 60_000

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
  }, DATABASE_LIMIT_MS)

/** "+ service Dog walking" or "~ service Plumber: name "Plumber" → "Pipe fitter"". */
const lineOf = ({ kind, name, isNew, fields }: CatalogChange): string =>
  isNew
    ? `+ ${kind} ${name}`
    : `~ ${kind} ${name}: ${Object.entries(fields)
        .map(([field, [from, to]]) => `${field} ${JSON.stringify(from)} → ${JSON.stringify(to)}`)
        .join(', ')}`
