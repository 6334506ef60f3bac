// One role in the place of another: what authorizes a customer, a pro, an agent or the bearer of a link opens nothing else.
// Most rows are generated from the routes, so that a new route, form or secret is among them by itself.
import { describe, expect, test } from 'bun:test'

import { propose } from '../../src/features/agents/proposals/verbs/proposals.ts'
import { type SecretKind, SECRET_PATHS, openAbuseWorld } from '../support/abuse-world.ts'
import { testRequest } from '../support/app.ts'
import { type Route, accessOf, hasBody, isPage, nameOf, routes } from '../support/app-routes.ts'
import { VISIT_ADDRESS, bookingBody, rowsOf } from '../support/booking-fixture.ts'
import { opened } from '../support/fixture.ts'
import { RULES } from '../support/isolation-rules.ts'
import { signedInCustomer } from '../support/customers.ts'
import { loggedInVisitor } from '../support/visitor.ts'
import { checksum } from '../support/isolation-tenants.ts'
import { ctxOf } from '../../src/ctx.ts'

const world = await opened(openAbuseWorld())

/** Refusals: of input, identity, permission, and of a thing that does not exist. */
const REFUSED = new Set([400, 401, 403, 404])

interface Given {
  /** In place of each parameter of the path and of a query's secret. */
  value: string
  json?: Record<string, unknown>
  headers?: Record<string, string>
}

/** Calls the route with the value. Pages get a form from their own site. */
async function call({ method, path, hooks }: Route, { value, json, headers = {} }: Given): Promise<number> {
  const { app } = world
  const isForm = method !== 'GET' && hooks.detail?.hide === true
  const inPath = path.replace(/:\w+/g, encodeURIComponent(value))
  const target = path.includes(':') ? inPath : `${path}?code=${encodeURIComponent(value)}`
  const body = isForm ? { body: new URLSearchParams(json as Record<string, string>) } : { json }
  const init = { method, headers: { ...(isForm ? { 'sec-fetch-site': 'same-origin' } : {}), ...headers } }
  const sent = testRequest(app.deps.config.baseUrl, target, { ...init, ...(method === 'GET' ? {} : body) })
  const response = await app.app.handle(sent)
  return /^\/(console\/login|my\/sign-in)/.test(response.headers.get('location') ?? '') ? 401 : response.status
}

/** Makes the attempts and expects each to be refused, and no row to be changed. */
async function expectRefusals(attempts: readonly (readonly [name: string, attempt: () => Promise<number>])[]) {
  const before = await checksum(world.sql)
  const accepted: string[] = []
  for (const [name, attempt] of attempts) {
    const status = await attempt()
    if (!REFUSED.has(status)) accepted.push(`${name} answers ${status}`)
  }
  expect(accepted).toEqual([])
  expect(await checksum(world.sql)).toEqual(before)
}

const secretKind = (path: string): SecretKind | 'stepOfUser' | undefined =>
  SECRET_PATHS.find(([pattern]) => pattern.test(path))?.[1]
const secretRoutes = routes.filter((route) => Object.values(RULES[nameOf(route)]?.ids ?? {}).includes('secret'))
const guarded = routes.filter((route) => accessOf(route)?.key === 'required' || isPage(route))
const secrets = () => Object.entries(world.secrets) as [SecretKind, string][]

describe('the secret of one thing', () => {
  test('has a kind on each route that takes one', () => {
    expect(secretRoutes.filter(({ path }) => !secretKind(path)).map(nameOf)).toEqual([])
  })

  test.each(secretRoutes.map((route) => [nameOf(route), route] as const))(
    'of another kind is refused by %s',
    async (_, route) => {
      const others = secrets().filter(([kind]) => kind !== secretKind(route.path))
      await expectRefusals(others.map(([kind, value]) => [kind, () => call(route, { value, json: {} })]))
    },
  )

  test('differing in one character opens nothing', async () => {
    const nearMisses = (value: string) => [
      value.slice(0, -1),
      `${value}A`,
      value.slice(0, -3) + (value.at(-3) === 'A' ? 'B' : 'A') + value.slice(-2),
      ` ${value}x`,
    ]
    await expectRefusals(
      secretRoutes.flatMap((route) => {
        const kind = secretKind(route.path) ?? 'code'
        const value = world.secrets[kind === 'stepOfUser' ? 'passwordLink' : kind]
        return nearMisses(value).map(
          (near) => [`${nameOf(route)} ${near}`, () => call(route, { value: near, json: {} })] as const,
        )
      }),
    )
  })

  test.each(guarded.map((route) => [nameOf(route), route] as const))(
    'is neither key nor session at %s',
    async (_, route) => {
      const id = world.paid.booking.id
      const json = hasBody(route) ? {} : undefined
      await expectRefusals(
        secrets().flatMap(([kind, value]) => [
          [
            `${kind} as key`,
            () => call(route, { value: id, ...(json ? { json } : {}), headers: { authorization: `Bearer ${value}` } }),
          ],
          [
            `${kind} as session`,
            () =>
              call(route, {
                value: id,
                ...(json ? { json } : {}),
                headers: { cookie: `hearth-session=${value}; hearth-customer=${value}` },
              }),
          ],
        ]),
      )
    },
  )
})

/** What only the customer may do: routes for the keys that book, which name a booking. */
const customerActs = routes.filter(
  (route) =>
    route.method !== 'GET' &&
    route.path.includes('/bookings/:id') &&
    accessOf(route)?.scopes.includes('bookings:write'),
)

describe('a pro who knows the code', () => {
  test('has acts of the customer to try', () => {
    expect(new Set(customerActs.map(nameOf))).toEqual(
      new Set([
        'POST /api/v1/bookings/:id/cancel',
        'POST /api/v1/bookings/:id/reschedule',
        'POST /api/v1/bookings/:id/proposed-time',
      ]),
    )
  })

  test.each(customerActs.map((route) => [nameOf(route), route] as const))(
    'cannot act as the customer by %s',
    async (name, route) => {
      const { code } = world.secrets
      const valid = RULES[name]?.body?.(undefined as never, {})
      const bodies = [{}, { confirmationCode: code }, { confirmationCode: code, reason: 'Found a better date.' }]
      const attempts = [world.paid.booking.id, code].flatMap((value) =>
        world.proKeys.flatMap((key) => bodies.map((body) => ({ value, key, json: { ...valid, ...body } }))),
      )
      await expectRefusals(
        attempts.map(({ value, key, json }) => [
          `${value} ${JSON.stringify(json)}`,
          () => call(route, { value, json, headers: { authorization: `Bearer ${key}` } }),
        ]),
      )
    },
  )

  test('cannot keep the payment by ending the visit before it begins', async () => {
    const { app, victim, paid, proVisitor } = world
    const path = `/api/v1/pro/bookings/${paid.booking.id}`
    for (const action of ['complete', 'no_show']) {
      expect((await app.send(path, { key: victim.key, json: { action } })).status).toBe(409)
      await proVisitor.post(`/console/bookings/${paid.booking.id}`, { action })
    }
    expect(await rowsOf(world, paid.booking.id)).toMatchObject({
      booking: 'confirmed',
      payment: 'succeeded',
      refund: null,
    })
  })

  test('cannot raise the price of what was booked', async () => {
    const { app, sql, victim, paid } = world
    const agreed = () =>
      sql`select fee_cents, deposit_cents, base_price_cents from bookings where id = ${paid.booking.id}`
    const before = [...(await agreed())]
    const json = { serviceId: victim.serviceId, basePrice: 9999 }
    const changed = await app.send('/api/pro/services', { method: 'PATCH', key: victim.key, json })
    expect(changed.status).toBe(200)
    expect([...(await agreed())]).toEqual(before)
  })
})

describe('a signed-in customer', () => {
  const others = guarded.filter((route) => !accessOf(route)?.customer)

  test('has neither a key nor a login in the session', async () => {
    const customer = await signedInCustomer(world.app, 'home@example.com')
    const token = customer.cookies.get('hearth-customer') ?? ''
    const id = world.paid.booking.id
    const sent: [name: string, headers: Record<string, string>][] = [
      ['key', { authorization: `Bearer ${token}` }],
      ['login', { cookie: `hearth-session=${token}; hearth-customer=${token}` }],
    ]
    expect(others.length).toBeGreaterThan(100)
    await expectRefusals(
      others.flatMap((route) =>
        sent.map(
          ([as, headers]) =>
            [
              `${nameOf(route)} as ${as}`,
              () => call(route, { value: id, ...(hasBody(route) ? { json: {} } : {}), headers }),
            ] as const,
        ),
      ),
    )
    expect((await customer.get(`/my/bookings/${id}`)).status).toBe(200)
  })

  test('is not opened by a code, a link or another session', async () => {
    const own = guarded.filter((route) => accessOf(route)?.customer)
    const operator = await loggedInVisitor(world.app, 'operator')
    const session = operator.cookies.get('hearth-session') ?? ''
    const values = [...Object.values(world.secrets), session, '12345678']
    await expectRefusals(
      own.flatMap((route) =>
        values.map(
          (value) =>
            [
              `${nameOf(route)} with ${value}`,
              () =>
                call(route, {
                  value: world.paid.booking.id,
                  json: {},
                  headers: { cookie: `hearth-customer=${value}` },
                }),
            ] as const,
        ),
      ),
    )
  })
})

describe('a customer', () => {
  test.each([
    { price: 1 },
    { amount: 0 },
    { depositCents: 0 },
    { fee: 0 },
    { status: 'confirmed' },
    { duration: 1 },
    { accountId: '00000000-0000-0000-0000-000000000000' },
    { paymentStatus: 'succeeded' },
  ])('cannot set %j of a booking', async (field) => {
    const before = await checksum(world.sql)
    const json = bookingBody(world.victim, 4, field)
    expect((await world.app.send('/api/v1/bookings', { key: world.key, json })).status).toBe(400)
    expect(await checksum(world.sql)).toEqual(before)
  })

  test('cannot put markup on the pro’s pages', async () => {
    const { app, key, victim, proVisitor } = world
    const markup = '<img src=x onerror=alert(1)>"\'</script>'
    const customer = { name: `Homeowner ${markup}`, email: 'markup@example.com' }
    const json = bookingBody(victim, 6, { customer, address: { ...VISIT_ADDRESS, street: markup } })
    const answer = await app.send('/api/v1/bookings', { key, json })
    if (answer.status !== 201) throw new Error(await answer.text())
    const { booking } = (await answer.json()) as { booking: { id: string } }
    for (const path of ['/console', '/console/bookings', `/console/bookings/${booking.id}`]) {
      const { status, text } = await proVisitor.get(path)
      expect([path, status, text.includes('<img src=x')]).toEqual([path, 200, false])
    }
  })
})

describe('an agent', () => {
  test('cannot confirm what it proposed itself', async () => {
    const { app, victim } = world
    const agent = await app.key(['mcp:read', 'mcp:write'], victim.email)
    const proposal = await propose(ctxOf(app.deps, { accountId: victim.accountId, professionalId: victim.id }), {
      kind: 'business_profile',
      change: { description: 'Gutters, in any weather.' },
    })
    const routesOfProposals = routes.filter(({ method, path }) => method === 'POST' && path.includes('/proposals/:id/'))
    expect(routesOfProposals.length).toBeGreaterThan(3)
    await expectRefusals(
      routesOfProposals.map((route) => [
        nameOf(route),
        () => call(route, { value: proposal.id, json: {}, headers: { authorization: `Bearer ${agent}` } }),
      ]),
    )
  })
})
