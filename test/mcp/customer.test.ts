// Tools of the customer server: each has the effect of its REST route.
import { describe, expect, spyOn, test } from 'bun:test'

import type { Professional } from '../../src/features/search/pros/schemas.ts'
import { withFee } from '../../src/platform/schema/price.ts'
import { priceOf } from '../../src/platform/text/format.ts'
import { VISIT } from '../support/booking-fixture.ts'
import { CUSTOMER_SERVER, agentKey, callTool, listedTools, rpc } from '../support/agents.ts'
import { type TestApp, WIDGET_ORIGIN, findBookableSlot, openTestApp } from '../support/app.ts'
import { quotingPro } from '../support/quotes.ts'
import { opened } from '../support/fixture.ts'

const app = await opened(openTestApp())
const key = await agentKey(app, ['mcp:read', 'mcp:write', 'packages:read', 'packages:book'])
const slot = await findBookableSlot(app)

const call = (name: string, args: object = {}) => callTool(app, CUSTOMER_SERVER, key, name, args)
const rest = async <T>(path: string, init: Parameters<TestApp['send']>[1] = {}) =>
  (await (await app.send(path, { key, ...init })).json()) as T

interface Times {
  days: { date: string; open: { time: string; startDateTime: string }[] }[]
  nextAvailable: { date: string } | null
}

interface FoundPro {
  id: string
  services: { id: string; price?: { total?: number; text: string }; deposit?: number }[]
}

const openTimes = async (args: object = {}) => {
  const { professionalId, serviceId } = slot
  const { structured } = await call('query_availability', { professionalId, serviceId, ...args })
  return structured as unknown as Times
}

const bookingInput = (startDateTime: string | undefined, changes: object = {}) => ({
  professionalId: slot.professionalId,
  serviceId: slot.serviceId,
  startDateTime,
  guestName: 'Homeowner in Austin',
  guestEmail: 'homeowner@test.example',
  ...VISIT,
  ...changes,
})

test('search_pros returns the pros of GET /pros in the same order', async () => {
  const query = { service: 'drain-cleaning', state: 'TX' }
  const { structured } = await call('search_pros', query)
  const { professionals } = await rest<{ professionals: Professional[] }>(
    `/api/v1/pros?${new URLSearchParams({ ...query, limit: '10' }).toString()}`,
    { key: '' },
  )
  const result = structured as unknown as { professionals: FoundPro[]; bookingFee: number }
  expect(result.professionals.map(({ id }) => id)).toEqual(professionals.map(({ id }) => id))
  expect(result).toMatchObject({ bookingFee: 5 })
  // Each shows the price, length, deposit and booking of the service, and of the pro's services only that one.
  for (const [n, { services }] of result.professionals.entries()) {
    const { id, pricing, booking } = professionals[n]?.matchedService ?? {}
    if (!pricing) throw new Error('A search for a service has no price.')
    const bookable = booking?.instantBookEnabled
    expect(services).toMatchObject([{ id, minutes: booking?.durationMinutes, bookable }])
    // The whole range, and the fee in the total.
    const { currency: _, basePrice: __, from: ___, ...price } = withFee(pricing, bookable ? 5 : 0)
    expect(services[0]?.price).toEqual({
      ...Object.fromEntries(Object.entries(price).filter(([, value]) => value !== null)),
      text: priceOf(pricing),
    })
    expect(services[0]?.deposit).toBe(booking?.deposit)
  }
})

test('search_pros tells the deposit and fee that query_availability and the booking then ask for', async () => {
  const { professionalId, serviceId } = slot
  const setDeposit = (percentage: number | null) => app.sql`
    update professionals set deposit_required = ${percentage !== null}, deposit_percentage = ${percentage}
    where id = ${professionalId}`
  const foundTerms = async () => {
    const [pro] = await app.sql<{ slug: string; lat: number; lng: number }[]>`
      select slug, latitude as lat, longitude as lng from professionals where id = ${professionalId}`
    const near = { service: serviceId, lat: pro?.lat, lng: pro?.lng, radius: 1, limit: 20 }
    const { structured } = await call('search_pros', near)
    const { professionals, bookingFee } = structured as unknown as { professionals: FoundPro[]; bookingFee: number }
    return { bookingFee, ...professionals.find(({ id }) => id === professionalId)?.services[0] }
  }
  expect(await foundTerms()).not.toHaveProperty('deposit')
  await app.sql`
    update professional_services set price_type = 'flat', unit = null, base_price_cents = 9900, min_price_cents = null,
      max_price_cents = null
    where professional_id = ${professionalId} and service_id = ${serviceId}`
  for (const percentage of [20, 30]) {
    await setDeposit(percentage)
    const found = await foundTerms()
    const { structured } = await call('query_availability', { professionalId, serviceId })
    const { price, deposit, dueNow, days } = structured as unknown as Times & {
      price: { total: number }
      deposit: number
      dueNow: number
    }
    expect([found.price?.total, price.total]).toEqual([104, 104])
    expect([found.deposit, dueNow]).toEqual([deposit, Math.round((deposit + found.bookingFee) * 100) / 100])
    const booked = await call('book_appointment', bookingInput(days[0]?.open.at(-1)?.startDateTime))
    expect(booked.structured['amount']).toBe(dueNow)
  }
  await setDeposit(null)
})

test('search_pros without results suggests what to try', async () => {
  const unknown = await call('search_pros', { service: 'mount a samsung' })
  expect([unknown.isError, unknown.texts[1]]).toEqual([false, expect.stringContaining('Did you mean: ')])
  const remote = await call('search_pros', { service: 'plumber', lat: 0, lng: 0 })
  expect([remote.isError, remote.texts[1]]).toEqual([false, expect.stringContaining('larger radius')])
})

describe('query_availability', () => {
  test('lists exactly the open times of GET /availability/query', async () => {
    const { days } = await openTimes({ date: slot.date, days: 2 })
    for (const { date, open } of days) {
      const { professionalId, serviceId } = slot
      const query = new URLSearchParams({ professionalId, serviceId, date }).toString()
      const { slots } = await rest<{ slots: { startDateTime: string; available: boolean }[] }>(
        `/api/v1/availability/query?${query}`,
        { key: '' },
      )
      expect(open.map(({ startDateTime }) => startDateTime)).toEqual(
        slots.filter(({ available }) => available).map(({ startDateTime }) => startDateTime),
      )
    }
  })

  test('begins at the first day with an open time when no date is given', async () => {
    const [first] = (await openTimes()).days
    expect(first?.open.length).toBeGreaterThan(0)
  })

  test('lists a week in one statement', async () => {
    const statements = spyOn(app.deps.replicas, 'prepared')
    for (const args of [{ days: 7 }, { days: 7, date: slot.date }]) expect((await openTimes(args)).days).toHaveLength(7)
    expect(statements.mock.calls.map(([name]) => name).filter((name) => name.startsWith('open-slots'))).toHaveLength(2)
    statements.mockRestore()
  })

  test('says why a service cannot be booked, and where to ask for a quote', async () => {
    const { professionalId, serviceId, slug } = slot
    const setInstant = (isInstant: boolean) => app.sql`
      update professional_services set instant_book_enabled = ${isInstant}
      where professional_id = ${professionalId} and service_id = ${serviceId}`
    await setInstant(false)
    const { structured, texts } = await call('query_availability', { professionalId, serviceId, days: 2 })
    await setInstant(true)
    const quoteUrl = `${app.deps.config.baseUrl}/pros/${slug}/quote?service=${serviceId}`
    expect(structured).toMatchObject({
      bookable: false,
      obstacle: { reason: 'instant_booking_disabled', quoteUrl },
      days: [{ open: [] }, { open: [] }],
      nextAvailable: null,
    })
    expect(texts[1]).toContain('request_quote')
    expect(texts[1]).toContain(quoteUrl)
  })
})

describe('book_appointment', () => {
  test('holds the time and returns amount, deadline and address of the payment', async () => {
    const [day] = (await openTimes()).days
    const { isError, structured, texts } = await call('book_appointment', bookingInput(day?.open[0]?.startDateTime))
    expect(isError).toBe(false)
    const { payUrl, statusUrl } = structured
    expect(structured).toMatchObject({
      status: 'pending',
      clientSecret: expect.any(String),
      amount: 5,
      currency: 'USD',
      holdExpiresAt: expect.any(String),
      payUrl: expect.stringContaining('/pay/'),
    })
    expect(texts[1]).toContain(String(payUrl))
    const { pathname, search } = new URL(String(statusUrl))
    const { booking } = await rest<{ booking: { status: string } }>(`${pathname}${search}`, { key: '' })
    expect(booking.status).toBe('pending')
  })

  test('returns a result with the next open time when the time is taken', async () => {
    const [day] = (await openTimes()).days
    const args = bookingInput(day?.open[0]?.startDateTime)
    await call('book_appointment', args)
    const other = { ...args, guestEmail: 'another@test.example' }
    const { isError, problem, texts } = await call('book_appointment', other)
    expect([isError, problem]).toMatchObject([
      true,
      { code: 'slot_unavailable', nextAvailable: { date: expect.any(String) } },
    ])
    expect(texts[0]).toContain('slot_unavailable')
  })

  test('records that an agent made the booking', async () => {
    const [day] = (await openTimes()).days
    const { structured } = await call('book_appointment', bookingInput(day?.open[0]?.startDateTime))
    const [row] = await app.deps.read.run<{ source: string }>(
      'sourceOf',
      (sql) => sql`select source from bookings where id = ${String(structured['bookingId'])}`,
    )
    expect(row?.source).toBe('agent')
  })

  test('accepts a packageId only from keys that may book packages', async () => {
    const fieldsOf = async (key: string) => {
      const { reply } = await rpc(app, CUSTOMER_SERVER, key, 'tools/list')
      const tools = reply.result?.['tools'] as { name: string; inputSchema: { properties: object } }[]
      return Object.keys(tools.find(({ name }) => name === 'book_appointment')?.inputSchema.properties ?? {})
    }
    expect(await fieldsOf(key)).toContain('packageId')
    const other = await agentKey(app)
    expect(await fieldsOf(other)).not.toContain('packageId')
    const { problem } = await callTool(app, CUSTOMER_SERVER, other, 'book_appointment', {
      ...bookingInput('2026-06-10T15:00:00Z'),
      packageId: slot.serviceId,
    })
    const message = expect.stringMatching(/^is not a known field(?!.*packageId)/) as string
    expect(problem?.errors).toEqual([{ path: 'packageId', message }])
  })
})

test('request_quote creates a lead for the pro', async () => {
  const { structured, texts } = await call('request_quote', {
    professionalId: slot.professionalId,
    serviceId: slot.serviceId,
    customer: { name: 'Homeowner in Austin', email: 'quotes@test.example' },
    description: 'The gutter leaks at the corner.',
  })
  expect(structured).toMatchObject({ rfq: { status: 'new', description: 'The gutter leaks at the corner.' } })
  expect(texts[1]).toContain('quotes@test.example')
})

test('the package tools list, show and compare packages', async () => {
  for (const pro of [await quotingPro(app, 1), await quotingPro(app, 2), await quotingPro(app, 3)]) {
    const json = { serviceId: pro.serviceId, packageKind: 'standard', packageName: 'Standard', packagePrice: 99 }
    expect((await app.send('/api/pro/services', { method: 'PATCH', key: pro.key, json })).status).toBe(200)
  }
  const { structured } = await call('list_packages', { limit: 3 })
  const { packages } = structured as unknown as { packages: { id: string; sku: string; price: number }[] }
  expect(packages.length).toBe(3)
  const [one, two] = packages
  expect((await call('get_package', { id: one?.sku })).structured).toMatchObject({ package: { id: one?.id } })
  const { structured: comparison } = await call('compare_packages', { ids: [one?.id, two?.sku] })
  expect(comparison).toMatchObject({
    packages: [{ id: one?.id }, { id: two?.id }],
    comparison: { lowestPrice: one?.id },
  })
  const twice = await call('compare_packages', { ids: [one?.id, one?.sku] })
  expect(twice.problem).toMatchObject({ code: 'validation_failed' })
  const { problem } = await call('compare_packages', { ids: [one?.id] })
  expect(problem?.errors?.[0]?.path).toBe('ids')
  expect((await call('get_package', { id: 'NO-SUCH' })).problem?.code).toBe('package_not_found')
})

test('the property tools show a client their own properties', async () => {
  const client = await app.client()
  const clients = await app.key(['mcp:read', 'mcp:write'], client)
  const address = { street: '1 Main Street', city: 'Austin', state: 'TX', zipCode: '78701' }
  const created = await rest<{ id: string }>('/api/v1/properties', {
    key: clients,
    json: { name: 'Unit 4B', address, accessNotes: 'Ring twice.' },
  })
  const { structured } = await callTool(app, CUSTOMER_SERVER, clients, 'list_properties')
  expect(structured).toMatchObject({ properties: [{ id: created.id, name: 'Unit 4B', address }] })
  expect(JSON.stringify(structured)).not.toContain('Ring twice.')
  const { structured: one } = await callTool(app, CUSTOMER_SERVER, clients, 'get_property', { id: created.id })
  expect(one).toMatchObject({ property: { id: created.id, accessNotes: 'Ring twice.' } })
  // Another kind of owner can neither list nor call the tools.
  expect(await listedTools(app, CUSTOMER_SERVER, key)).not.toContain('get_property')
  const { status, reply } = await rpc(app, CUSTOMER_SERVER, key, 'tools/call', {
    name: 'get_property',
    arguments: { id: created.id },
  })
  expect([status, reply.error?.data?.code]).toEqual([401, 'invalid_key'])
})

test('a widget’s key works on pages of its origin, within its scopes', async () => {
  const reader = await app.key(['widget:public'])
  const headers = { origin: WIDGET_ORIGIN }
  const { reply } = await rpc(app, CUSTOMER_SERVER, reader, 'tools/list', undefined, headers)
  expect(reply.result?.['tools']).toMatchObject(
    [
      'search_pros',
      'list_services',
      'get_pro',
      'query_availability',
      'get_booking',
      'get_quote_request',
      'get_reviews',
    ].map((name) => ({ name })),
  )
  const booked = await rpc(app, CUSTOMER_SERVER, reader, 'tools/call', { name: 'book_appointment' }, headers)
  expect([booked.status, booked.reply.error]).toMatchObject([
    403,
    { code: -32003, data: { code: 'insufficient_scope', requiredScopes: ['mcp:write', 'widget:book'] } },
  ])
})
