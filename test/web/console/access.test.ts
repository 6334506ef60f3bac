// Access to every console page: with each role, without a session, with an API key, and with forged forms.
import { describe, expect, test } from 'bun:test'

import { ROLES, type Role } from '../../../src/auth/users/schemas.ts'
import type { Access } from '../../../src/auth/access.ts'
import { ACCESS_KEY } from '../../../src/http/guard.ts'
import { openTestApp } from '../../support/app.ts'
import { CONSOLE_ACCESS } from '../../support/console-access.ts'
import { findPros } from '../../support/reviews.ts'
import { PASSWORD, Visitor, createTestUser, loggedInVisitor } from '../../support/visitor.ts'
import { opened } from '../../support/fixture.ts'

const rolesOf = (name: string) => ROLES.filter((role) => CONSOLE_ACCESS[name]?.includes(role.charAt(0)))

/** The console pages without a session. */
const OPEN = [
  ...['/console/login', '/console/password/:token', '/console/email/:token'].flatMap((path) => [
    `GET ${path}`,
    `POST ${path}`,
  ]),
  'GET /console/login/code',
  'POST /console/login/code',
  'POST /console/login/link',
]

const app = await opened(openTestApp())
const visitors = new Map<Role, Visitor>()
const key = await app.key(['pro:read', 'pro:write', 'webhooks:manage'])
const [pro] = await findPros(app, 1)
for (const role of ROLES)
  visitors.set(role, await loggedInVisitor(app, role, role === 'pro' ? { pro: pro?.id ?? '' } : {}))

const visitor = (role: Role) => visitors.get(role) ?? new Visitor(app)

const declared = () =>
  app.app.routes.flatMap(({ method, path, hooks }) => {
    const access = (hooks as { detail?: { [ACCESS_KEY]?: Access } }).detail?.[ACCESS_KEY]
    return method === 'ALL' ? [] : [{ name: `${method} ${path}`, access }]
  })

test('every console page declares the roles of the table, and the table has no other routes', () => {
  const pages = declared().filter(({ name, access }) => access?.session || / \/(console|ops)(\/|$)/.test(name))
  expect(pages.map(({ name }) => name).sort()).toEqual([...Object.keys(CONSOLE_ACCESS), ...OPEN].sort())
  for (const { name, access } of pages)
    if (!OPEN.includes(name)) expect([name, access?.session, access?.key]).toEqual([name, rolesOf(name), 'none'])
})

/** An id that no row has. */
const NO_ID = '01890000-0000-7000-8000-000000000000'
const pathOf = (name: string) =>
  (name.split(' ')[1] ?? '')
    .replace('texts/:kind', 'texts/terms')
    .replace(':kind', 'booking-confirmed')
    .replace('/mail/:id', '/mail/4711')
    .replace(':eventId', 'evt_019a9f0c5d3c7e1fa1b2c3d4e5f60718')
    .replace(/:\w+/g, NO_ID)
const isGet = (name: string) => name.startsWith('GET')
const open = (name: string, by: Visitor) => (isGet(name) ? by.get(pathOf(name)) : by.post(pathOf(name)))

/** The addresses of forms, which lead to the pages of the forms when they are opened. */
const PAGE_OF_FORM: Readonly<Record<string, string>> = {
  'GET /console/account/password': '/console/account',
  'GET /console/account/email': '/console/account',
  'GET /console/calendar/blocks': '/console/calendar',
  'GET /console/settings/hours': '/console/settings',
  'GET /console/profile/business': '/console/profile',
  'GET /console/profile/site': '/console/profile',
  'GET /console/profile/texts': '/console/profile',
  'GET /console/bookings/:id/operate': `/console/bookings/${NO_ID}`,
  'GET /console/keys/:id/rotate': '/console/keys',
  'GET /console/my-reviews/:id/answer': '/console/my-reviews',
  'GET /console/payments/:id/refund': `/console/payments/${NO_ID}`,
  'GET /console/payments/:id/returned': `/console/payments/${NO_ID}`,
  'GET /console/my-reviews/:id/report': '/console/my-reviews',
  'GET /console/reviews/:id/keep': '/console/reviews',
  'GET /console/team/:id/login': `/console/team/${NO_ID}`,
  'GET /console/team/:id/login/role': `/console/team/${NO_ID}`,
  'GET /console/reviews/bulk': '/console/reviews',
  'GET /console/reviews/:id/reject': '/console/reviews',
  'GET /console/reviews/:id/remove': '/console/reviews',
  'GET /console/webhooks/:id/replay': `/console/webhooks/${NO_ID}`,
  'GET /console/leads/:id/quote': `/console/leads/${NO_ID}`,
  'GET /console/services/:id/package': `/console/services/${NO_ID}`,
  'GET /console/verification/:id/refuse': `/console/verification/${NO_ID}`,
  'GET /console/verification/:id/close': `/console/verification/${NO_ID}`,
  'GET /console/verification/:id/reopen': `/console/verification/${NO_ID}`,
  'GET /console/verification/:id/status': `/console/verification/${NO_ID}`,
  'GET /console/verification/:id/plan': `/console/verification/${NO_ID}`,
}

/** Forms whose answer is a file. */
const FILES = new Set(['POST /console/closing/copy'])

/** What a visitor with the role gets: the page, or the answer to an empty form. None of them is a refusal of the visitor. */
function expectAllowed(name: string, status: number, location: string | null): void {
  if (name in PAGE_OF_FORM) expect([status, location]).toEqual([303, PAGE_OF_FORM[name] ?? ''])
  else if (isGet(name)) expect([status, location]).toEqual([/:(id|eventId)/.test(name) ? 404 : 200, null])
  else {
    expect(FILES.has(name) ? [200] : [303, 400, 404, 409]).toContain(status)
    if (!name.endsWith('/logout')) expect(location ?? '').not.toStartWith('/console/login')
  }
}

/** Logging out comes last, because the tests after it would have no session. */
const ROUTES = Object.keys(CONSOLE_ACCESS).sort((a, b) => Number(a.endsWith('logout')) - Number(b.endsWith('logout')))

describe.each(ROUTES)('%s', (name) => {
  test('redirects to the log-in page without a session, even with an API key', async () => {
    const without: Record<string, string>[] = [
      {},
      { authorization: `Bearer ${key}` },
      { cookie: 'hearth-session=none' },
    ]
    for (const headers of without) {
      const by = new Visitor(app)
      const response = isGet(name) ? await by.get(pathOf(name), headers) : await by.postRaw(pathOf(name), {}, headers)
      expect(response.status).toBe(303)
      expect(response.location).toStartWith('/console/login')
      expect(response.text).toBe('')
    }
  })

  test('is available to its roles only', async () => {
    for (const role of ROLES) {
      const { status, location } = await open(name, visitor(role))
      if (rolesOf(name).includes(role)) expectAllowed(name, status, location)
      else expect([role, status]).toEqual([role, 403])
      if (name.endsWith('/logout')) await visitor(role).logIn(await createTestUser(app, 'operator'))
    }
  })
})

/** Documents for frames of the console, whose policy test/web/console/mail.test.ts checks. */
const FRAMES = new Set(['GET /console/mail/templates/:kind/html', 'GET /console/mail/:id/html'])

test.each(ROUTES.filter((name) => isGet(name) && !(name in PAGE_OF_FORM) && !FRAMES.has(name)))(
  '%s cannot be framed, and loads from Hearth only',
  async (name) => {
    const [role = 'operator'] = rolesOf(name)
    const { headers } = await open(name, visitor(role))
    const policy = (headers.get('content-security-policy') ?? '').replace(app.deps.config.baseUrl, '')
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/unsafe|\*|http/)
  },
)

describe('a form', () => {
  const operator = async () => await loggedInVisitor(app, 'operator')
  const isLoggedIn = async (by: Visitor) => (await by.get('/console')).status === 200

  test('is accepted only with the CSRF token of its session', async () => {
    const [mine, other] = [await operator(), await operator()]
    const before = await new Visitor(app).csrfToken()
    for (const csrf of ['', 'x', await other.csrfToken(), before]) {
      const { status, text } = await mine.postRaw('/console/logout', { csrf })
      expect([csrf, status]).toEqual([csrf, 403])
      expect(text).toContain('Open the page again')
    }
    expect(await isLoggedIn(mine)).toBe(true)
  })

  test('is refused when the browser says that another site sent it', async () => {
    const mine = await operator()
    const csrf = await mine.csrfToken()
    const foreign: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': '', origin: 'https://elsewhere.test.example' },
    ]
    for (const headers of foreign) {
      const { status } = await mine.postRaw('/console/logout', { csrf }, headers)
      expect([headers, status]).toEqual([headers, 403])
    }
    expect(await isLoggedIn(mine)).toBe(true)
    const { status } = await mine.postRaw('/console/logout', { csrf }, { origin: app.deps.config.baseUrl })
    expect(status).toBe(303)
    expect(await isLoggedIn(mine)).toBe(false)
  })

  test('is judged by its Origin header when Sec-Fetch-Site is missing', async () => {
    const mine = await operator()
    const csrf = await mine.csrfToken()
    const send = (headers: Record<string, string>) => {
      const cookie = `hearth-session=${mine.cookies.get('hearth-session')}`
      return app.app.handle(
        new Request(`${app.deps.config.baseUrl}/console/logout`, {
          method: 'POST',
          headers: { cookie, ...headers },
          body: new URLSearchParams({ csrf }),
        }),
      )
    }
    for (const origin of [
      'null',
      'https://elsewhere.test.example',
      `${app.deps.config.baseUrl}.elsewhere.test.example`,
    ])
      expect([origin, (await send({ origin })).status]).toEqual([origin, 403])
    expect((await send({ origin: app.deps.config.baseUrl })).status).toBe(303)
  })

  test('for logging in needs a CSRF token, too, so that no site can log a visitor in', async () => {
    const email = await createTestUser(app, 'operator')
    const victim = new Visitor(app)
    const own = await victim.csrfToken()
    for (const csrf of ['', await new Visitor(app).csrfToken()]) {
      const { status } = await victim.postRaw('/console/login', { csrf, email, password: PASSWORD })
      expect(status).toBe(403)
    }
    const crossSite = { 'sec-fetch-site': 'cross-site' }
    const { status } = await victim.postRaw('/console/login', { csrf: own, email, password: PASSWORD }, crossSite)
    expect(status).toBe(403)
    expect(victim.cookies.has('hearth-session')).toBe(false)
  })

  test('must be URL-encoded: JSON and other content types are refused', async () => {
    const mine = await operator()
    const cookie = `hearth-session=${mine.cookies.get('hearth-session')}`
    for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x']) {
      const { status } = await app.app.handle(
        new Request(`${app.deps.config.baseUrl}/console/logout`, {
          method: 'POST',
          headers: { cookie, 'content-type': type, 'sec-fetch-site': 'same-origin' },
          body: 'csrf=x',
        }),
      )
      expect([type, status]).toEqual([type, 415])
    }
  })
})

test('the requests per minute of one user are limited across all browsers', async () => {
  const limited = await openTestApp('migrated', { env: { CONSOLE_RATE_PER_MINUTE: '5' } })
  const email = await createTestUser(limited, 'operator')
  const browsers = [new Visitor(limited), new Visitor(limited)]
  for (const browser of browsers) await browser.logIn(email)
  const statuses: number[] = []
  for (let n = 0; n < 6; n++) statuses.push((await browsers[n % 2]?.get('/console'))?.status ?? 0)
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  expect((await (await loggedInVisitor(limited, 'operator')).get('/console')).status).toBe(200)
  await limited.close()
})
