// Operators add services by lines of text, all of them or none.
import type { Ctx } from '../../../../ctx.ts'
import { AppError, invalidFields } from '../../../../errors/app-error.ts'
import type { OperatorId } from '../../../upkeep/audit/verbs.ts'
import { type LineFault, matchLines, readLines } from '../rules/lines.ts'
import type { CatalogChange } from '../schemas.ts'
import { importCatalog } from './catalog-files.ts'
import { getCategoryEntry } from './entries.ts'

interface Lines {
  by: OperatorId
  categoryId: string
  text: string
  isDryRun?: boolean
}

/**
 * Adds and changes the services that the lines name, in their order, and returns what changed: nothing the second time. With `isDryRun`
 * it returns what would. Throws validation_failed, which names each wrong line as `lines.3`, and not_found.
 */
export async function addLines(ctx: Ctx, { by, categoryId, text, isDryRun = false }: Lines): Promise<CatalogChange[]> {
  const { catalog, category } = await getCategoryEntry(ctx, { id: categoryId })
  const { lines, faults: unread } = readLines(text)
  const { entries, faults: others } = matchLines(catalog, { category, lines })
  refuse([...unread, ...others])
  const { id, slug, name } = category
  const file = { categories: [{ id, slug, name, services: entries.map(({ service }) => service) }] }
  try {
    return await importCatalog(ctx, { by, file, isDryRun })
  } catch (error) {
    const faults = (error instanceof AppError ? (error.errors ?? []) : []).flatMap(({ path, message }): LineFault[] => {
      const [, index, field = 'name'] = /^categories\.0\.services\.(\d+)(?:\.(\w+))?/.exec(path) ?? []
      const line = index === undefined ? undefined : entries[Number(index)]?.line
      return line === undefined ? [] : [{ line, message: `${COLUMNS[field] ?? 'it'} ${message}` }]
    })
    refuse(faults)
    throw error
  }
}

/** What a line calls the fields of a service. */
const COLUMNS: Readonly<Record<string, string>> = {
  name: 'the name',
  slug: 'its address, which follows from the name,',
  priceType: 'the price',
  unit: 'the unit',
  durationMinutes: 'the length',
  synonyms: 'other names',
}

function refuse(faults: readonly LineFault[]): void {
  if (faults.length === 0) return
  const inOrder = faults.toSorted((one, other) => one.line - other.line)
  throw invalidFields(inOrder.map(({ line, message }) => ({ path: `lines.${line}`, message })))
}
