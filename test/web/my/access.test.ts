// Access to every page for signed-in customers: without a session, with sessions and keys of others, and with forged forms.
import { describe, expect, test } from 'bun:test'

import { openTestApp } from '../../support/app.ts'
import { type Route, accessOf, nameOf, routes } from '../../support/app-routes.ts'
import { signedInCustomer } from '../../support/customers.ts'
import { opened } from '../../support/fixture.ts'
import { Visitor, loggedInVisitor } from '../../support/visitor.ts'

const app = await opened(openTestApp('migrated'))

/** The pages of signing in, which need no session. */
const OPEN = [
  ...['/my/sign-in', '/my/sign-in/code'].flatMap((path) => [`GET ${path}`, `POST ${path}`]),
  'GET /for-pros/join',
]
const pages = routes.filter((route) => accessOf(route)?.customer)
const mine = await signedInCustomer(app)

const pathOf = ({ path }: Route) => path.replace(/:\w+/g, '01890000-0000-7000-8000-000000000000')
const isGet = ({ method }: Route) => method === 'GET'

test('every page under /my and of an application is for signed-in customers, except those of signing in', () => {
  const under = routes.filter(({ path }) => /^\/(my|for-pros\/join)(\/|$)/.test(path)).map(nameOf)
  expect(under.toSorted()).toEqual([...pages.map(nameOf), ...OPEN].toSorted())
  expect(pages.length).toBeGreaterThan(10)
})

test('the address of a form leads to the page of the form', async () => {
  expect((await mine.get('/my/data/erase')).location).toBe('/my/data')
})

describe.each(pages.map((route) => [nameOf(route), route] as const))('%s', (_, route) => {
  test('leads to the sign-in page without a customer’s session', async () => {
    const key = await app.key()
    const operator = await loggedInVisitor(app, 'operator')
    const token = mine.cookies.get('hearth-customer') ?? ''
    const without: Record<string, string>[] = [
      {},
      { authorization: `Bearer ${key}` },
      { authorization: `Bearer ${token}` },
      { cookie: `hearth-session=${operator.cookies.get('hearth-session')}` },
      { cookie: `hearth-customer=${operator.cookies.get('hearth-session')}` },
      { cookie: `hearth-customer=${token.slice(0, -1)}` },
      { cookie: 'hearth-customer=none' },
    ]
    for (const headers of without) {
      const by = new Visitor(app)
      const answer = isGet(route) ? await by.get(pathOf(route), headers) : await by.postRaw(pathOf(route), {}, headers)
      expect([headers, answer.status, answer.text]).toEqual([headers, 303, ''])
      expect(answer.location).toStartWith('/my/sign-in')
    }
  })

  test('takes forms with the CSRF token of its session only, and is kept by no cache and in no frame', async () => {
    if (isGet(route)) {
      const { headers } = await mine.get(pathOf(route))
      expect(headers.get('cache-control') ?? 'no-store').toBe('no-store')
      expect(headers.get('content-security-policy') ?? "frame-ancestors 'none'").toContain("frame-ancestors 'none'")
      return
    }
    const other = await signedInCustomer(app)
    for (const csrf of ['', 'x', await other.csrfToken('/my'), await new Visitor(app).csrfToken('/my')])
      expect([csrf, (await mine.postRaw(pathOf(route), { csrf })).status]).toEqual([csrf, 403])
    const csrf = await mine.csrfToken('/my')
    for (const site of ['cross-site', 'same-site', 'none'])
      expect((await mine.postRaw(pathOf(route), { csrf }, { 'sec-fetch-site': site })).status).toBe(403)
    expect((await mine.get('/my')).status).toBe(200)
  })
})
