// Production without a payment provider: nothing that costs money is taken or offered, and test mode works as ever.
import { expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import { PRESETS } from '../../src/auth/scopes.ts'
import { createKeyInMode } from '../../src/features/upkeep/test-mode/verbs.ts'
import { CUSTOMER_SERVER, callTool, rpc } from '../support/agents.ts'
import {
  type CreatedBooking,
  type FixturePro,
  VISIT,
  book,
  bookingBody,
  openBookingFixture,
  pay,
} from '../support/booking-fixture.ts'
import { opened } from '../support/fixture.ts'
import { sentQuote } from '../support/quotes.ts'
import { updateMarketplace } from '../../src/features/upkeep/marketplace/verbs.ts'
import { ctxOf } from '../../src/ctx.ts'

const AGENT_SCOPES = [...PRESETS['agent-tools'], ...PRESETS['full-server']]

const world = await opened(
  openBookingFixture({
    HEARTH_ENV: 'production',
    HEARTH_SECRET: 'a secret of at least 32 characters',
    MACHINE_PAYMENTS: 'true',
    LOG_LEVEL: 'silent',
  }),
)
await updateMarketplace(ctxOf(world.app.deps), { version: 0, isOpen: true, by: null })
const [deposit, free] = [await world.pro(), await world.pro({ deposit: false })]
for (const { id, serviceId } of [deposit, free])
  await world.sql`
    insert into packages (id, professional_id, service_id, sku, kind, name, includes, cadence, price_cents,
      duration_minutes, active, created_at, updated_at)
    values (${randomUUID()}, ${id}, ${serviceId}, ${`SKU-${id.slice(0, 8).toUpperCase()}`}, 'standard', 'Package', '{}',
      'once', 9900, 60, true, now(), now())`
const key = await world.app.key(AGENT_SCOPES)

async function page(path: string, form?: Record<string, string>) {
  const init = form ? { method: 'POST', body: new URLSearchParams(form) } : {}
  const { baseUrl } = world.app.deps.config
  const headers = { accept: 'text/html', ...(form ? { origin: baseUrl } : {}) }
  const response = await world.app.app.handle(new Request(`${baseUrl}${path}`, { ...init, headers }))
  return { status: response.status, text: await response.text() }
}

const packageOf = async ({ id }: FixturePro) => {
  const [row] = await world.sql<{ id: string; sku: string }[]>`
    select id, sku from packages where professional_id = ${id}`
  if (!row) throw new Error('The pro has no package.')
  return row
}

const start = ({ id, serviceId }: FixturePro, hours: number) => ({
  professionalId: id,
  serviceId,
  startDateTime: new Date(Date.parse('2026-11-23T15:00:00Z') + hours * 3_600_000).toISOString(),
  guestName: 'Homeowner',
  guestEmail: 'home@example.com',
})

const codeOf = async (response: Response) => [response.status, ((await response.json()) as { code: string }).code]

test('what costs money is refused before anything is held: by REST, tools and pages', async () => {
  const refusal = [400, 'payments_not_configured']
  const post = (path: string, json: object) => world.app.send(path, { key, json })
  expect(await codeOf(await post('/api/v1/bookings', bookingBody(deposit)))).toEqual(refusal)
  for (const pro of [deposit, free]) {
    expect(await codeOf(await post('/api/v1/bookings/create', start(pro, 0)))).toEqual(refusal)
    const { id: packageId } = await packageOf(pro)
    const input = { ...start(pro, 1), packageId }
    expect(await codeOf(await post('/api/v1/bookings/create', input))).toEqual(refusal)
    const args = { ...start(pro, 2), ...VISIT, idempotencyKey: randomUUID() }
    for (const choice of [{}, { packageId }])
      expect(
        (await callTool(world.app, CUSTOMER_SERVER, key, 'book_appointment', { ...args, ...choice })).problem,
      ).toMatchObject({ code: 'payments_not_configured' })
  }
  const { professionalId, serviceId, date, time } = bookingBody(deposit)
  const form = { service: serviceId, date, time, name: 'Homeowner', email: 'home@example.com' }
  const visit = { phone: '+1 512 555 0142', street: '1 Main Street', city: 'Austin', state: 'TX', zipCode: '78701' }
  const booked = await page(`/pros/pro-${professionalId}/book`, {
    ...form,
    ...visit,
    idempotencyKey: randomUUID(),
  })
  expect(booked.text).toContain('No online booking')
  const token = await quoteWithDeposit()
  expect(await codeOf(await world.app.send(`/api/v1/quotes/${token}/accept`, { json: {} }))).toEqual(refusal)
  expect((await page(`/quotes/${token}/accept`, {})).status).toBe(400)
  const [made] = await world.sql`
    select (select count(*)::integer from bookings) as bookings, (select count(*)::integer from payments) as payments,
      (select count(*)::integer from quotes where status = 'accepted') as accepted`
  expect(made).toEqual({ bookings: 0, payments: 0, accepted: 0 })
})

test('what costs nothing is booked as ever, and a refusal is not replayed once payments work', async () => {
  expect((await book(world, free, 5, key)).booking.status).toBe('confirmed')
  const headers = { 'idempotency-key': randomUUID() }
  const json = bookingBody(deposit, 6)
  expect((await world.app.send('/api/v1/bookings', { key, json, headers })).status).toBe(400)
  const [row] =
    await world.sql`select count(*)::integer as count from idempotency_records where key = ${headers['idempotency-key']}`
  expect(row).toEqual({ count: 0 })
})

test('pages and tools offer no time that costs money; they say why and lead to a quote', async () => {
  const read = async (path: string) => (await (await world.app.send(path, { key })).json()) as Record<string, unknown>
  const obstacle = { reason: 'payments_not_configured', quoteUrl: expect.stringContaining('/quote?service=') as string }
  const query = `date=2026-11-23&days=2`
  const slug = (pro: FixturePro) => `pro-${pro.id}`
  for (const { path, names } of [
    { path: `${deposit.id}/availability?${query}`, names: false },
    { path: `${deposit.id}/availability?${query}&serviceId=${deposit.serviceId}`, names: true },
    { path: `${free.id}/availability?${query}&packageId=${(await packageOf(free)).id}`, names: true },
  ]) {
    const listed = await read(`/api/v1/pros/${path}`)
    const days = listed['availability'] as { slots: unknown[] }[]
    expect([listed['instantBookingEnabled'], listed['nextAvailable'], days.map(({ slots }) => slots.length)]).toEqual([
      false,
      null,
      [0, 0],
    ])
    if (names) expect(listed['service']).toMatchObject({ bookable: false, obstacle })
  }
  expect(
    await read(
      `/api/v1/availability/query?professionalId=${deposit.id}&serviceId=${deposit.serviceId}&date=2026-11-23`,
    ),
  ).toMatchObject({ bookable: false, obstacle, slots: [], nextAvailable: null })
  expect(await read(`/api/v1/pros/${free.id}/availability?${query}&serviceId=${free.serviceId}`)).toMatchObject({
    instantBookingEnabled: true,
    service: { bookable: true, obstacle: null },
  })
  for (const { id: professionalId, serviceId } of [deposit, free]) {
    const { structured } = await callTool(world.app, CUSTOMER_SERVER, key, 'query_availability', {
      professionalId,
      serviceId,
    })
    expect(structured).toMatchObject({ bookable: false, obstacle })
  }
  expect(await read(`/api/v1/pros/${deposit.id}`)).toMatchObject({
    booking: { instantBookingEnabled: false },
    services: [{ booking: { instantBookEnabled: false } }],
  })
  for (const pro of [deposit, free])
    expect(await read(`/api/v1/packages/${(await packageOf(pro)).id}`)).toMatchObject({ bookable: false })
  const { structured: packages } = await callTool(world.app, CUSTOMER_SERVER, key, 'list_packages')
  expect(packages).toMatchObject({ packages: [] })

  const profile = await page(`/pros/${slug(deposit)}`)
  expect([profile.status, profile.text.includes(`${slug(deposit)}/book`)]).toEqual([200, false])
  expect((await page(`/pros/${slug(free)}`)).text).toContain(`${slug(free)}/book`)
  for (const path of [
    `/pros/${slug(deposit)}/book`,
    `/pros/${slug(deposit)}/book?service=${deposit.serviceId}`,
    `/packages/${(await packageOf(free)).sku}`,
  ]) {
    const { text } = await page(path)
    expect(text).toContain('Ask for a quote')
    expect(text).not.toContain('name="time"')
    expect(text).not.toContain('Choose a time')
  }
  const quote = (await page(`/quotes/${await quoteWithDeposit()}`)).text
  expect(quote).toContain('cannot be paid on this site')
  expect(quote).not.toContain('/accept"')
})

test('the sandbox takes no payment to a real pro, neither by its route, its page nor a wallet', async () => {
  const { deps } = world.app
  // It was started while the site was in development.
  const id = randomUUID()
  const token = await quoteWithDeposit()
  const [quote] = await world.sql<{ id: string }[]>`select id from quotes order by created_at desc, id desc limit 1`
  await world.sql`
    insert into payments (id, quote_id, professional_id, status, fee_cents, deposit_cents, amount_cents, provider, intent_id,
      client_secret, expires_at, created_at)
    values (${id}, ${quote?.id ?? ''}, ${deposit.id}, 'requires_payment', 0, 9600, 9600, 'sandbox', 'sandbox_1',
      'sandbox_secret_of_old', ${new Date(deps.clock.now().getTime() + 86_400_000).toISOString()}, now())`
  expect((await pay(world, 'sandbox_secret_of_old')).status).toBe(404)
  expect((await page('/pay/sandbox_secret_of_old')).status).toBe(404)
  expect((await page('/pay/sandbox_secret_of_old', { outcome: 'succeeds' })).status).toBe(404)
  expect(await codeOf(await world.app.send(`/api/v1/quotes/${token}/accept`, { json: {} }))).toEqual([
    400,
    'payments_not_configured',
  ])
  const [payment] = await world.sql`select status from payments where id = ${id}`
  expect(payment).toEqual({ status: 'requires_payment' })
  const { reply } = await rpc(world.app, CUSTOMER_SERVER, key, 'tools/call', {
    name: 'book_appointment',
    arguments: { ...start(deposit, 3), ...VISIT, idempotencyKey: randomUUID() },
  })
  expect(JSON.stringify(reply)).not.toContain('challenges')
})

test('test mode is paid in the sandbox', async () => {
  const { secret } = await createKeyInMode(ctxOf(world.app.deps), {
    ownerEmail: 'developer@test.example',
    scopes: AGENT_SCOPES,
    name: 'test',
    mode: 'test',
    rateMultiplier: 10_000,
  })
  const found = await world.app.send('/api/v1/pros?limit=50', { key: secret })
  const { professionals } = (await found.json()) as { professionals: { id: string; slug: string }[] }
  const pro = professionals.find(({ slug }) => slug.startsWith('test-deposit-'))
  const json = bookingBody({ id: pro?.id ?? '', serviceId: free.serviceId, accountId: '' }, 1)
  const response = await world.app.send('/api/v1/bookings', { key: secret, json })
  expect(response.status).toBe(201)
  const { payment } = (await response.json()) as CreatedBooking
  expect((await page(`/pay/${payment?.clientSecret}`)).text).toContain('This is a test environment')
  expect(await (await pay(world, payment?.clientSecret ?? '')).json()).toMatchObject({
    payment: { status: 'succeeded' },
    booking: { status: 'confirmed' },
  })
})

async function quoteWithDeposit(): Promise<string> {
  const { deps } = world.app
  const pro = { ...deposit, professionalId: deposit.id, slug: '' }
  const { token } = await sentQuote(deps, pro, { depositRequired: true, depositPercentage: 20 })
  return token
}
