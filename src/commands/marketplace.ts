// `hearth marketplace export | import`: who the marketplace is, as a file.
import { exportMarketplace, importMarketplace } from '../features/upkeep/marketplace/verbs.ts'
import { withDeps } from './command-deps.ts'
import { readJsonFile } from './read-file.ts'

/** Prints what the marketplace says of itself as JSON. */
export const runMarketplaceExport = () =>
  withDeps(async (ctx) => {
    console.log(JSON.stringify(await exportMarketplace(ctx), null, 2))
  })

/** Changes what the file names, and prints the fields that changed. */
export const runMarketplaceImport = (path: string) =>
  withDeps(async (ctx) => {
    const changed = await importMarketplace(ctx, { by: null, file: readJsonFile(path, 'marketplace export') })
    console.log(changed.length === 0 ? 'Nothing has changed.' : `Changed: ${changed.join(', ')}.`)
  })
