// Numbers of requests: each has two bounds, within what PostgreSQL stores.
import { describe, expect, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'

import { Decimal, Integer, MAX_INTEGER, MIN_INTEGER, Natural } from '../../../src/platform/schema/numbers.ts'
import { opened } from '../../support/fixture.ts'
import { openBookingFixture } from '../../support/booking-fixture.ts'
import { readSources } from '../../support/imports.ts'
import { requestParts } from '../../support/request-schemas.ts'

const world = await opened(openBookingFixture())

const numbers = requestParts.filter(({ schema }) => schema.type === 'integer' || schema.type === 'number')

describe('a number of a request', () => {
  test('has a lower and an upper bound, wherever it is sent', () => {
    expect(numbers.length).toBeGreaterThan(60)
    const unbounded = numbers.filter(({ schema }) => schema['minimum'] === undefined || schema['maximum'] === undefined)
    expect(unbounded.map(({ name }) => name)).toEqual([])
  })

  test('is within the bounds of PostgreSQL’s integer if it is whole', () => {
    const outside = numbers.filter(
      ({ schema }) => schema.type === 'integer' && (schema['minimum'] < MIN_INTEGER || schema['maximum'] > MAX_INTEGER),
    )
    expect(outside.map(({ name }) => name)).toEqual([])
  })

  test('is refused outside of its bounds, by every schema', () => {
    for (const { name, schema } of numbers) {
      const step = schema['multipleOf'] ?? (schema.type === 'integer' ? 1 : 0.01)
      const low = schema['minimum'] as number
      for (const [value, isAccepted] of [
        [low, true],
        [schema['maximum'], true],
        [low - step, false],
        [schema['maximum'] + step, false],
        [MAX_INTEGER + 1, false],
        [MIN_INTEGER - 1, false],
        [1e308, false],
        [Number.NaN, false],
        [Number.POSITIVE_INFINITY, false],
      ])
        expect([name, value, Value.Check(schema, value)]).toEqual([name, value, isAccepted])
    }
  })
})

test('a whole number without bounds of its own is one that PostgreSQL stores', async () => {
  const [row] = await world.sql`select ${MIN_INTEGER}::integer as low, ${MAX_INTEGER}::integer as high`
  expect(row).toEqual({ low: MIN_INTEGER, high: MAX_INTEGER })
  expect([-1, 0, 0.5, MAX_INTEGER, MAX_INTEGER + 1].filter((value) => Value.Check(Natural(), value))).toEqual([
    0,
    MAX_INTEGER,
  ])
})

test('a number that misses a bound is no schema', () => {
  // @ts-expect-error There is no upper bound.
  Integer({ minimum: 0 })
  // @ts-expect-error There is no lower bound.
  Decimal({ maximum: 1 })
  expect(Integer({ minimum: 0, maximum: 1 })).toMatchObject({ type: 'integer', minimum: 0, maximum: 1 })
})

test('only one type stands for whole numbers', () => {
  const others = readSources(['src', 'workers']).filter(
    ({ path, text }) => path !== 'src/platform/schema/numbers.ts' && /\b(Type|t)\.(Integer|BigInt)\(/.test(text),
  )
  expect(others.map(({ path }) => path)).toEqual([])
})
