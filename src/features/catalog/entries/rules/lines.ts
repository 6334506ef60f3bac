// Services as lines: `name | price | minutes | other names`, as people paste them from a text or a spreadsheet.
import { nameKey, wordsOf } from '../../services/words.ts'
import type { Catalog, CategoryEntry, PriceType, ServiceEntry, ServiceFields } from '../schemas.ts'
import { slugOfName } from './changes.ts'
import type { FileService } from './catalog-file.ts'
import { isMerged } from './merging.ts'

export const MAX_LINES = 200
export const MAX_LINES_TEXT = 40_000
const MAX_COLUMNS = 4

/** What is wrong with one line, counted from 1. */
export interface LineFault {
  readonly line: number
  readonly message: string
}

/** A line that can be read. What it leaves out is undefined. */
export interface ServiceLine {
  readonly line: number
  readonly service: FileService
}

interface Reading {
  readonly lines: readonly ServiceLine[]
  readonly faults: readonly LineFault[]
}

/** Reads all lines. Empty ones, those that begin with # and the names of the columns are left out. */
export function readLines(text: string): Reading {
  const lines: ServiceLine[] = []
  const faults: LineFault[] = []
  const numbers = new Map<string, number>()
  for (const [at, typed] of text.split(/\r\n|\r|\n/).entries()) {
    const line = at + 1
    if (typed.trim() === '' || typed.trim().startsWith('#') || isHeading(typed)) continue
    const read = readLine(typed)
    const key = typeof read === 'string' ? '' : keyOf(read.name)
    const first = numbers.get(key)
    if (typeof read === 'string') faults.push({ line, message: read })
    else if (first !== undefined) faults.push({ line, message: `“${read.name}” is in line ${first} already` })
    else {
      numbers.set(key, line)
      lines.push({ line, service: read })
    }
  }
  if (lines.length + faults.length > MAX_LINES)
    faults.push({
      line: MAX_LINES + 1,
      message: `a text has at most ${MAX_LINES} services: paste the rest after these`,
    })
  return { lines, faults }
}

/**
 * The services of the category as an import takes them: those that it has in their order, then those that are new. `line` is where one
 * stands in the text. A line for a service of another category is a fault, since an import would move that.
 */
export function matchLines(
  { categories, services }: Catalog,
  { category, lines }: { category: CategoryEntry; lines: readonly ServiceLine[] },
): { entries: { line: number | undefined; service: FileService }[]; faults: LineFault[] } {
  const faults: LineFault[] = []
  const known = new Map<string, ServiceLine>()
  const added: ServiceLine[] = []
  for (const one of lines) {
    const found = foundIn(services, one.service)
    const fault = found && faultOf(found, { category, categories })
    const first = found && known.get(found.id)
    if (fault) faults.push({ line: one.line, message: fault })
    else if (first) faults.push({ line: one.line, message: `“${found.name}” is in line ${first.line} already` })
    else if (found) known.set(found.id, one)
    else added.push(one)
  }
  const own = services.filter((it) => it.categoryId === category.id && !isMerged(it))
  const entries = own.map(({ id, name, slug }) => {
    const { line, service } = known.get(id) ?? { line: undefined, service: {} }
    return { line, service: { ...service, id, name, slug } }
  })
  return { entries: [...entries, ...added], faults }
}

const keyOf = (text: string) => nameKey(wordsOf(text))

const foundIn = (services: readonly ServiceEntry[], { slug, name }: FileService) =>
  services.find((it) => keyOf(it.name) === keyOf(name) && it.active) ??
  services.find((it) => [it.slug, ...it.formerSlugs].includes(slug) || keyOf(it.name) === keyOf(name))

function faultOf(
  { name, categoryId, active }: ServiceEntry,
  { category, categories }: { category: CategoryEntry; categories: readonly CategoryEntry[] },
): string | undefined {
  if (categoryId !== category.id)
    return `“${name}” is a service of ${categories.find(({ id }) => id === categoryId)?.name} already`
  return active ? undefined : `“${name}” is a retired service: offer it again on its page`
}

const HEADINGS = new Set(['name', 'service'])

const isHeading = (line: string) => {
  const [name = '', price = ''] = columnsOf(line).map((column) => column.toLowerCase())
  return HEADINGS.has(name) && price.startsWith('price')
}

/** A line of a spreadsheet has tabs. */
const columnsOf = (line: string) =>
  line
    .replace(/[|\t]\s*$/, '')
    .split(line.includes('|') ? '|' : '\t')
    .map((column) => column.trim())

/** The service, or what is wrong with the line. */
function readLine(line: string): FileService | string {
  const columns = columnsOf(line)
  const [name = '', price = '', minutes = '', synonyms = ''] = columns
  if (columns.length > MAX_COLUMNS)
    return `has ${columns.length} columns instead of ${MAX_COLUMNS}: separate other names by commas`
  if (wordsOf(name).length === 0) return 'needs a name in its first column'
  const priced = readPrice(price)
  if (!priced) return `has the price “${price}”: write flat, hourly, or per and a unit, such as “per square foot”`
  const duration = /^(\d{1,5})(?: ?min(?:utes|\.)?)?$/i.exec(minutes)?.[1]
  if (minutes !== '' && duration === undefined)
    return `has the length “${minutes}”: write a number of minutes, such as 90`
  return {
    name,
    slug: slugOfName(name),
    ...(price !== '' && priced),
    ...(duration !== undefined && { durationMinutes: Number(duration) }),
    ...(synonyms !== '' && {
      synonyms: synonyms
        .split(/[,;]/)
        .map((one) => one.trim())
        .filter(Boolean),
    }),
  }
}

type Price = Pick<ServiceFields, 'unit'> & { priceType: PriceType }

const PRICES: Readonly<Record<string, Price>> = {
  '': { priceType: 'flat', unit: null },
  flat: { priceType: 'flat', unit: null },
  'for the visit': { priceType: 'flat', unit: null },
  hourly: { priceType: 'hourly', unit: 'hour' },
  'per hour': { priceType: 'hourly', unit: 'hour' },
}

function readPrice(text: string): Price | undefined {
  const said = text.toLowerCase().replaceAll(/\s+/g, ' ')
  const unit = /^per[ _](.+)$/.exec(said)?.[1]
  return PRICES[said] ?? (unit === undefined || unit === 'unit' ? undefined : { priceType: 'per_unit', unit })
}
