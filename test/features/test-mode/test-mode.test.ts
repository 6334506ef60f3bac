// Test mode, beside a real payment provider and mail server: what a test key sees and changes, and what never leaves it.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import { requestContextOf } from '../../../src/auth/request-context.ts'
import { PRESETS, type Scope } from '../../../src/auth/scopes.ts'
import { approveReview } from '../../../src/features/reviews/verbs.ts'
import { createKeyInMode } from '../../../src/features/test-mode/verbs.ts'
import { settleRefunds } from '../../../src/payments/verbs.ts'
import { customerTools } from '../../../src/mcp/customer/tools.ts'
import { CUSTOMER_SERVER, callTool } from '../../support/agents.ts'
import { type CreatedBooking, VISIT, bookingBody, pay, rowsOf } from '../../support/booking-fixture.ts'
import { FakeStripe } from '../../support/fake-stripe.ts'
import { RULES } from '../../support/isolation-rules.ts'
import { type MessageFixture, openMessageFixture } from '../../support/messages.ts'

const DEVELOPER = 'developer-in-test-mode@test.example'
const SCOPES: readonly Scope[] = [...PRESETS['full-server'], ...PRESETS['agent-tools'], 'webhooks:manage']

interface Pro {
  id: string
  serviceId: string
}

let stripe: FakeStripe
let world: MessageFixture
let keys: { live: string; ownLive: string; test: string; otherTest: string }
let real: Pro
let pros: { instant: Pro; deposit: Pro; approval: Pro }

const testKey = async (ownerEmail: string, scopes = SCOPES) =>
  (await createKeyInMode(world.app.deps, { ownerEmail, scopes, name: 'test', mode: 'test', rateMultiplier: 10_000 }))
    .secret

beforeAll(async () => {
  stripe = new FakeStripe()
  world = await openMessageFixture({ ...stripe.env, LOG_LEVEL: 'silent' })
  real = await world.pro({ deposit: false })
  keys = {
    live: await world.app.key(SCOPES),
    ownLive: await world.app.key(SCOPES, DEVELOPER),
    test: await testKey(DEVELOPER),
    otherTest: await testKey('another-developer@test.example'),
  }
  const { professionals } = await found(keys.test)
  const named = (what: string): Pro => {
    const pro = professionals.find(({ slug }) => slug.startsWith(`test-${what}-`))
    if (!pro) throw new Error(`No test pro ${what} is found.`)
    return { id: pro.id, serviceId: real.serviceId }
  }
  pros = { instant: named('instant'), deposit: named('deposit'), approval: named('approval') }
  for (const [key, pro] of [
    [keys.live, real],
    [keys.test, pros.instant],
  ] as const)
    await approveReview(world.app.deps, await review(key, pro))
})
afterAll(async () => {
  await world.close()
  await stripe.close()
})

interface Found {
  professionals: { id: string; slug: string; matchedService: { id: string } | null; bookingUrl: string | null }[]
  meta: { total: number }
}

const send = async (path: string, key: string | undefined, json?: object) =>
  await world.app.send(path, { ...(key === undefined ? {} : { key }), ...(json ? { json } : {}) })

const found = async (key: string | undefined, query = ''): Promise<Found> =>
  (await (await send(`/api/v1/pros?limit=50${query}`, key)).json()) as Found

const reviewOf = (pro: Pro) => ({
  professionalId: pro.id,
  rating: 5,
  content: 'On time.',
  customer: { name: 'Customer', email: `${randomUUID()}@test.example` },
})

async function review(key: string, pro: Pro): Promise<string> {
  const response = await send('/api/v1/reviews', key, reviewOf(pro))
  return ((await response.json()) as { review: { id: string } }).review.id
}

let hours = 0
/** Books the next hour that no test has booked. */
const nextBooking = (pro: Pro, changes: object = {}) => {
  const body = bookingBody({ ...pro, accountId: '' }, 24 * Math.floor(hours / 6) + (hours % 6), changes)
  hours++
  return body
}

async function book(pro: Pro, key = keys.test, changes: object = {}): Promise<CreatedBooking> {
  const response = await send('/api/v1/bookings', key, nextBooking(pro, changes))
  if (response.status !== 201) throw new Error(`Not booked: ${await response.text()}`)
  return (await response.json()) as CreatedBooking
}

const startOf = (pro: Pro) => {
  const { date, time } = nextBooking(pro)
  return `${date}T${time}:00-05:00`
}

const request = (pro: Pro) => ({
  professionalId: pro.id,
  serviceId: pro.serviceId,
  customer: { name: 'Customer', email: 'customer@test.example' },
  description: 'The tap drips.',
})

/** For each route of the API that names a pro: a request about the pro. */
const ROUTES: Readonly<Record<string, (pro: Pro) => { path: string; json?: object }>> = {
  'GET /api/v1/pros/:id': ({ id }) => ({ path: `/api/v1/pros/${id}` }),
  'GET /api/v1/pros/:id/availability': ({ id }) => ({ path: `/api/v1/pros/${id}/availability?date=2026-11-23` }),
  'GET /api/v1/profile/public/:profileId': ({ id }) => ({ path: `/api/v1/profile/public/${id}` }),
  'GET /api/v1/availability/query': ({ id, serviceId }) => ({
    path: `/api/v1/availability/query?professionalId=${id}&serviceId=${serviceId}&date=2026-11-23`,
  }),
  'GET /api/v1/reviews': ({ id }) => ({ path: `/api/v1/reviews?professionalId=${id}` }),
  'POST /api/v1/bookings': (pro) => ({ path: '/api/v1/bookings', json: nextBooking(pro) }),
  'POST /api/v1/bookings/create': (pro) => ({
    path: '/api/v1/bookings/create',
    json: {
      professionalId: pro.id,
      serviceId: pro.serviceId,
      startDateTime: startOf(pro),
      guestName: 'Customer',
      guestEmail: 'customer@test.example',
    },
  }),
  'POST /api/v1/rfqs': (pro) => ({ path: '/api/v1/rfqs', json: request(pro) }),
  'POST /api/v1/reviews': (pro) => ({ path: '/api/v1/reviews', json: reviewOf(pro) }),
}

/** For each tool that names a pro: arguments about the pro. */
const TOOLS: Readonly<Record<string, (pro: Pro) => object>> = {
  query_availability: ({ id, serviceId }) => ({ professionalId: id, serviceId }),
  book_appointment: (pro) => ({
    professionalId: pro.id,
    serviceId: pro.serviceId,
    startDateTime: startOf(pro),
    guestName: 'Customer',
    guestEmail: 'customer@test.example',
    ...VISIT,
    idempotencyKey: randomUUID(),
  }),
  request_quote: (pro) => ({ ...request(pro), idempotencyKey: randomUUID() }),
  get_reviews: ({ id }) => ({ professionalId: id }),
}

const namesPro = (route: string): boolean =>
  route.includes(' /api/v1/') &&
  (route.includes(' /api/v1/pros/:id') ||
    Object.keys(RULES[route]?.ids ?? {}).some((name) => /professionalId|profileId/.test(name)))

/** Whether the response is one about the pro; the list of an unknown pro's reviews is empty. */
async function isAboutPro(response: Response): Promise<boolean> {
  const body = (await response.json()) as { code?: string; meta?: { total: number } }
  if (response.status < 300) return body.meta?.total !== 0
  expect([response.status, body.code]).toEqual([404, 'professional_not_found'])
  return false
}

describe('a test key works with the test pros of its account, and every other key with real pros', () => {
  test('in every route that names a pro', async () => {
    expect(Object.keys(ROUTES).toSorted()).toEqual(Object.keys(RULES).filter(namesPro).toSorted())
    const wrong: string[] = []
    for (const [route, requestFor] of Object.entries(ROUTES))
      for (const [name, key] of Object.entries(keys))
        for (const pro of [real, pros.instant]) {
          const { path, json } = requestFor(pro)
          const expected = name === 'test' ? pro !== real : pro === real && name !== 'otherTest'
          if ((await isAboutPro(await send(path, key, json))) !== expected)
            wrong.push(`${route} with the key ${name} and ${pro === real ? 'a real' : 'a test'} pro`)
        }
    expect(wrong).toEqual([])
  })

  test('in every tool that names a pro', async () => {
    const named = customerTools.filter(({ input }) => 'professionalId' in (input.properties as object))
    expect(Object.keys(TOOLS).toSorted()).toEqual(named.map(({ name }) => name).toSorted())
    const wrong: string[] = []
    for (const [tool, argsFor] of Object.entries(TOOLS))
      for (const [name, key] of Object.entries(keys))
        for (const pro of [real, pros.instant]) {
          const expected = name === 'test' ? pro !== real : pro === real && name !== 'otherTest'
          const { isError, problem } = await callTool(world.app, CUSTOMER_SERVER, key, tool, argsFor(pro))
          if (isError === expected || (isError && problem?.code !== 'professional_not_found'))
            wrong.push(`${tool} with the key ${name} and ${pro === real ? 'a real' : 'a test'} pro: ${problem?.code}`)
        }
    expect(wrong).toEqual([])
  })

  test('in the search, and on pages, sitemaps and lists without a key', async () => {
    const ids = async (key: string | undefined, query = '') =>
      (await found(key, query)).professionals.map(({ id }) => id).toSorted()
    const all = Object.values(pros)
      .map(({ id }) => id)
      .toSorted()
    const service = `&service=${real.serviceId}`
    for (const query of [
      '',
      service,
      '&instantBook=true&verified=true',
      '&city=Austin&state=TX',
      '&lat=30.27&lng=-97.74',
    ])
      expect([query, await ids(keys.test, query)]).toEqual([query, all])
    expect((await found(keys.test, '&limit=1&offset=1')).meta.total).toBe(3)
    expect(await ids(keys.test, '&instantBook=false')).toEqual([])
    const [first] = (await found(keys.test, service)).professionals
    expect(first?.matchedService?.id).toBe(real.serviceId)
    for (const key of [undefined, keys.live, keys.ownLive]) expect(await ids(key)).toEqual([real.id])
    expect(await ids(keys.otherTest)).not.toIncludeAnyMembers([...all, real.id])

    const tables = await world.sql<{ name: string }[]>`
      select 'search' as name from pro_search where professional_id in ${world.sql(all)}
      union all select 'prices' from price_lists where professional_ids && ${all}::uuid[]`
    expect([...tables]).toEqual([])
    const { slug } = (await found(keys.test)).professionals[0] ?? { slug: '' }
    for (const path of [`/pros/${slug}`, `/pros/${slug}/book`, `/pros/${slug}/quote`])
      expect([path, (await send(path, undefined)).status]).toEqual([path, 404])
  })

  test('whose responses no shared cache may keep', async () => {
    const { baseUrl } = world.app.deps.config
    const cachingWith = async (key: string) => {
      const request = new Request(`${baseUrl}/api/v1/pros`, { headers: { authorization: `Bearer ${key}` } })
      await world.app.app.handle(request)
      return requestContextOf(request).caching
    }
    expect([await cachingWith(keys.live), await cachingWith(keys.test)]).toEqual(['public', 'personal'])
  })
})

describe('what a test key makes', () => {
  test('no live key of the same account reads or changes', async () => {
    const { booking } = await book(pros.instant)
    expect((await send(`/api/v1/bookings/${booking.id}`, keys.test)).status).toBe(200)
    for (const key of [keys.live, keys.ownLive, keys.otherTest]) {
      expect((await send(`/api/v1/bookings/${booking.id}`, key)).status).toBe(404)
      expect((await send(`/api/v1/bookings/${booking.id}/cancel`, key, {})).status).toBe(404)
    }
    const { booking: taken } = await book(real, keys.ownLive)
    expect((await send(`/api/v1/bookings/${taken.id}/cancel`, keys.test, {})).status).toBe(404)
  })

  test('moves, is approved by the test pro, and is cancelled like any other', async () => {
    const asPro = await testKey(DEVELOPER, PRESETS['pro-dashboard'])
    const { booking } = await book(pros.approval)
    expect(booking.status).toBe('pending')
    const confirmed = await send(`/api/v1/pro/bookings/${booking.id}`, asPro, { action: 'confirm' })
    expect(confirmed.status).toBe(200)
    const { date, time } = nextBooking(pros.approval)
    expect((await send(`/api/v1/bookings/${booking.id}/reschedule`, keys.test, { date, time })).status).toBe(200)
    expect((await send(`/api/v1/bookings/${booking.id}/cancel`, keys.test, {})).status).toBe(200)
  })

  test('is paid in the sandbox and refunded there, though another provider is configured', async () => {
    const intents = stripe.intents.size
    const created = await book(pros.deposit)
    const secret = created.payment?.clientSecret ?? ''
    expect(secret).toStartWith('sandbox_secret_')
    expect((await pay(world, secret)).status).toBe(200)
    expect((await rowsOf(world, created.booking.id)).booking).toBe('confirmed')
    await send(`/api/v1/bookings/${created.booking.id}/cancel`, keys.test, {})
    await settleRefunds(world.app.deps)
    expect((await rowsOf(world, created.booking.id)).payment).toBe('refunded')
    expect(stripe.intents.size).toBe(intents)
  })

  test('sends no e-mail: the mailbox keeps it', async () => {
    const email = 'reads-no-mail@test.example'
    await book(pros.instant, keys.test, { customer: { name: 'Customer', email } })
    await book(real, keys.live, { customer: { name: 'Customer', email: 'reads-mail@test.example' } })
    await world.settle()
    expect(world.smtp.to('reads-mail@test.example')).not.toEqual([])
    expect(world.smtp.received.filter(({ to }) => to === email || to.endsWith('@hearth.invalid'))).toEqual([])
    const kept = await world.sql`select from mailbox where recipient = ${email}`
    expect(kept.length).toBeGreaterThan(0)
  })

  test('reaches the webhooks of test keys only, whose bodies name the mode', async () => {
    const endpoint = (name: string) => ({
      name,
      url: `https://hooks.test.example/${name}`,
      events: ['booking.created'],
    })
    await send('/api/v1/webhooks', keys.test, endpoint('test'))
    await send('/api/v1/webhooks', keys.ownLive, endpoint('live'))
    const inTest = await book(pros.instant)
    const live = await book(real, keys.ownLive)
    await world.relay()
    const delivered = await world.sql<{ endpoint: string; booking: string; mode: string | null }[]>`
      select e.name as endpoint, v.aggregate_id as booking, v.body::json ->> 'mode' as mode
      from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id join webhook_events v on v.id = d.event_id
      order by d.id`
    expect([...delivered]).toEqual([
      { endpoint: 'test', booking: inTest.booking.id, mode: 'test' },
      { endpoint: 'live', booking: live.booking.id, mode: null },
    ])
  })
})

describe('the database refuses', () => {
  const refused = async (query: PromiseLike<unknown>, constraint: string) => {
    const error: unknown = await Promise.resolve(query).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    expect(error).toMatchObject({ constraint_name: constraint })
  }

  test('work of a live account with a test pro, and of a test account with a real pro', async () => {
    const { booking: inTest } = await book(pros.instant)
    const { booking: live } = await book(real, keys.ownLive)
    const { sql } = world
    await refused(sql`update bookings set account_id = null where id = ${inTest.id}`, 'work_in_test_mode')
    await refused(
      sql`update bookings b set account_id = t.account_id from bookings t where b.id = ${live.id} and t.id = ${inTest.id}`,
      'work_in_test_mode',
    )
  })

  test('an active test pro, a live key in test mode, and a payment of a test pro to another provider', async () => {
    const { sql } = world
    await refused(
      sql`update professionals set active = true where id = ${pros.instant.id}`,
      'professionals_test_hidden',
    )
    await refused(sql`update api_keys set mode = 'live' where mode = 'test'`, 'api_keys_test_mode')
    await refused(sql`update api_keys set mode = 'test' where mode = 'live'`, 'api_keys_test_mode')
    await sql`update payments set provider = 'stripe' where professional_id = ${pros.deposit.id}`
    const providers = await sql`select distinct provider from payments where professional_id = ${pros.deposit.id}`
    expect([...providers]).toEqual([{ provider: 'sandbox' }])
  })
})
