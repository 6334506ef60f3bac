// Values for fuzzing: valid ones generated from JSON Schemas, and hostile ones.
import fc from 'fast-check'

import { NOT_BLANK, NOT_BLANK_OR_EMPTY } from '../../../src/platform/schema/types.ts'
import type { Random } from '../../../src/local/seed/random.ts'
import { HOSTILE_TEXTS } from './hostile.ts'

export type Schema = { [keyword: string]: unknown }

/** Real values by the name of the field they fit: ids, slugs, cities of the running server. */
export type KnownValues = Map<string, string[]>

/** `services` to `service`, `cities` to `city`. */
export const singular = (list: string): string => list.replace(/ies$/, 'y').replace(/s$/, '')

/** A random hostile value. */
export function hostileValue(random: Random): unknown {
  return random.weighted<() => unknown>([
    [() => random.pick(HOSTILE_TEXTS), 6],
    [() => random.pick([0, -0, -1, 0.5, 1e21, 1e308, -1e308, 2 ** 31, 2 ** 53, -(2 ** 63), 5e-324]), 3],
    [() => random.pick([null, true, false]), 2],
    [() => [], 1],
    [() => Array.from({ length: random.integer(1, 300) }, () => random.pick(HOSTILE_TEXTS)), 1],
    [() => ({}), 1],
    [() => nested(random.integer(2, 80), random.chance(0.5)), 1],
    // JSON.parse creates these as own properties.
    [() => JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}') as unknown, 1],
  ])()
}

/** `[[[…]]]` or `{"a":{"a":…}}`. */
export function nested(depth: number, inObjects: boolean): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = inObjects ? { a: value } : [value]
  return value
}

/** Generates values that a schema allows. */
export class GoodValues {
  constructor(
    readonly known: KnownValues,
    /** `components.schemas` of the document. */
    readonly components: Record<string, Schema>,
  ) {}

  /** A value for the field `name`, usually a known one where there is one. */
  make(random: Random, schema: Schema, name: string): unknown {
    const { $ref, const: constant, enum: choices, type, examples } = schema
    if (typeof $ref === 'string') return this.make(random, this.components[$ref.split('/').at(-1) ?? ''] ?? {}, name)
    if (constant !== undefined) return constant
    if (Array.isArray(choices)) return random.pick(choices as unknown[])
    const options = (schema['anyOf'] ?? schema['oneOf']) as Schema[] | undefined
    if (options) return this.make(random, random.pick(options), name)
    const known = this.known.get(name)
    if (known && random.chance(0.85)) return random.pick(known)
    if (Array.isArray(examples) && examples.length > 0 && random.chance(0.7)) return random.pick(examples as unknown[])
    return this.#ofType(random, schema, Array.isArray(type) ? random.pick(type as unknown[]) : type, name)
  }

  #ofType(random: Random, schema: Schema, type: unknown, name: string): unknown {
    const bound = (keyword: string, fallback: number) =>
      typeof schema[keyword] === 'number' ? schema[keyword] : fallback
    switch (type) {
      case 'object':
        return this.#object(random, schema)
      case 'array':
        return Array.from({ length: random.integer(bound('minItems', 0), Math.min(bound('maxItems', 3), 3)) }, () =>
          this.make(random, (schema['items'] ?? {}) as Schema, name),
        )
      case 'integer': {
        const step = bound('multipleOf', 1)
        const low = bound('minimum', 0)
        return low + step * random.integer(0, Math.floor((bound('maximum', low + 1000 * step) - low) / step))
      }
      case 'number':
        return random.between(bound('minimum', -1000), bound('maximum', 1000))
      case 'boolean':
        return random.chance(0.5)
      case 'null':
        return null
      default:
        return text(random, schema)
    }
  }

  #object(random: Random, schema: Schema): Record<string, unknown> {
    const required = (schema['required'] ?? []) as string[]
    const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>)
    return Object.fromEntries(
      properties
        .filter(([name]) => required.includes(name) || random.chance(0.5))
        .map(([name, property]) => [name, this.make(random, property, name)]),
    )
  }
}

const LETTERS = Array.from('abcdefg XYZ019-éß中')

function text(random: Random, schema: Schema): string {
  const { format, pattern, minLength, maxLength } = schema
  if (typeof pattern === 'string' && pattern !== NOT_BLANK && pattern !== NOT_BLANK_OR_EMPTY)
    return fc.sample(fc.stringMatching(new RegExp(pattern, 'u')), { seed: random.next(), numRuns: 1 })[0] ?? ''
  switch (format) {
    case 'uuid':
      return `0190a2b4-7c3d-7${random.integer(100, 999)}-8123-${String(random.next()).padStart(12, '0')}`
    case 'date':
      if (random.integer(0, 9) === 0) return random.pick(['1900-01-01', '9998-12-31'])
      return new Date(Date.now() + random.integer(-3, 40) * 86_400_000).toISOString().slice(0, 10)
    case 'date-time':
      if (random.integer(0, 9) === 0) return random.pick(['1900-01-01T00:00:00+15:59', '9998-12-31T23:59:59-15:59'])
      return new Date(Date.now() + random.integer(-3, 40) * 86_400_000).toISOString()
    case 'email':
      return `fuzz.${random.next()}@test.example`
    case 'uri':
      return `https://test.example/${random.next()}`
    default: {
      const length = random.integer(Number(minLength ?? 0), Math.min(Number(maxLength ?? 40), 40))
      return Array.from({ length }, () => random.pick(LETTERS)).join('')
    }
  }
}
