// What replaces the data of one customer in rows, documents and texts of others.
import { MEMBERS, type Treatment, erasedColumns } from './columns.ts'

export type Row = Readonly<Record<string, unknown>>

const NAME = 'Erased customer'
/** `published_name` in SQL shortens all but a single word. */
const AUTHOR = 'Customer'
const TEXT = '[erased]'
const REVIEW = 'The customer had this text removed.'
/** The members of an address that say where a price was paid, and name no home. */
const KEPT_OF_ADDRESS = new Set(['city', 'state', 'zipCode'])
/** A shorter text may be anyone's. */
const MIN_TELLING_TEXT = 40
const MIN_TEXT = 4
/** How much of a text the database searches for. */
const SEARCHED_LENGTH = 60

/** What is known of a customer, by kind. */
export interface PersonalValues {
  email: string
  names: string[]
  phones: string[]
  streets: string[]
  texts: string[]
  /** Ids and codes of the customer's records. */
  references: string[]
}

export interface Redactor {
  /** A regular expression of PostgreSQL that matches at least what `mentions` does, ignoring case. */
  readonly searched: string
  /** Whether any text in the value names the customer or one of their records. */
  readonly mentions: (value: unknown) => boolean
  /** The value with everything replaced that says who the customer is. */
  readonly redact: (value: unknown) => unknown
}

/**
 * Finds and replaces a customer in texts of others. The e-mail address, phone number, street, long texts and the name tell
 * by themselves; a name of one word, or one that `sharedNames` lists in lower case, and short texts only beside them.
 */
export function openRedactor(
  values: PersonalValues,
  { pseudonym, sharedNames }: { pseudonym: string; sharedNames: readonly string[] },
): Redactor {
  const { email, names, phones, streets, texts, references } = values
  const isTelling = (name: string) => /\S\s+\S/.test(name) && !sharedNames.includes(name.toLowerCase())
  const telling = [
    email,
    ...names.filter(isTelling),
    ...streets,
    ...texts.filter((text) => text.length >= MIN_TELLING_TEXT),
  ]
  const words = names.flatMap((name) => name.split(/[\s,;]+/)).filter((word) => word.length > 2)
  const short = [...names, ...words, ...texts.filter((text) => text.length >= MIN_TEXT)]
  const numbers = phones.flatMap(phonePattern)
  const found = oneOf([...numbers, ...[...telling, ...references].map(pattern)])
  const replaced = oneOf([...numbers, ...[...telling, ...short].toSorted(longestFirst).map(pattern)])
  const fullNames = new Set(names.map((name) => name.toLowerCase()))
  const redactText = (text: string): string => {
    const whole = text.trim().toLowerCase()
    if (whole === email) return pseudonym
    if (fullNames.has(whole)) return NAME
    // Never longer than before, because texts have limits.
    return text.replace(replaced, (match) => (match.length < TEXT.length ? '…' : TEXT))
  }
  return {
    searched: [...numbers, ...[...telling, ...references].map(beginning).map(pattern)].join('|'),
    mentions: (value) => textsIn(value).some((text) => text.search(found) !== -1),
    redact: (value) => mapTexts(value, redactText),
  }
}

/** A row of an erased customer, or of others (`isOwn` is false) who name the customer. */
export const eraseRow = (
  table: string,
  row: Row,
  { pseudonym, isOwn, redactor: { redact } }: { pseudonym: string; isOwn: boolean; redactor: Redactor },
): Row => {
  const isOwnReason = row['cancelled_by'] === 'hearth'
  const treat = { pseudonym, redact, isOwn, isOwnReason }
  const erased = erasedColumns(table).map(([column, treatment]) => [column, treated(treatment, row[column], treat)])
  return { ...row, ...(Object.fromEntries(erased) as Row) }
}

interface Treating {
  pseudonym: string
  redact: Redactor['redact']
  isOwn: boolean
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
      return TEXT
    case 'review':
      return REVIEW
    case 'photos':
      return []
    case 'input':
      return '{}'
    case 'address':
      return isObject(value)
        ? Object.fromEntries(Object.entries(value).filter(([name]) => KEPT_OF_ADDRESS.has(name)))
        : TEXT
    case 'reason':
      return treat.isOwnReason ? value : TEXT
    case 'mention':
    case 'mentions':
      return treat.redact(value)
    case 'document':
      return treatedDocument(value, treat)
    case 'body':
      return JSON.stringify(treatedDocument(JSON.parse(value as string), treat))
    case 'none':
    case 'business':
    case 'deleted':
      return value
  }
}

function treatedDocument(value: unknown, treat: Treating, name = ''): unknown {
  if (!treat.isOwn) return treat.redact(value)
  if (Array.isArray(value)) return value.map((item: unknown) => treatedDocument(item, treat, name))
  if (!isObject(value)) return value
  const inside = { ...treat, isOwnReason: value['cancelledBy'] === 'hearth' }
  const members = Object.entries(value).map(([key, member]) => {
    const treatment = treatmentOf(name, key)
    return [key, treatment ? treated(treatment, member, inside) : treatedDocument(member, inside, key)]
  })
  return Object.fromEntries(members)
}

const treatmentOf = (parent: string, key: string) => MEMBERS[`${parent}.${key}`] ?? MEMBERS[key]

/** The texts that customers write, as columns and as members of documents. */
const WRITTEN = new Set('description budget timeline title content decline_reason declineReason photos'.split(' '))

/** Collects what rows of the customer, and documents in them, say about the customer. */
export function valuesIn(table: string, rows: readonly Row[]): Omit<PersonalValues, 'email' | 'references'> {
  const values: ReturnType<typeof valuesIn> = { names: [], phones: [], streets: [], texts: [] }
  const collect = (treatment: Treatment, key: string, value: unknown): void => {
    if (value === null || value === undefined) return
    if (treatment === 'document') visit(value)
    else if (treatment === 'body') visit(JSON.parse(value as string))
    else if (treatment === 'name' || treatment === 'author') values.names.push(...textsIn(value))
    else if (treatment === 'address') values.streets.push(...streetsIn(value))
    else if (/phone$/i.test(key)) values.phones.push(...textsIn(value))
    else if (WRITTEN.has(key)) values.texts.push(...textsIn(value))
  }
  const visit = (value: unknown, name = ''): void => {
    if (Array.isArray(value)) for (const item of value) visit(item, name)
    if (!isObject(value)) return
    for (const [key, member] of Object.entries(value)) {
      const treatment = treatmentOf(name, key)
      if (treatment) collect(treatment, key, member)
      else visit(member, key)
    }
  }
  for (const row of rows)
    for (const [column, treatment] of erasedColumns(table)) collect(treatment, column, row[column])
  return values
}

function streetsIn(address: unknown): string[] {
  if (!isObject(address)) return textsIn(address)
  return Object.entries(address).flatMap(([name, value]) => (KEPT_OF_ADDRESS.has(name) ? [] : textsIn(value)))
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item: unknown) => mapTexts(item, change))
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapTexts(member, change)]))
    : value
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Patterns that mean the same in JavaScript and in PostgreSQL. */
const pattern = (text: string): string =>
  text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`).replaceAll(/\s+/g, String.raw`\s+`)

/** The digits of a phone number with any punctuation, with or without the country code; at least seven. */
function phonePattern(phone: string): string[] {
  const digits = phone.replaceAll(/\D/g, '').slice(-10)
  return digits.length < 7 ? [] : [`(?:1[-\\s().]{0,3})?${Array.from(digits).join('[-\\s().]{0,3}')}`]
}

/** The first line of a text without characters that JSON escapes, up to a length. */
const beginning = (text: string): string => /^[^"\\\p{Cc}]*/u.exec(text)?.[0].slice(0, SEARCHED_LENGTH) || text

const oneOf = (patterns: readonly string[]): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${patterns.join('|')})(?![\\p{L}\\p{N}])`, 'giu')

const longestFirst = (a: string, b: string): number => b.length - a.length
