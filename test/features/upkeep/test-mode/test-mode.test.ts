// Test mode, beside a real payment provider and mail server: what a test key sees and changes, and what never leaves it.
import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import { requestContextOf } from '../../../../src/auth/request-context.ts'
import { PRESETS } from '../../../../src/auth/scopes.ts'
import { customerTools } from '../../../../src/mcp/customer/tools.ts'
import { settleRefunds } from '../../../../src/payments/verbs/refunds.ts'
import { CUSTOMER_SERVER, callTool, rpc } from '../../../support/agents.ts'
import { VISIT, VISIT_ADDRESS, VISIT_PHONE, pay, rowsOf } from '../../../support/booking-fixture.ts'
import { opened } from '../../../support/fixture.ts'
import { RULES } from '../../../support/isolation-rules.ts'
import { type KnownPro as Pro, openTestMode, reviewOf, rfqOf } from '../../../support/test-mode.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const mode = await opened(openTestMode())

const startOf = (pro: Pro) => {
  const { date, time } = mode.nextBooking(pro)
  return `${date}T${time}:00-05:00`
}

/** For each route of the API that names a pro: a request about the pro. */
const ROUTES: Readonly<Record<string, (pro: Pro) => { path: string; json?: object }>> = {
  'GET /api/v1/pros/:id': ({ id }) => ({ path: `/api/v1/pros/${id}` }),
  'GET /api/v1/pros/:id/availability': ({ id }) => ({ path: `/api/v1/pros/${id}/availability?date=2026-11-23` }),
  'GET /api/v1/profile/public/:profileId': ({ id }) => ({ path: `/api/v1/profile/public/${id}` }),
  'GET /api/v1/availability/query': ({ id, serviceId }) => ({
    path: `/api/v1/availability/query?professionalId=${id}&serviceId=${serviceId}&date=2026-11-23`,
  }),
  'GET /api/v1/pros/:id/pictures': ({ id }) => ({ path: `/api/v1/pros/${id}/pictures` }),
  'GET /api/v1/reviews': ({ id }) => ({ path: `/api/v1/reviews?professionalId=${id}` }),
  'POST /api/v1/bookings': (pro) => ({ path: '/api/v1/bookings', json: mode.nextBooking(pro) }),
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
  'POST /api/v1/rfqs': (pro) => ({ path: '/api/v1/rfqs', json: rfqOf(pro) }),
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
  request_quote: (pro) => ({ ...rfqOf(pro), idempotencyKey: randomUUID() }),
  get_pro: ({ id }) => ({ professionalId: id }),
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
      for (const [name, key] of Object.entries(mode.keys))
        for (const pro of [mode.real, mode.pros.instant]) {
          const { path, json } = requestFor(pro)
          const expected = name === 'test' ? pro !== mode.real : pro === mode.real && name !== 'otherTest'
          if ((await isAboutPro(await mode.send(path, key, json))) !== expected)
            wrong.push(`${route} with the key ${name} and ${pro === mode.real ? 'a real' : 'a test'} pro`)
        }
    expect(wrong).toEqual([])
  })

  test('in every tool that names a pro', async () => {
    const named = customerTools.filter(({ input }) => 'professionalId' in (input.properties as object))
    expect(Object.keys(TOOLS).toSorted()).toEqual(named.map(({ name }) => name).toSorted())
    const wrong: string[] = []
    for (const [tool, argsFor] of Object.entries(TOOLS))
      for (const [name, key] of Object.entries(mode.keys))
        for (const pro of [mode.real, mode.pros.instant]) {
          const expected = name === 'test' ? pro !== mode.real : pro === mode.real && name !== 'otherTest'
          const { isError, problem } = await callTool(mode.world.app, CUSTOMER_SERVER, key, tool, argsFor(pro))
          if (isError === expected || (isError && problem?.code !== 'professional_not_found'))
            wrong.push(
              `${tool} with the key ${name} and ${pro === mode.real ? 'a real' : 'a test'} pro: ${problem?.code}`,
            )
        }
    expect(wrong).toEqual([])
  })

  test('in the search, and on pages, sitemaps and lists without a key', async () => {
    const ids = async (key: string | undefined, query = '') =>
      (await mode.find(key, query)).professionals.map(({ id }) => id).toSorted()
    const all = Object.values(mode.pros)
      .map(({ id }) => id)
      .toSorted()
    const service = `&service=${mode.real.serviceId}`
    for (const query of [
      '',
      service,
      '&instantBook=true&verified=true',
      '&city=Austin&state=TX',
      '&lat=30.27&lng=-97.74',
    ])
      expect([query, await ids(mode.keys.test, query)]).toEqual([query, all])
    expect((await mode.find(mode.keys.test, '&limit=1&offset=1')).meta.total).toBe(3)
    expect(await ids(mode.keys.test, '&instantBook=false')).toEqual([])
    const [first] = (await mode.find(mode.keys.test, service)).professionals
    expect(first?.matchedService?.id).toBe(mode.real.serviceId)
    for (const key of [undefined, mode.keys.live, mode.keys.ownLive]) expect(await ids(key)).toEqual([mode.real.id])
    const others = await ids(mode.keys.otherTest)
    expect([others.length, others.filter((id) => [...all, mode.real.id].includes(id))]).toEqual([3, []])

    const tables = await mode.world.sql<{ name: string }[]>`
      select 'search' as name from pro_search where professional_id in ${mode.world.sql(all)}
      union all select 'prices' from price_lists where professional_ids && ${all}::uuid[]`
    expect([...tables]).toEqual([])
  })

  test('on the pages of a test pro too, which only its link opens and no cache and search engine keeps', async () => {
    const { id, serviceId } = mode.pros.instant
    const { app, deps } = mode.world.app
    const { baseUrl } = deps.config
    const open = async (path: string, init: RequestInit = {}) => {
      const request = new Request(`${baseUrl}${path}`, init)
      const { status, headers } = await app.handle(request)
      const robots = headers.get('x-robots-tag')
      return { status, location: headers.get('location'), kept: [requestContextOf(request).caching, robots] }
    }
    const path = `/pros/${(await mode.find(mode.keys.test)).professionals.find((pro) => pro.id === id)?.slug}`
    const wrongPath = `/pros/test-instant-${randomUUID()}`
    for (const page of ['', '/book', '/quote']) {
      expect([page, await open(`${path}${page}`)]).toEqual([
        page,
        { status: 200, location: null, kept: ['personal', 'noindex'] },
      ])
      expect([page, (await open(`${wrongPath}${page}`)).status]).toEqual([page, 404])
    }
    expect((await open(`/pros/${id}`)).location).toBe(path)

    const { date, time } = mode.nextBooking(mode.pros.instant)
    const customer = { name: 'Customer', email: 'on-a-page@test.example', phone: VISIT_PHONE, ...VISIT_ADDRESS }
    const form = { service: serviceId, date, time, ...customer, idempotencyKey: randomUUID() }
    const post = { method: 'POST', body: new URLSearchParams(form), headers: { origin: baseUrl } }
    const { location } = await open(`${path}/book`, post)
    expect(location).toStartWith('/bookings/manage/')
    const [booked] = await mode.world.sql<{ id: string }[]>`
      select id from bookings where customer_email = ${customer.email}`
    expect((await mode.send(`/api/v1/bookings/${booked?.id}`, mode.keys.test)).status).toBe(200)
    expect((await open(`${location}/review`)).status).toBe(200)
  })

  test('whose responses no shared cache may keep', async () => {
    const { baseUrl } = mode.world.app.deps.config
    const cachingWith = async (key: string) => {
      const request = new Request(`${baseUrl}/api/v1/pros`, { headers: { authorization: `Bearer ${key}` } })
      await mode.world.app.app.handle(request)
      return requestContextOf(request).caching
    }
    expect([await cachingWith(mode.keys.live), await cachingWith(mode.keys.test)]).toEqual(['public', 'personal'])
  })
})

describe('what a test key makes', () => {
  test('no live key of the same account reads or changes', async () => {
    const { booking } = await mode.book(mode.pros.instant)
    expect((await mode.send(`/api/v1/bookings/${booking.id}`, mode.keys.test)).status).toBe(200)
    for (const key of [mode.keys.live, mode.keys.ownLive, mode.keys.otherTest]) {
      expect((await mode.send(`/api/v1/bookings/${booking.id}`, key)).status).toBe(404)
      expect((await mode.send(`/api/v1/bookings/${booking.id}/cancel`, key, {})).status).toBe(404)
    }
    const { booking: taken } = await mode.book(mode.real, mode.keys.ownLive)
    expect((await mode.send(`/api/v1/bookings/${taken.id}/cancel`, mode.keys.test, {})).status).toBe(404)
  })

  test('moves, is approved by the test pro, and is cancelled like any other', async () => {
    const asPro = await mode.testKey(PRESETS['pro-dashboard'])
    const { booking } = await mode.book(mode.pros.approval)
    expect(booking.status).toBe('pending')
    const confirmed = await mode.send(`/api/v1/pro/bookings/${booking.id}`, asPro, { action: 'confirm' })
    expect(confirmed.status).toBe(200)
    const { date, time } = mode.nextBooking(mode.pros.approval)
    expect((await mode.send(`/api/v1/bookings/${booking.id}/reschedule`, mode.keys.test, { date, time })).status).toBe(
      200,
    )
    expect((await mode.send(`/api/v1/bookings/${booking.id}/cancel`, mode.keys.test, {})).status).toBe(200)
  })

  test('is paid in the sandbox and refunded there, though another provider is configured', async () => {
    const intents = mode.stripe.intents.size
    const created = await mode.book(mode.pros.deposit)
    const secret = created.payment?.clientSecret ?? ''
    expect(secret).toStartWith('sandbox_secret_')
    expect((await pay(mode.world, secret)).status).toBe(200)
    expect((await rowsOf(mode.world, created.booking.id)).booking).toBe('confirmed')
    await mode.send(`/api/v1/bookings/${created.booking.id}/cancel`, mode.keys.test, {})
    await settleRefunds(ctxOf(mode.world.app.deps))
    expect((await rowsOf(mode.world, created.booking.id)).payment).toBe('refunded')
    expect(mode.stripe.intents.size).toBe(intents)
  })

  test('can be paid by a wallet of the sandbox, which what a live key makes cannot', async () => {
    const bookWith = async (key: string, pro: Pro) => {
      const params = { name: 'book_appointment', arguments: TOOLS['book_appointment']?.(pro) }
      const { reply } = await rpc(mode.world.app, CUSTOMER_SERVER, key, 'tools/call', params)
      return reply.result as { structuredContent: { status: string }; _meta?: Record<string, unknown> }
    }
    const live = await bookWith(mode.keys.live, mode.real)
    expect([live.structuredContent.status, live['_meta']]).toEqual(['pending', undefined])
    const { _meta: meta } = await bookWith(mode.keys.test, mode.pros.deposit)
    expect(meta?.['org.paymentauth/payment-required']).toMatchObject({ challenges: [{ method: 'sandbox' }] })
  })

  test('is reviewed at once, because test mode has no moderators', async () => {
    const { status } = await mode.review(mode.keys.test, mode.pros.deposit)
    const path = `/api/v1/reviews?professionalId=${mode.pros.deposit.id}`
    const shown = (await (await mode.send(path, mode.keys.test)).json()) as { meta: { total: number } }
    expect([status, shown.meta.total]).toEqual(['approved', 1])
    expect((await mode.review(mode.keys.live, mode.real)).status).toBe('pending')
  })

  test('sends no e-mail: the mailbox keeps it', async () => {
    const email = 'reads-no-mail@test.example'
    await mode.book(mode.pros.instant, mode.keys.test, { customer: { name: 'Customer', email } })
    await mode.book(mode.real, mode.keys.live, { customer: { name: 'Customer', email: 'reads-mail@test.example' } })
    await mode.world.settle()
    expect(mode.world.smtp.to('reads-mail@test.example')).not.toEqual([])
    expect(mode.world.smtp.received.filter(({ to }) => to === email || to.endsWith('@hearth.invalid'))).toEqual([])
    const kept = await mode.world.sql`select from mailbox where recipient = ${email}`
    expect(kept.length).toBeGreaterThan(0)
  })

  test('reaches the webhooks of test keys only, whose bodies name the mode', async () => {
    const endpoint = (name: string) => ({
      name,
      url: `https://hooks.test.example/${name}`,
      events: ['booking.created'],
    })
    await mode.send('/api/v1/webhooks', mode.keys.test, endpoint('test'))
    await mode.send('/api/v1/webhooks', mode.keys.ownLive, endpoint('live'))
    const inTest = await mode.book(mode.pros.instant)
    const live = await mode.book(mode.real, mode.keys.ownLive)
    await mode.world.relay()
    const delivered = await mode.world.sql<{ endpoint: string; booking: string; mode: string | null }[]>`
      select e.name as endpoint, v.aggregate_id as booking, v.body::json ->> 'mode' as mode
      from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id join webhook_events v on v.id = d.event_id
      order by e.name desc`
    expect([...delivered]).toEqual([
      { endpoint: 'test', booking: inTest.booking.id, mode: 'test' },
      { endpoint: 'live', booking: live.booking.id, mode: null },
    ])
  })
})
