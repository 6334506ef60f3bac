// Validation errors field by field, in words made from the schema.
import type { TSchema } from '@sinclair/typebox'
import { type ValueError, type ValueErrorIterator, ValueErrorType } from '@sinclair/typebox/errors'
import type { ValidationError } from 'elysia'

import type { FieldError } from '../errors/kind.ts'

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
  if (type === ValueErrorType.IntegerMultipleOf) return `must be a multiple of ${schema['multipleOf']}`
  return `must be ${expectation(schema)}`
}

const FORMATS: Record<string, string> = {
  uuid: 'a UUID',
  date: 'a date as YYYY-MM-DD',
  'date-time': 'an instant as 2026-05-04T09:00:00Z',
  email: 'an e-mail address',
  uri: 'an absolute URL',
}

/** The schema in words: "a whole number from 1 to 50". */
function expectation(schema: TSchema): string {
  const options: TSchema[] | undefined = schema['anyOf']
  if (options) return options.map(expectation).join(' or ')
  if (schema['const'] !== undefined) return JSON.stringify(schema['const'])
  switch (schema.type) {
    case 'integer':
      return `a whole number${range(schema['minimum'], schema['maximum'])}`
    case 'number':
      return `a number${range(schema['minimum'], schema['maximum'])}`
    case 'boolean':
      return 'true or false'
    case 'array':
      return `a list${range(schema['minItems'], schema['maxItems'])}`
    case 'object':
      return 'an object'
    case 'null':
      return 'null'
    default:
      return text(schema)
  }
}

function text(schema: TSchema): string {
  const format: string | undefined = schema['format']
  if (format && FORMATS[format]) return FORMATS[format]
  if (schema['pattern']) return `of the form ${schema['examples']?.[0] ?? schema['pattern']}`
  return `text${range(schema['minLength'], schema['maxLength'])}${schema['maxLength'] ? ' characters long' : ''}`
}

function range(min?: number, max?: number): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`
  if (min !== undefined) return ` of at least ${min}`
  return max === undefined ? '' : ` of at most ${max}`
}
