// Bounds of texts count characters as JSON Schema and PostgreSQL do, code points, at every entry.
import { describe, expect, test } from 'bun:test'

import { type TSchema, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { Value } from '@sinclair/typebox/value'
import Ajv from 'ajv'
import { Elysia } from 'elysia'
import fc from 'fast-check'

import { countCharacters, firstCharacters } from '../../../src/platform/text/plain.ts'
import { isEmail } from '../../../src/platform/schema/types.ts'
import { openBookingFixture } from '../../support/booking-fixture.ts'
import { opened } from '../../support/fixture.ts'
import { requestParts } from '../../support/request-schemas.ts'

const world = await opened(openBookingFixture())

/** One code point, two UTF-16 code units. */
const EMOJI = '\u{1f600}'
const texts = requestParts.filter(
  ({ schema }) => schema.type === 'string' && (schema['maxLength'] !== undefined || schema['minLength'] !== undefined),
)
/** Those whose length alone decides about a text of emoji. */
const free = texts.filter(
  ({ schema: { format, pattern } }) => format === undefined && new RegExp(pattern ?? '').test(EMOJI),
)

/** What each checker says: the interpreter of forms, the compiler of tools, and the reader of errors. */
const verdicts = (schema: TSchema, text: string): boolean[] => [
  Value.Check(schema, text),
  TypeCompiler.Compile(schema).Check(text),
  [...Value.Errors(schema, text)].length === 0,
]
const all = (verdict: boolean) => [verdict, verdict, verdict]

describe('the bound of a text', () => {
  test('counts an emoji as one character, in every request', () => {
    expect(free.length).toBeGreaterThan(100)
    for (const { name, schema } of free) {
      const { minLength = 0, maxLength = 200 } = schema
      const of = (length: number) => [name, length, verdicts(schema, EMOJI.repeat(length))]
      expect(of(maxLength)).toEqual([name, maxLength, all(true)])
      if (schema['maxLength'] !== undefined) expect(of(maxLength + 1)).toEqual([name, maxLength + 1, all(false)])
      if (minLength > 0) expect(of(minLength)).toEqual([name, minLength, all(true)])
      if (minLength > 0) expect(of(minLength - 1)).toEqual([name, minLength - 1, all(false)])
    }
  })

  test('says the same of every text as another validator of JSON Schema', () => {
    const ajv = new Ajv()
    const text = fc.string({ unit: fc.constantFrom('x', 'é', EMOJI, '\u{1d573}', 'e\u0301', '\ud83d', '\ude00') })
    fc.assert(
      fc.property(text, fc.nat(8), fc.nat(8), (value, minLength, more) => {
        const schema = Type.String({ minLength, maxLength: minLength + more })
        const due = ajv.validate({ type: 'string', minLength, maxLength: minLength + more }, value)
        expect([value, ...verdicts(schema, value)]).toEqual([value, ...all(due)])
      }),
      { numRuns: 500 },
    )
  })

  test('counts the same where a route checks its body', async () => {
    const app = new Elysia().post('/', () => 'ok', {
      body: Type.Object({ name: Type.String({ minLength: 2, maxLength: 3 }) }),
    })
    const statuses = await Promise.all(
      [1, 2, 3, 4].map(async (length) => {
        const body = JSON.stringify({ name: EMOJI.repeat(length) })
        const headers = { 'content-type': 'application/json' }
        return (await app.handle(new Request('http://localhost/', { method: 'POST', body, headers }))).status
      }),
    )
    expect(statuses).toEqual([422, 200, 200, 422])
  })

  test('counts the same in the database', async () => {
    const samples = [EMOJI.repeat(200), 'x'.repeat(200), 'e\u0301'.repeat(100), '中'.repeat(200)]
    const rows = await world.sql<{ count: number }[]>`
      select length(text)::int as count from unnest(${samples}::text[]) text`
    expect(rows.map(({ count }) => count)).toEqual(samples.map(countCharacters))
  })

  test('counts an e-mail address of 320 characters as one', () => {
    expect(isEmail(`${EMOJI.repeat(310)}@x.example`)).toBe(true)
    expect(isEmail(`${EMOJI.repeat(311)}@x.example`)).toBe(false)
  })
})

test('what is cut to a length keeps its characters whole', () => {
  expect(firstCharacters(EMOJI.repeat(3), 2)).toBe(EMOJI.repeat(2))
  expect(firstCharacters('ab', 2)).toBe('ab')
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (text, max) => {
      expect(firstCharacters(text, max)).toBe(Array.from(text).slice(0, max).join(''))
    }),
  )
})
