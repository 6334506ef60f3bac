// The rules of a schema in words: "a whole number from 15 to 720, in steps of 5".
import type { NumberOptions, TSchema } from '@sinclair/typebox'

import { HTTP_ONLY, NOT_BLANK, NOT_BLANK_OR_EMPTY } from '../platform/schema/types.ts'

const FORMATS: Record<string, string> = {
  uuid: 'a UUID',
  date: 'a date as YYYY-MM-DD',
  'date-time': 'an instant as 2026-05-04T09:00:00Z',
  email: 'an e-mail address',
  uri: 'an absolute URL',
}

/** All rules of the schema in words. */
export function expectation(schema: TSchema): string {
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
      return object(schema)
    case 'null':
      return 'null'
    default:
      return text(schema)
  }
}

/** Fields that a short sentence can name. */
const MAX_NAMED_FIELDS = 8

function object({ minProperties, properties = {} }: TSchema): string {
  if (minProperties) return `an object with at least ${minProperties} field`
  const names = Object.keys(properties as object)
  return names.length > 0 && names.length <= MAX_NAMED_FIELDS ? `an object of ${names.join(', ')}` : 'an object'
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
  const { minimum, maximum, multipleOf } = schema as NumberOptions
  return `${range(minimum, maximum)}${multipleOf === undefined ? '' : `, in steps of ${multipleOf}`}`
}

function range(min?: number, max?: number): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`
  if (min !== undefined) return ` of at least ${min}`
  return max === undefined ? '' : ` of at most ${max}`
}
