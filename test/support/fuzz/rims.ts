// Values at the rims of a schema: on its bounds, just past them, and at the bounds of the types that store them.
import type { Random } from '../../../src/local/seed/random.ts'
import { GoodValues, type Schema } from './values.ts'

/** The bounds of PostgreSQL's `smallint`, `integer` and `bigint`, of whole numbers of JavaScript, and the smallest numbers. */
const NUMBERS = [2 ** 15, 2 ** 31, 2 ** 53, 2 ** 63]
  .flatMap((bound) => [bound - 1, bound, bound + 1, -bound, -bound - 1])
  .concat([-1, 0, -0, 0.001, 0.005, 1e-300, 5e-324])

/** The first and last years of dates in PostgreSQL, in JavaScript and as four digits. */
const YEARS = ['0000', '0001', '1899', '1900', '9998', '9999', '10000', '-0001', '+275760', '294276', '294277']
/** No zone is further from UTC than 14 hours, and PostgreSQL takes less than 16. */
const OFFSETS = ['Z', ...['14:00', '15:59', '16:00', '23:59', '24:00'].flatMap((hours) => [`+${hours}`, `-${hours}`])]
const DAYS = ['01-01', '02-29', '12-31', '02-30', '13-01', '00-00']
const TIMES = ['00:00:00', '23:59:59', '23:59:59.999999999', '23:59:60', '24:00:00', '12:00']

/** Characters of one and two UTF-16 code units, and a letter that more than one code point writes. */
const CHARACTERS = ['x', '\u{1f600}', 'é', 'e\u0301', '中']
/** A text past a longer bound would only be a large body. */
const MAX_LENGTH = 6000

/** How many of the values are at a rim. */
const SHARE = 0.15

/** Generates values that a schema allows, and some at its rims, which it may refuse. */
export class RimValues extends GoodValues {
  override make(random: Random, schema: Schema, name: string): unknown {
    const rims = random.chance(SHARE) ? rimsOf(random, schema) : []
    return rims.length > 0 ? random.pick(rims) : super.make(random, schema, name)
  }
}

/** Values at the rims of a schema of a number or text; none for other schemas. */
export function rimsOf(random: Random, schema: Schema): readonly unknown[] {
  switch (schema['type']) {
    case 'integer':
    case 'number':
      return [...boundsOf(schema, ['minimum', 'maximum']), ...NUMBERS]
    case 'string':
      return textRims(random, schema)
    default:
      return []
  }
}

/** Each bound of a number with its neighbours. */
const boundsOf = (schema: Schema, keywords: readonly string[]): number[] =>
  keywords.flatMap((keyword) => {
    const { [keyword]: bound } = schema
    return typeof bound === 'number' ? [bound, bound - 1, bound + 1, bound - 0.01, bound + 0.01] : []
  })

/** Whether its length alone decides about a text, in any language. */
export const isFreeText = ({ anyOf, format, pattern, maxLength }: Schema): boolean =>
  Array.isArray(anyOf)
    ? (anyOf as Schema[]).some(isFreeText)
    : maxLength !== undefined &&
      format === undefined &&
      (typeof pattern !== 'string' || new RegExp(pattern).test('\u{1f600}'))

function textRims(random: Random, { format, const: constant, enum: choices, ...schema }: Schema): string[] {
  if (constant !== undefined || choices !== undefined) return []
  if (format === 'date') return YEARS.map((year) => `${year}-${random.pick(DAYS)}`)
  if (format === 'date-time')
    return YEARS.map((year) => `${year}-${random.pick(DAYS)}T${random.pick(TIMES)}${random.pick(OFFSETS)}`).concat(
      OFFSETS.map((offset) => `2026-12-01T${random.pick(TIMES)}${offset}`),
    )
  const lengths = ['minLength', 'maxLength'].flatMap((keyword) => {
    const { [keyword]: bound } = schema
    return typeof bound === 'number' ? [bound - 1, bound, bound + 1] : []
  })
  return lengths.filter((length) => length >= 0 && length <= MAX_LENGTH).map((length) => textOf(random, format, length))
}

function textOf(random: Random, format: unknown, length: number): string {
  // Validators of the document take ASCII addresses only; the server takes others, too.
  if (format === 'email') return '@x.example'.padStart(length, 'x')
  return format === 'uri' ? 'https://test.example/'.padEnd(length, 'x') : random.pick(CHARACTERS).repeat(length)
}
