// No other site can send a form for a visitor: not with a cookie, not with the secret of a link, not without either.
import { expect, test } from 'bun:test'

import { csrfTokenOf } from '../../src/http/form.ts'
import { createApp } from '../../src/app.ts'
import { openTestApp } from '../support/app.ts'
import { opened } from '../support/fixture.ts'

const app = await opened(openTestApp('migrated'))

const FOREIGN: Record<string, string>[] = [
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { origin: 'https://elsewhere.test.example' },
  { origin: 'null' },
]

test('every page refuses a form that another site sends, with fields or empty', async () => {
  const pages = createApp(app.deps).routes.filter(
    ({ method, hooks }) => method === 'POST' && hooks.detail?.['x-access']?.page,
  )
  expect(pages.length).toBeGreaterThan(40)
  for (const { path } of pages)
    for (const headers of FOREIGN)
      for (const body of ['outcome=succeeds', undefined]) {
        const url = `${app.deps.config.baseUrl}${path.replace(/:[a-zA-Z]+/g, 'x')}`
        const form = body === undefined ? null : new URLSearchParams(body)
        const response = await app.app.handle(new Request(url, { method: 'POST', headers, body: form }))
        expect([path, headers, body, response.status]).toEqual([path, headers, body, 403])
      }
})

/** They read no cookie, so that another site's form is the same as a program's request. */
const FOR_PROGRAMS = ['/oauth/token', '/oauth/revoke', '/oauth/register']

test('every other route outside the API takes JSON, which no form can send, or is for programs without a cookie', () => {
  const others = createApp(app.deps)
    .routes.filter(({ method, path }) => method === 'POST' && !path.startsWith('/api/'))
    .filter(({ hooks }) => !hooks.detail?.['x-access']?.page)
  expect(others.map(({ path }) => path)).toEqual([...FOR_PROGRAMS, '/sandbox/payments/:clientSecret'])
})

test('a login form without a cookie is refused, whatever its token', async () => {
  for (const csrf of ['', csrfTokenOf('')]) {
    const body = new URLSearchParams({ csrf, email: 'operator@test.example', password: 'x'.repeat(12) })
    const response = await app.app.handle(
      new Request(`${app.deps.config.baseUrl}/console/login`, { method: 'POST', body }),
    )
    expect([csrf, response.status]).toEqual([csrf, 403])
  }
})
