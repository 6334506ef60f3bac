// Validation errors field by field, in words made from the schema.
import type { NumberOptions, TSchema } from '@sinclair/typebox'
import { type ValueError, type ValueErrorIterator, ValueErrorType } from '@sinclair/typebox/errors'
import type { ValidationError } from 'elysia'

import type { FieldError } from '../errors/kind.ts'
import { HTTP_ONLY, NOT_BLANK, NOT_BLANK_OR_EMPTY } from '../platform/schema/types.ts'

const MAX_ERRORS = 20

/** The errors of a failed validation: `path` is `query.limit`, `body.customer.email` and the like, each path once. */
export function fieldErrors(error: ValidationError): FieldError[] {
  const validator = error.validator as { Errors(value: unknown): ValueErrorIterator }
  return namedErrors(validator.Errors(error.value), error.type === 'params' ? 'path' : error.type)
}

/** A validator's errors, each path once; `where` is put before every path. */
export function namedErrors(errors: Iterable<ValueError>, where?: string): FieldError[] {
  const found = new Map<string, string>()
  for (const { type, path, schema, value } of errors) {
    const steps = path.split('/').slice(1).map(unescapePointer)
    const name = [...(where ? [where] : []), ...steps].join('.')
    if (!found.has(name)) found.set(name, message(type, schema, value))
    if (found.size === MAX_ERRORS) break
  }
  return Array.from(found, ([path, text]) => ({ path, message: text }))
}

/** RFC 6901 §4. */
const unescapePointer = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~')

function message(type: ValueErrorType, schema: TSchema, value: unknown): string {
  if (type === ValueErrorType.ObjectAdditionalProperties) return 'is not a known field'
  if (value === undefined) return 'is required'
  const isTooLong = typeof value === 'string' && schema['format'] && value.length > schema['maxLength']
  return `must be ${expectation(schema)}${isTooLong ? ` of up to ${schema['maxLength']} characters` : ''}`
}

const FORMATS: Record<string, string> = {
  uuid: 'a UUID',
  date: 'a date as YYYY-MM-DD',
  'date-time': 'an instant as 2026-05-04T09:00:00Z',
  email: 'an e-mail address',
  uri: 'an absolute URL',
}

/** All rules of the schema in words: "a whole number from 15 to 720, in steps of 5". */
function expectation(schema: TSchema): string {
  const options: TSchema[] | undefined = schema['anyOf']
  if (options) {
    const texts = options.map(expectation)
    return texts.join(texts.some((words) => words.includes(',')) ? ', or ' : ' or ')
  }
  if (schema['const'] !== undefined) return JSON.stringify(schema['const'])
  switch (schema.type) {
    case 'integer':
      return `a whole number${bounds(schema)}`
    case 'number':
      return `a number${bounds(schema)}`
    case 'boolean':
      return 'true or false'
    case 'array':
      return `a list${range(schema['minItems'], schema['maxItems'])}${schema['uniqueItems'] ? ', all different' : ''}`
    case 'object':
      return schema['minProperties'] ? `an object with at least ${schema['minProperties']} field` : 'an object'
    case 'null':
      return 'null'
    default:
      return text(schema)
  }
}

function text(schema: TSchema): string {
  const format: string | undefined = schema['format']
  if (format === 'uri' && schema['pattern'] === HTTP_ONLY) return 'an absolute http or https URL'
  if (format && FORMATS[format]) return FORMATS[format]
  const pattern: string | undefined = schema['pattern']
  const isText = pattern === undefined || pattern === NOT_BLANK || pattern === NOT_BLANK_OR_EMPTY
  if (!isText) return `of the form ${schema['examples']?.[0] ?? pattern}`
  const length = `${range(schema['minLength'], schema['maxLength'])}${schema['maxLength'] ? ' characters long' : ''}`
  return `text${length}${pattern ? ', not only white space' : ''}`
}

/** The rules of a number: " from 15 to 720, in steps of 5". */
function bounds(schema: TSchema): string {
  const { minimum, exclusiveMinimum, maximum, multipleOf } = schema as NumberOptions
  const limits =
    exclusiveMinimum === undefined
      ? range(minimum, maximum)
      : ` above ${exclusiveMinimum}${maximum === undefined ? '' : `, at most ${maximum}`}`
  return `${limits}${multipleOf === undefined ? '' : `, in steps of ${multipleOf}`}`
}

function range(min?: number, max?: number): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`
  if (min !== undefined) return ` of at least ${min}`
  return max === undefined ? '' : ` of at most ${max}`
}
