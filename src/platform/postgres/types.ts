// The mapping of PostgreSQL's types to JavaScript, for every pool.
import { parse as parseArray } from 'postgres-array'

/**
 * Instants as ISO strings, dates as `YYYY-MM-DD`, big integers and numerics as numbers, arrays of one dimension as arrays.
 * By type id, because querying the array types of the server costs a statement per connection.
 */
export const POSTGRES_TYPES = {
  instant: { to: 1184, from: [1184], serialize: String, parse: isoInstant },
  date: { to: 1082, from: [1082], serialize: String, parse: String },
  number: { to: 1700, from: [20, 1700], serialize: String, parse: Number },
  textArray: { to: 1009, from: [1009], serialize: arrayLiteral, parse: (text: string) => parseArray(text) },
  uuidArray: { to: 2951, from: [2951], serialize: arrayLiteral, parse: (text: string) => parseArray(text) },
  // int2[], int4[], int8[], float8[]
  numberArray: {
    to: 1007,
    from: [1005, 1007, 1016, 1022],
    // A search sends hundreds of numbers.
    serialize: (values: readonly number[]) => `{${values.join(',')}}`,
    parse: (text: string) => parseArray(text, Number),
  },
}

/** `2026-11-20 06:14:00.5+00` as PostgreSQL writes it in UTC, to `2026-11-20T06:14:00.500Z`. */
function isoInstant(text: string): string {
  return new Date(text.replace(' ', 'T').replace(/\+00$/, 'Z')).toISOString()
}

/** `{"a","b \"c\""}`: PostgreSQL accepts quotes around elements of any type. */
function arrayLiteral(values: readonly (string | number | null)[]): string {
  const element = (value: string | number | null) =>
    value === null ? 'NULL' : typeof value === 'number' ? value : `"${value.replace(/[\\"]/g, '\\$&')}"`
  return `{${values.map(element).join(',')}}`
}
