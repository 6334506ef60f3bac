// What an erasure makes of a row of a customer, column by column. Nothing here looks for anything in a text.
import { COLUMNS, MEMBERS, type Treatment } from './columns.ts'

export type Row = Readonly<Record<string, unknown>>

/** What a row is erased for. */
export interface Erasing {
  readonly pseudonym: string
  /** Ids of the customer's records. */
  readonly records: ReadonlySet<string>
}

const NAME = 'Erased customer'
/** `published_name` in SQL shortens all but a single word. */
const AUTHOR = 'Customer'
/** In place of a text. */
export const ERASED_TEXT = '[erased]'
const REVIEW = 'The customer had this text removed.'
const REPLY = 'This reply was removed together with the review.'
/** The members of an address that say where a price was paid, and name no home. */
const KEPT_OF_ADDRESS = new Set(['city', 'state', 'zipCode'])
const KEPT: ReadonlySet<Treatment> = new Set(['none', 'business', 'others', 'ages', 'deleted'])

/** The columns of a table that an erasure changes, with their treatments. */
export const erasedColumns = (table: string): [column: string, treatment: Treatment][] =>
  Object.entries(COLUMNS[table] ?? {}).flatMap(([treatment, columns]) =>
    KEPT.has(treatment as Treatment)
      ? []
      : columns.split(' ').map((column): [string, Treatment] => [column, treatment as Treatment]),
  )

/** A row of an erased customer, or a copy of such a row. */
export const eraseRow = (table: string, row: Row, erasing: Erasing): Row => {
  const treat = { ...erasing, isOwnReason: row['cancelled_by'] === 'hearth' }
  const erased = erasedColumns(table).map(([column, treatment]) => [column, treated(treatment, row[column], treat)])
  return { ...row, ...(Object.fromEntries(erased) as Row) }
}

interface Treating extends Erasing {
  /** The reason is one of ours. */
  isOwnReason: boolean
}

function treated(treatment: Treatment, value: unknown, treat: Treating): unknown {
  if (value === null || value === undefined) return null
  switch (treatment) {
    case 'name':
      return NAME
    case 'author':
      return AUTHOR
    case 'email':
      return treat.pseudonym
    case 'cleared':
      return null
    case 'text':
      return ERASED_TEXT
    case 'review':
      return REVIEW
    case 'reply':
      return REPLY
    case 'photos':
      return []
    case 'input':
      return '{}'
    case 'items':
      return objectsIn(value).map((item) => ({ ...item, description: ERASED_TEXT }))
    case 'address':
      return isObject(value)
        ? Object.fromEntries(Object.entries(value).filter(([name]) => KEPT_OF_ADDRESS.has(name)))
        : ERASED_TEXT
    case 'reason':
      return treat.isOwnReason ? value : ERASED_TEXT
    case 'brief':
      return treatedBrief(value, treat)
    case 'document':
      return treatedDocument(value, treat)
    case 'body':
      return JSON.stringify(treatedDocument(JSON.parse(value as string), treat))
    case 'none':
    case 'business':
    case 'others':
    case 'ages':
    case 'deleted':
      return value
  }
}

function treatedDocument(value: unknown, treat: Treating, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => treatedDocument(item, treat, name))
  if (!isObject(value)) return value
  const inside = { ...treat, isOwnReason: value['cancelledBy'] === 'hearth' }
  const members = Object.entries(value).map(([key, member]) => {
    const treatment = MEMBERS[`${name}.${key}`] ?? MEMBERS[key]
    return [key, treatment ? treated(treatment, member, inside) : treatedDocument(member, inside, key)]
  })
  return Object.fromEntries(members)
}

/** A pro's day with the customer's stops and jobs without the customer, and the stops and jobs of others as they are. */
function treatedBrief(brief: unknown, { records }: Treating): unknown {
  if (!isObject(brief)) return brief
  const stops = objectsIn(brief['stops'])
  const isOwn = (id: unknown) => typeof id === 'string' && records.has(id)
  const withoutCustomer = { customer: { name: NAME, phone: null }, address: null }
  const asked = new Set(
    stops
      .filter(({ bookingId }) => isOwn(bookingId))
      .map(({ start, service, customer }) => missingAddress(start, service, customer)),
  )
  return {
    ...brief,
    stops: stops.map((stop) => (isOwn(stop['bookingId']) ? { ...stop, ...withoutCustomer, notes: null } : stop)),
    jobs: objectsIn(brief['jobs']).map((job) =>
      isOwn(job['jobId']) ? { ...job, ...withoutCustomer, bring: [] } : job,
    ),
    warnings: (Array.isArray(brief['warnings']) ? brief['warnings'] : []).filter((warning) => !asked.has(warning)),
  }
}

/** The one warning of a brief that names its customer, as src/features/agents/drafts/verbs/day-briefs.ts writes it. */
const missingAddress = (start: unknown, service: unknown, customer: unknown): unknown =>
  `${String(start)} ${String(service)} has no address: ask ${isObject(customer) ? String(customer['name']) : ''}.`

const objectsIn = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isObject) : [])

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
