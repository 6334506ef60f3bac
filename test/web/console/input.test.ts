// Arbitrary input in URLs and forms of the console gets a proper response, never a server error.
import { expect, test } from 'bun:test'

import type { TObject, TSchema } from '@sinclair/typebox'

import type { Access } from '../../../src/auth/access.ts'
import { ACCESS_KEY, FORM_KEY } from '../../../src/http/guard.ts'
import { openTestApp } from '../../support/app.ts'
import { findPros } from '../../support/reviews.ts'
import { type Visitor, loggedInVisitor } from '../../support/visitor.ts'
import { opened } from '../../support/fixture.ts'

interface Page {
  method: string
  path: string
  hooks: { query?: TSchema; detail?: { [ACCESS_KEY]?: Access; [FORM_KEY]?: TObject } }
}

const app = await opened(openTestApp())
const [pro] = await findPros(app, 1)
const visitors: Record<'operator' | 'developer' | 'pro', Visitor> = {
  operator: await loggedInVisitor(app, 'operator'),
  developer: await loggedInVisitor(app, 'developer'),
  pro: await loggedInVisitor(app, 'pro', { pro: pro?.id ?? '' }),
}
const rows = await app.deps.read.run<{ id: string }>(
  'ownIds',
  (sql) => sql`
      (select id from bookings where professional_id = ${pro?.id ?? ''} limit 1) union all
      (select id from rfqs where professional_id = ${pro?.id ?? ''} limit 1) union all
      (select id from quotes where professional_id = ${pro?.id ?? ''} limit 1)`,
)
const ids: string[] = ['01890000-0000-7000-8000-000000000000', ...rows.map(({ id }) => id)]

const pages = () =>
  (app.app.routes as unknown as Page[]).filter(
    ({ method, path, hooks }) => method !== 'ALL' && path !== '/console/logout' && hooks.detail?.[ACCESS_KEY]?.session,
  )

const HOSTILE = [
  '',
  ' ',
  '0',
  '-1',
  '1e308',
  '999999999999999',
  'NaN',
  '12.345',
  'null',
  'true',
  '__proto__',
  "'; drop table users; --",
  '%00',
  '\u{1f4a5}'.repeat(50),
  '<script>alert(1)</script>',
  '2026-02-31',
  '2026-02-31T25:61',
  '0001-01-01T00:00',
  'https://',
  'http://[::1]:99999/',
  '../../etc/passwd',
  'x'.repeat(6000),
]

/** The statuses of a proper response: a page, a redirect or a client error. */
const isAnswer = (status: number) => [200, 303, 400, 402, 404, 409, 422].includes(status)
/** Forms that ask for the password again take a few wrong ones. */
const ASKS_PASSWORD = new Set([
  '/console/account/password',
  '/console/account/email',
  '/console/account/second-factor',
  '/console/closing',
])

test('arbitrary input in a path never causes a server error', async () => {
  for (const { method, path, hooks } of pages().filter(({ path }) => path.includes(':')))
    for (const id of ['x', '%00', '%ff', '..%2f', 'null', '__proto__', 'evt_', '0'.repeat(300), '%F0%9F%92%A5']) {
      const [role = 'operator'] = hooks.detail?.[ACCESS_KEY]?.session ?? []
      const target = path.replace(/:\w+/g, id)
      const { status, text } = method === 'GET' ? await visitors[role].get(target) : await visitors[role].post(target)
      expect([method, target, status === 400 || status === 404]).toEqual([method, target, true])
      expect(text).toContain('<h1>')
    }
})

test('arbitrary input in a query never causes a server error', async () => {
  for (const { method, path, hooks } of pages().filter(({ hooks }) => hooks.query)) {
    const target = path.replace(/:\w+/g, ids[0] ?? '')
    for (const name of Object.keys((hooks.query?.['properties'] ?? {}) as object))
      for (const value of HOSTILE)
        for (const role of hooks.detail?.[ACCESS_KEY]?.session ?? []) {
          const search = new URLSearchParams({ [name]: value }).toString()
          const address = `${target}?${search}`
          const { status } = await (method === 'GET' ? visitors[role].get(address) : visitors[role].post(address))
          expect([target, name, value.slice(0, 30), status, isAnswer(status)]).toEqual([
            target,
            name,
            value.slice(0, 30),
            status,
            true,
          ])
        }
  }
})

test('arbitrary input in form fields never causes a server error, for existing and missing ids', async () => {
  for (const { method, path, hooks } of pages().filter(({ method }) => method === 'POST')) {
    const names = Object.keys(hooks.detail?.[FORM_KEY]?.properties ?? {})
    const [role = 'operator'] = hooks.detail?.[ACCESS_KEY]?.session ?? []
    for (const id of path.includes(':id') ? ids : ['']) {
      const target = path.replace(':id', id).replace(/:\w+/g, 'evt_019a9f0c5d3c7e1fa1b2c3d4e5f60718')
      for (const value of HOSTILE) {
        const fields = Object.fromEntries(names.map((name) => [name, [value, value]]))
        const { status } = await visitors[role].post(target, fields)
        const isRefused = status === 429 && ASKS_PASSWORD.has(path)
        expect([method, target, value.slice(0, 30), status, isRefused || isAnswer(status)]).toEqual([
          method,
          target,
          value.slice(0, 30),
          status,
          true,
        ])
        if (names.length === 0) break
      }
    }
  }
})

test('text that PostgreSQL cannot store is refused with the name of the field', async () => {
  for (const value of ['a\0b', '\ud800']) {
    const { status } = await visitors.developer.post('/console/keys', { name: value })
    // A lone surrogate does not survive the form: it arrives as the replacement character.
    expect([value.length, status]).toEqual([value.length, 400])
  }
})
