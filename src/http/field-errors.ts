// Validation errors field by field, in words made from the schema, with the nearest right name or value.
import type { Static, TSchema } from '@sinclair/typebox'
import { type ValueError, type ValueErrorIterator, ValueErrorType } from '@sinclair/typebox/errors'
import { Value } from '@sinclair/typebox/value'
import type { ValidationError } from 'elysia'

import { AppError, invalidFields } from '../errors/app-error.ts'
import type { FieldError } from '../errors/kind.ts'
import { countCharacters } from '../platform/text/plain.ts'
import { nearestName } from '../platform/text/nearest-name.ts'
import { isCalendarDate, isInstant } from '../platform/schema/types.ts'
import { expectation } from './expectation.ts'

const MAX_ERRORS = 20

/** The errors of a failed validation: `path` is `query.limit`, `body.customer.email` and the like, each path once. */
export function fieldErrors(error: ValidationError): FieldError[] {
  const validator = error.validator as { Errors(value: unknown): ValueErrorIterator }
  return namedErrors(validator.Errors(error.value), error.type === 'params' ? 'path' : error.type)
}

/** A validator's errors, each path once; `where` is put before every path. */
export function namedErrors(errors: Iterable<ValueError>, where?: string): FieldError[] {
  const found = new Map<string, string>()
  for (const error of withinUnions(errors)) {
    const steps = error.path.split('/').slice(1).map(unescapePointer)
    const name = [...(where ? [where] : []), ...steps].join('.')
    if (!found.has(name)) found.set(name, message(error, steps.at(-1) ?? ''))
    if (found.size === MAX_ERRORS) break
  }
  return Array.from(found, ([path, text]) => ({ path, message: text }))
}

/** Returns the value if it matches the schema. Throws validation_failed, naming the fields that do not, with `where` before each. */
export function checked<S extends TSchema>(schema: S, value: unknown, where?: string): Static<S> {
  if (Value.Check(schema, value)) return value
  throw invalidFields(namedErrors(Value.Errors(schema, value), where))
}

/**
 * Runs what a body asks for. The fields that it refuses are named as those of the body's schema are: `body.email`. `names` has those
 * that the body calls otherwise.
 */
export async function inBody<T>(work: () => Promise<T>, names: Readonly<Record<string, string>> = {}): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError) || !error.errors) throw error
    throw invalidFields(error.errors.map(({ path, message }) => ({ path: `body.${names[path] ?? path}`, message })))
  }
}

/** RFC 6901 §4. */
const unescapePointer = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~')

/** The errors, where a union's is replaced by those of the branch that the value comes closest to. */
function* withinUnions(errors: Iterable<ValueError>): Iterable<ValueError> {
  for (const error of errors) {
    const closest = closestBranch(error)
    if (closest) yield* closest
    else yield error
  }
}

/** Of the branches that take this kind of value and refuse only parts of it, the one with the fewest errors. */
function closestBranch({ type, path, value, errors }: ValueError): readonly ValueError[] | undefined {
  if (type !== ValueErrorType.Union || typeof value !== 'object' || value === null) return undefined
  const refusesParts = (branch: readonly ValueError[]) => branch.every((error) => error.path !== path)
  const branches = errors.map((branch) => Array.from(firstOf(withinUnions(branch)))).filter(refusesParts)
  return branches.toSorted((one, other) => one.length - other.length)[0]
}

function* firstOf(errors: Iterable<ValueError>): Iterable<ValueError> {
  let count = 0
  for (const error of errors) {
    yield error
    if (++count === MAX_ERRORS) return
  }
}

function message({ type, schema, value }: ValueError, name: string): string {
  if (type === ValueErrorType.ObjectAdditionalProperties) return unknownField(name, schema)
  if (value === undefined) return 'is required'
  const impossible = typeof value === 'string' && DAY_FORMATS.has(schema['format'] as string) && impossibleDay(value)
  if (impossible) return impossible
  const isTooLong = typeof value === 'string' && schema['format'] && countCharacters(value) > schema['maxLength']
  const rule = `must be ${expectation(schema)}${isTooLong ? ` of up to ${schema['maxLength']} characters` : ''}`
  const hint = typeof value === 'string' ? hintFor(value, schema) : undefined
  return hint === undefined ? rule : `${rule} (${hint})`
}

/** Suggestions are only made for names and values up to this length: longer ones are not typing mistakes. */
const MAX_LENGTH = 60

function unknownField(name: string, { properties = {} }: TSchema): string {
  const known = Object.keys(properties as object)
  if (known.length === 0) return 'is not a known field'
  const nearest = name.length > MAX_LENGTH ? undefined : nearestName(name, known)
  return `is not a known field (${nearest === undefined ? `known are ${known.join(', ')}` : `did you mean ${nearest}?`})`
}

/** How to correct the text, if the schema tells it. */
function hintFor(value: string, schema: TSchema): string | undefined {
  const options = (schema['anyOf'] as TSchema[] | undefined) ?? [schema]
  for (const option of options) {
    const hint = hintForOption(value, option)
    if (hint !== undefined) return hint
  }
  const choices = options.map((option) => option['const'] as unknown).filter((choice) => typeof choice === 'string')
  const nearest = value.length > MAX_LENGTH ? undefined : nearestName(value, choices)
  return nearest === undefined ? undefined : `did you mean ${JSON.stringify(nearest)}?`
}

function hintForOption(value: string, { type, format, const: constant }: TSchema): string | undefined {
  if (constant !== undefined) return undefined
  switch (type) {
    case 'integer':
    case 'number':
      return /^-?\d{1,15}(\.\d{1,10})?$/.test(value) ? 'without quotes' : undefined
    case 'boolean':
      return value === 'true' || value === 'false' ? 'without quotes' : undefined
    case 'object':
      return /^\s*\{/.test(value) ? 'not JSON in quotes' : undefined
    case 'array':
      return /^\s*\[/.test(value) ? 'not JSON in quotes' : undefined
    default:
      return format === 'date' ? dayIn(value) : format === 'date-time' ? instantIn(value) : undefined
  }
}

const DAY_FORMATS = new Set(['date', 'date-time'])

/** Why a day of the right form, such as 2026-02-30, is none of the calendar. */
function impossibleDay(value: string): string | undefined {
  const [, year, month, day] = /^((?:19|[2-9]\d)\d\d)-(\d\d)-(\d\d)(?!\d)/.exec(value) ?? []
  if (!year || !month || !day || isCalendarDate(`${year}-${month}-${day}`)) return undefined
  if (month < '01' || month > '12') return `is not a day of the calendar: a year has months 01 to 12, not ${month}`
  const first = new Date(`${year}-${month}-01T00:00:00Z`)
  const length = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  return `is not a day of the calendar: ${MONTH.format(first)} has ${length} days`
}

const MONTH = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })

const dayIn = (value: string) =>
  isCalendarDate(value.slice(0, 10)) ? `did you mean ${value.slice(0, 10)}?` : undefined

const ZONE = /(Z|[+-]\d{2}:?\d{2})$/i

/** For a time of day without seconds, without `T`, or without the zone that makes it an instant. */
function instantIn(value: string): string | undefined {
  if (!isCalendarDate(value.slice(0, 10)) || value.length > MAX_LENGTH) return undefined
  if (!ZONE.test(value.slice(10))) return 'add the time and its zone: Z, or an offset such as -05:00'
  const time = Date.parse(value.replace(' ', 'T'))
  const instant = Number.isNaN(time) ? '' : new Date(time).toISOString()
  return isInstant(instant) ? `did you mean ${instant}?` : undefined
}
