// String formats, registered once with TypeBox, and the types built on them.
import {
  FormatRegistry,
  type SchemaOptions,
  type StringOptions,
  type TSchema,
  type TUnsafe,
  Type,
} from '@sinclair/typebox'

import { countCharacters } from '../text/plain.ts'
import { IS_NAME } from './normaliser.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
// One @, a dotted domain, no white space. Only a mail server knows whether it can deliver.
const EMAIL =
  /^(?!\.)(?!.*\.[.@])[^\s@"(),:;<>[\\\]]+@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/i
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
// PostgreSQL takes offsets below 16 hours; no zone on earth is further away than 14.
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-](0\d|1[0-5]):[0-5]\d)$/
/** A year later than this one is outside what dates have as text: four digits. */
const LAST_YEAR = '9998'
// The characters of RFC 3986. Browsers also accept spaces, quotes and backslashes; other clients do not.
const URI =
  /^[a-z][a-z0-9+.-]*:(\/\/\[[\da-f:.]+\](?=(?::\d*)?(?:[/?#]|$)))?([!$&-;=?@A-Z_a-z~]|%[\da-f]{2})*(#([!$&-;=?@A-Z_a-z~]|%[\da-f]{2})*)?$/i

/** Whether `text` is a day of the Gregorian calendar from 1900 to 9998. */
export function isCalendarDate(text: string): boolean {
  const [, year, month, day] = DATE.exec(text) ?? []
  if (!year || !month || !day || year < '1900' || year > LAST_YEAR) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.getUTCDate() === Number(day) && date.getUTCMonth() + 1 === Number(month)
}

/** Whether `text` has the form of an e-mail address. */
export function isEmail(text: string): boolean {
  return countCharacters(text) <= 320 && EMAIL.test(text)
}

/** Whether `text` is an RFC 3339 date-time that PostgreSQL can store. */
export function isInstant(text: string): boolean {
  return DATE_TIME.test(text) && isCalendarDate(text.slice(0, 10))
}

/** Whether a text is a UUID, in upper or lower case. */
export const isUuid = (text: string): boolean => UUID.test(text)

FormatRegistry.Set('uuid', isUuid)
FormatRegistry.Set('email', isEmail)
FormatRegistry.Set('date', isCalendarDate)
FormatRegistry.Set('date-time', isInstant)
FormatRegistry.Set('uri', (text) => text.length <= 2048 && URI.test(text) && URL.canParse(text))

export const Uuid = (options: SchemaOptions = {}) => Type.String({ format: 'uuid', ...options })
export const Email = (options: SchemaOptions = {}) => Type.String({ format: 'email', maxLength: 320, ...options })
export const CalendarDate = (options: SchemaOptions = {}) => Type.String({ format: 'date', ...options })
export const Instant = (options: SchemaOptions = {}) => Type.String({ format: 'date-time', ...options })
export const Uri = (options: SchemaOptions = {}) => Type.String({ format: 'uri', maxLength: 2048, ...options })
/** Browsers follow other URLs, too: `javascript:` runs a program. */
export const HTTP_ONLY = '^https?://'
export const HttpUrl = (options: SchemaOptions = {}) => Uri({ pattern: HTTP_ONLY, ...options })
/** A clock time `HH:MM`, 00:00 to 23:59. */
export const ClockTime = (options: SchemaOptions = {}) =>
  Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', examples: ['09:00'], ...options })
/** The pattern of text that is required, and of text that may be empty: white space alone is neither. */
export const NOT_BLANK = '\\S'
export const NOT_BLANK_OR_EMPTY = '^$|\\S'
/** Text of up to `maxLength` characters, not only white space; empty only without a `minLength`. */
export const Text = (maxLength: number, options: SchemaOptions = {}) =>
  Type.String({ maxLength, pattern: options['minLength'] ? NOT_BLANK : NOT_BLANK_OR_EMPTY, ...options })
/** A password. It is taken as it is typed, because it may begin or end with a space, and is never shown again. */
export const Password = (options: StringOptions = {}) => Type.String({ writeOnly: true, ...options })
/** A text of one line that names something: it loses characters that are not visible. */
export const Line = (maxLength: number, options: SchemaOptions = {}) =>
  Object.assign(Text(maxLength, options), { [IS_NAME]: true })
/** A name or title: 1 to 200 characters. */
export const Name = (options: SchemaOptions = {}) => Line(200, { minLength: 1, ...options })
/** Free text: up to 5,000 characters. */
export const FreeText = (options: SchemaOptions = {}) => Text(5000, options)

/** A value or null, as `anyOf` with `{type: "null"}`: OpenAPI 3.1 has no `nullable`. */
export const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T, options: SchemaOptions = {}) =>
  Type.Union([schema, Type.Null()], options)

export const OneOf = <const T extends readonly string[]>(values: T, options: SchemaOptions = {}) =>
  Type.Union(
    values.map((value) => Type.Literal(value)),
    options,
  ) as unknown as TUnsafe<T[number]>

/**
 * A number or boolean in a query string. Without it Elysia turns the type into a union whose errors do not name the field.
 * Wrap the outermost type, `Type.Optional` included.
 */
export const QueryValue = <T extends TSchema>(schema: T): T =>
  Object.defineProperty(schema, 'elysiaMeta', { value: 'QueryValue' })
