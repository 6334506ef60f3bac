// The texts that schemas accept, and the errors that name their rules.
import { describe, expect, test } from 'bun:test'

import { type StringOptions, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

import { createApp } from '../../src/app.ts'
import { FEATURES, readConfig } from '../../src/config.ts'
import { openDeps } from '../../src/deps.ts'
import { namedErrors } from '../../src/http/field-errors.ts'
import { FORM_KEY } from '../../src/http/guard.ts'
import { customerTools } from '../../src/mcp/customer/tools.ts'
import { proTools } from '../../src/mcp/pro/tools.ts'
import {
  CalendarDate,
  Email,
  FreeText,
  HttpUrl,
  Instant,
  Name,
  Nullable,
  OneOf,
} from '../../src/platform/schema/types.ts'
import { opened } from '../support/fixture.ts'

/** Nothing listens on port 1: only the schemas of the routes are read. */
const config = readConfig({
  DATABASE_URL: 'postgres://127.0.0.1:1/none',
  REDIS_URL: 'redis://127.0.0.1:1',
  LOG_LEVEL: 'error',
  ...Object.fromEntries(FEATURES.map((name) => [name, 'true'])),
})
const routes = createApp(await opened(openDeps(config))).routes as unknown as Route[]

/** Secrets are taken as they are, a signed body is any text, and an unknown method is an error of JSON-RPC. */
const ANY_TEXT = [
  // A search for white space finds what an empty one does.
  'GET /console/bookings query.q',
  'GET /console/leads query.q',
  'GET /console/search query.q',
  // A wrong signature is that of no file.
  'GET /files/:file query.expires',
  'GET /files/:file query.signature',
  'POST /api/mcp body.method',
  'POST /api/mcp/customer body.method',
  'POST /api/mcp/public body.method',
  'POST /api/v1/webhooks/verify body.body',
  'POST /api/v1/webhooks/verify body.signature',
  'POST /console/account/email form.current',
  'POST /console/account/password form.current',
  'POST /console/account/password form.next',
  'POST /console/account/second-factor form.password',
  'POST /console/closing form.password',
  'POST /console/login form.password',
  'POST /console/password/:token form.password',
]

/** The paths of all strings in a schema that accept white space alone. */
function blankTexts(schema: TSchema | undefined, path: string): string[] {
  if (!schema) return []
  if (schema.type === 'string') {
    const { const: constant, format, pattern } = schema as StringOptions & { const?: string }
    return constant === undefined && !format && new RegExp(pattern ?? '').test('  \n ') ? [path] : []
  }
  const parts: [string, TSchema][] = [
    ...Object.entries((schema['properties'] ?? {}) as Record<string, TSchema>),
    ...[schema['items'] as TSchema | undefined].flatMap((items) =>
      items ? [['items', items] as [string, TSchema]] : [],
    ),
  ]
  return [
    ...parts.flatMap(([name, part]) => blankTexts(part, `${path}.${name}`)),
    ...((schema['anyOf'] ?? []) as TSchema[]).flatMap((option) => blankTexts(option, path)),
  ]
}

interface Route {
  method: string
  path: string
  hooks: { query?: TSchema; params?: TSchema; body?: TSchema; detail?: { [FORM_KEY]?: TSchema } }
}

test('no route accepts white space as a text, in its query, body or form', () => {
  const accepted = routes.flatMap(({ method, path, hooks }) =>
    Object.entries({ query: hooks.query, body: hooks.body, form: hooks.detail?.[FORM_KEY] }).flatMap(
      ([where, schema]) => blankTexts(schema, `${method} ${path} ${where}`),
    ),
  )
  expect([...new Set(accepted)].sort()).toEqual(ANY_TEXT)
})

test('no agent tool accepts white space as a text', () => {
  const accepted = [...customerTools, ...proTools].flatMap(({ name, input }) => blankTexts(input, name))
  expect(accepted).toEqual([])
})

describe('an error names every rule of the field', () => {
  const errorOf = (schema: TSchema, value: unknown) => namedErrors(Value.Errors(schema, value), 'body')[0]?.message
  const minutes = Type.Integer({ minimum: 15, maximum: 720, multipleOf: 5 })

  test.each([
    [minutes, 14, 'must be a whole number from 15 to 720, in steps of 5'],
    [minutes, 62, 'must be a whole number from 15 to 720, in steps of 5'],
    [Type.Number({ minimum: 0, maximum: 20, multipleOf: 0.5 }), 0.3, 'must be a number from 0 to 20, in steps of 0.5'],
    [Name(), ' ', 'must be text from 1 to 200 characters long, not only white space'],
    [FreeText(), ' ', 'must be text of at most 5000 characters long, not only white space'],
    [Nullable(Name()), 5, 'must be text from 1 to 200 characters long, not only white space, or null'],
    [Email(), `${'x'.repeat(330)}@example.com`, 'must be an e-mail address of up to 320 characters'],
    [Email(), 'home', 'must be an e-mail address'],
    [HttpUrl(), 'ftp://example.com', 'must be an absolute http or https URL'],
    [Type.Array(Name(), { minItems: 2, uniqueItems: true }), ['a', 'a'], 'must be a list of at least 2, all different'],
    [Type.Object({}, { minProperties: 1 }), {}, 'must be an object with at least 1 field'],
  ] as [TSchema, unknown, string][])('%j and %p', (schema, value, expected) => {
    expect(errorOf(schema, value)).toBe(expected)
  })
})

describe('an error names the nearest right field or value', () => {
  const address = Type.Object(
    { street: Name(), city: Name(), zipCode: Type.Optional(Name()) },
    { additionalProperties: false },
  )
  const guest = Type.Object({ guestName: Name(), guestEmail: Email() }, { additionalProperties: false })
  const visit = Type.Object({ at: Type.Optional(Nullable(address)) })
  const place = { street: '1 Main Street', city: 'Austin' }

  test.each([
    [address, { ...place, zip: '78701' }, 'zip', 'is not a known field (did you mean zipCode?)'],
    [address, { ...place, zip_code: '78701' }, 'zip_code', 'is not a known field (did you mean zipCode?)'],
    [address, { ...place, x: 1 }, 'x', 'is not a known field (known are street, city, zipCode)'],
    [guest, { guestName: 'Ann', email: 'a@b.example' }, 'email', 'is not a known field (did you mean guestEmail?)'],
    [visit, { at: { ...place, zip: '78701' } }, 'at.zip', 'is not a known field (did you mean zipCode?)'],
    [visit, { at: { street: 5, city: 'Austin' } }, 'at.street', 'must be text from 1 to 200'],
    [visit, { at: '1 Main Street' }, 'at', 'must be an object of street, city, zipCode, or null'],
    [visit, { at: '{"street":"1 Main Street"}' }, 'at', '(not JSON in quotes)'],
    [Type.Object({ n: Type.Integer() }), { n: '5' }, 'n', 'must be a whole number (without quotes)'],
    [Type.Object({ on: Type.Boolean() }), { on: 'true' }, 'on', 'must be true or false (without quotes)'],
    [
      Type.Object({ sort: OneOf(['recent', 'rating_high']) }),
      { sort: 'highest rating' },
      'sort',
      '(did you mean "rating_high"?)',
    ],
    [Type.Object({ day: CalendarDate() }), { day: '2026-06-10T09:00:00Z' }, 'day', '(did you mean 2026-06-10?)'],
    [
      Type.Object({ at: Instant() }),
      { at: '2026-06-10 09:00-05:00' },
      'at',
      '(did you mean 2026-06-10T14:00:00.000Z?)',
    ],
    [Type.Object({ at: Instant() }), { at: '2026-06-10T09:00:00' }, 'at', 'add the time and its zone'],
  ] as [TSchema, unknown, string, string][])('%#: %j', (schema, value, path, message) => {
    const found = namedErrors(Value.Errors(schema, value)).find((error) => error.path === path)
    expect(found?.message).toContain(message)
  })

  test('of a union, the branch that the value comes closest to', () => {
    const byCard = Type.Object({ kind: Type.Literal('card'), number: Name() }, { additionalProperties: false })
    const byBank = Type.Object({ kind: Type.Literal('bank'), iban: Name() }, { additionalProperties: false })
    const schema = Type.Object({ pay: Nullable(Type.Union([byCard, byBank])) })
    expect(namedErrors(Value.Errors(schema, { pay: { kind: 'bank', iban2: 'x' } }))).toEqual([
      { path: 'pay.iban', message: 'is required' },
      { path: 'pay.iban2', message: 'is not a known field (did you mean iban?)' },
    ])
  })
})
