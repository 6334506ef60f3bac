// A marketplace of Canada: its places, postal codes and money are those of Canada, and the United States are unknown there.
import { describe, expect, test } from 'bun:test'

import { PRESETS } from '../../../src/auth/scopes.ts'
import { createKey } from '../../../src/auth/keys/verbs/keys.ts'
import { ctxOf } from '../../../src/ctx.ts'
import { updateMarketplace } from '../../../src/features/upkeep/marketplace/verbs.ts'
import { COUNTRIES, regionOf } from '../../../src/platform/text/region.ts'
import { CUSTOMER_SERVER, callTool } from '../../support/agents.ts'
import { openBrowser, watchPage } from '../../support/browser.ts'
import { opened } from '../../support/fixture.ts'
import { SITE } from '../../support/site.ts'
import { TORONTO_ADDRESS, TORONTO_PHONE, openToronto } from '../../support/toronto.ts'
import { Visitor, loggedInVisitor, visitorFromNewAddress } from '../../support/visitor.ts'

const toronto = await opened(openToronto())
const { app, pro } = toronto
const person = { name: 'Homeowner in Toronto', email: 'home@example.com' }
const json = async (path: string) => (await (await app.send(path)).json()) as Record<string, unknown>
const found = async (query: string) => (await json(`/api/v1/pros?${query}`)) as { professionals: { slug: string }[] }
const bookedAddresses = async () => {
  const rows = await app.sql<{ address: unknown }[]>`select address from bookings order by created_at, id`
  return rows.map(({ address }) => address)
}

describe('places', () => {
  test.each(['M5V 1A1', 'm5v1a1', 'M5V', 'Toronto', 'Toronto, ON', 'toronto ontario canada', 'Toronto, ON M5V 1A1'])(
    '“%s” finds the pro',
    async (place) => {
      const { professionals } = await found(`service=plumber&place=${encodeURIComponent(place)}`)
      expect(professionals.map(({ slug }) => slug)).toEqual([pro.slug])
    },
  )

  test('a search in words knows a postal code among them', async () => {
    const { professionals } = await found('q=plumber m5v 1a1')
    expect(professionals.map(({ slug }) => slug)).toEqual([pro.slug])
  })

  test('cities, states and ZIP codes of the United States are unknown', async () => {
    for (const q of ['78701', 'Austin, TX', 'Texas']) {
      const { places } = (await json(`/api/v1/places?q=${q}`)) as { places: { displayName: string }[] }
      expect([q, places.filter(({ displayName }) => /Austin|Texas|TX/.test(displayName))]).toEqual([q, []])
    }
    const { places } = await json('/api/v1/places?q=M5V&limit=1')
    expect(places).toMatchObject([{ type: 'zip', zipCode: 'M5V', displayName: 'Toronto, ON M5V' }])
  })

  test('a pro’s city, slug and time zone are those of the postal code', async () => {
    expect(pro.slug).toBe('queen-street-plumbing-toronto-on')
    expect(await json(`/api/v1/pros/${pro.id}`)).toMatchObject({ location: { city: 'Toronto', state: 'ON' } })
    const times = await json(`/api/v1/pros/${pro.id}/availability?serviceId=${pro.serviceId}`)
    expect(times).toMatchObject({ timezone: 'America/Toronto' })
  })

  test('a property has a postal code and a province of Canada', async () => {
    const key = await app.key(['mcp:read', 'mcp:write'], await app.client())
    const create = async (address: object) =>
      await app.send('/api/v1/properties', { key, json: { name: 'Home', address: { ...TORONTO_ADDRESS, ...address } } })
    expect((await create({})).status).toBe(201)
    for (const wrong of [{ zipCode: '78701' }, { state: 'TX' }]) {
      const refused = await create(wrong)
      expect([refused.status, await refused.text()]).toEqual([400, expect.stringMatching(/M5V 1A1|province/)])
    }
  })
})

describe('a booking with M5V 1A1', () => {
  test('by form, where city and province follow from it, and a ZIP code is refused', async () => {
    const { date, time } = await toronto.nextTime()
    const { city: _, state: __, ...typed } = TORONTO_ADDRESS
    const fields = { service: pro.serviceId, date, time, ...person, phone: TORONTO_PHONE, ...typed }
    const send = (changes: object) =>
      visitorFromNewAddress(app).postRaw(`/pros/${pro.id}/book`, {
        ...fields,
        idempotencyKey: crypto.randomUUID(),
        ...changes,
      })
    const refused = await send({ zipCode: '78701' })
    expect(refused.text).toContain('Must be a postal code, such as M5V 1A1.')
    expect(refused.text).toContain('>Postal code<')
    expect(refused.text).toContain('>Province<')
    expect(refused.text).not.toContain('ZIP')
    expect((await send({})).status).toBe(303)
    expect((await bookedAddresses()).at(-1)).toEqual(TORONTO_ADDRESS)
  })

  test('by REST, in both forms', async () => {
    const key = await app.key(['bookings:write'])
    for (const path of ['/api/v1/bookings', '/api/v1/bookings/create']) {
      const { date, time, startsAt } = await toronto.nextTime()
      const body = path.endsWith('create')
        ? { startDateTime: startsAt, guestName: person.name, guestEmail: person.email, zipCode: 'M5V 1A1' }
        : { date, time, customer: person, address: { street: TORONTO_ADDRESS.street, zipCode: 'M5V 1A1' } }
      const answer = await app.send(path, { key, json: { professionalId: pro.id, serviceId: pro.serviceId, ...body } })
      expect([path, answer.status]).toEqual([path, 201])
      expect((await bookedAddresses()).at(-1)).toMatchObject({ city: 'Toronto', state: 'ON', zipCode: 'M5V 1A1' })
    }
  })

  test('by tool, which names the rule for a ZIP code', async () => {
    const key = await app.key(['mcp:read', 'mcp:write'])
    const book = async (address: object) =>
      await callTool(app, CUSTOMER_SERVER, key, 'book_appointment', {
        professionalId: pro.id,
        serviceId: pro.serviceId,
        startDateTime: (await toronto.nextTime()).startsAt,
        guestName: person.name,
        guestEmail: person.email,
        guestPhone: TORONTO_PHONE,
        address,
      })
    const refused = await book({ ...TORONTO_ADDRESS, zipCode: '78701' })
    expect(refused.problem?.errors).toEqual([
      { path: 'address.zipCode', message: 'must be a postal code, such as M5V 1A1' },
    ])
    expect((await book(TORONTO_ADDRESS)).isError).toBe(false)
    expect((await bookedAddresses()).at(-1)).toEqual(TORONTO_ADDRESS)
  })

  test('by the widget, whose form refuses a ZIP code', async () => {
    const browser = await opened(openBrowser())
    const server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: () =>
        new Response(
          `<!doctype html><html lang="en"><title>A shop</title><main><script src="${toronto.url}/widget.js" data-key="${secret}" data-pro="${pro.slug}"></script></main>`,
          { headers: { 'content-type': 'text/html' } },
        ),
    })
    const owner = { ownerEmail: 'widget@test.example', name: 'widget', scopes: PRESETS.widget }
    const { secret } = await createKey(ctxOf(app.deps), { ...owner, origin: server.url.origin, rateMultiplier: 100 })
    const { page } = await watchPage(browser)
    await page.goto(server.url.href)
    await page.getByRole('group', { name: 'Times' }).getByRole('button').first().click()
    for (const [label, value] of [
      ['Your name', person.name],
      ['E-mail address', person.email],
      ['Phone', TORONTO_PHONE],
      ['Street', TORONTO_ADDRESS.street],
    ] as const)
      await page.getByLabel(label).fill(value)
    const code = page.getByLabel('Postal code')
    await code.fill('78701')
    expect(
      await code.evaluate(
        (input) => (input as unknown as { validity: { patternMismatch: boolean } }).validity.patternMismatch,
      ),
    ).toBe(true)
    await code.fill('m5v 1a1')
    const before = (await bookedAddresses()).length
    await page.locator('form button.main').click()
    await page.locator('form').waitFor({ state: 'detached' })
    const addresses = await bookedAddresses()
    expect(addresses.length).toBe(before + 1)
    expect(addresses.at(-1)).toMatchObject({ city: 'Toronto', state: 'ON', zipCode: 'm5v 1a1' })
    await server.stop(true)
  })
})

describe('money', () => {
  test('is in Canadian dollars in every answer, payment and list', async () => {
    expect(await json(`/api/v1/pros/${pro.id}`)).toMatchObject({ services: [{ pricing: { currency: 'CAD' } }] })
    const key = await app.key(['pro:read', 'pro:write'], pro.email)
    const read = async (path: string) => await (await app.send(path, { key })).text()
    const texts = [
      await read(`/api/v1/pros?service=plumber&place=Toronto`),
      await read(`/api/v1/pricing?service=plumber`),
      await read('/api/v1/pro/bookings'),
      await read('/api/v1/pro/analytics'),
    ]
    const rows = await app.sql<{ row: string }[]>`
      select row_to_json(b)::text || booking_balance(b)::text || booking_price(b)::text as row from bookings b
      union all select row_to_json(o)::text from professional_services o
      union all select row_to_json(p)::text from payments p
      union all select data::text from outbox_events
      union all select data::text from messages`
    expect(rows.length).toBeGreaterThan(10)
    for (const text of [...texts, ...rows.map(({ row }) => row)]) expect(text).not.toContain('USD')
    expect(rows.filter(({ row }) => row.includes('CAD')).length).toBeGreaterThan(5)
  })

  test('is paid in Canadian dollars, in full and for a quote', async () => {
    await app.sql`
      update professionals set deposit_required = true, deposit_percentage = 20 where id = ${pro.id}`
    await app.sql`
      update professional_services set price_type = 'flat', unit = null where professional_id = ${pro.id}`
    const { date, time } = await toronto.nextTime()
    const answer = await app.send('/api/v1/bookings', {
      key: await app.key(['bookings:write']),
      json: {
        professionalId: pro.id,
        serviceId: pro.serviceId,
        date,
        time,
        customer: person,
        address: TORONTO_ADDRESS,
      },
    })
    const { payment } = (await answer.json()) as { payment: { clientSecret: string; payUrl: string } }
    expect(payment).toMatchObject({ amount: 24, currency: 'CAD' })
    const { text } = await new Visitor(app).get(new URL(payment.payUrl).pathname)
    expect(text).toContain('$24')
    expect(text).not.toMatch(/US\$|CA\$|USD/)
    await app.send(`/sandbox/payments/${payment.clientSecret}`, { json: { outcome: 'succeeds' } })
    const rows = await app.sql<{ currency: string; captured: string }[]>`
      select currency, captured_currency as captured from payments where status = 'succeeded'`
    expect([...rows]).toEqual([{ currency: 'CAD', captured: 'CAD' }])
  })

  test('has the currency that the profile of each country says', async () => {
    for (const country of COUNTRIES) {
      await app.sql`update marketplace_versions set country = ${country}`
      const [row] = await app.sql<{ currency: string }[]>`select marketplace_currency() as currency`
      expect([country, row?.currency]).toEqual([country, regionOf({ country }).currency])
    }
    await app.sql`update marketplace_versions set country = 'CA'`
  })
})

test('the country stays once there are pros, by page and by file', async () => {
  const operator = await loggedInVisitor(app, 'operator')
  const { name, tagline, email, phone, address, accent } = SITE
  const fields = { name, tagline, email, phone, address, accent, country: 'US', version: '1' }
  const refused = await operator.post('/console/marketplace', fields)
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('Stays as it is once there are pros')])
  const change = updateMarketplace(ctxOf(app.deps), { ...SITE, country: 'US', version: 1, by: null })
  expect(await change.catch((error: { code: string }) => error.code)).toBe('validation_failed')
  expect((await operator.get('/console/marketplace')).text).toContain('<option value="CA" selected')
  expect((await new Visitor(app).get('/')).status).toBe(200)
})
