// AGENT_PAYMENTS=false, for directories that forbid payments: agent tools offer what is booked without a deposit, take no fee, and
// request quotes; texts and documents say so. REST and pages go on as before.
import { describe, expect, test } from 'bun:test'

import { createApp } from '../../src/app.ts'
import { CUSTOMER_SERVER, PUBLIC_SERVER, type RpcReply, agentKey, readResult } from '../support/agents.ts'
import { openTestApp, testRequest } from '../support/app.ts'
import { VISIT_ADDRESS } from '../support/booking-fixture.ts'
import { opened } from '../support/fixture.ts'

const app = await opened(openTestApp('seeded', { env: { MACHINE_PAYMENTS: 'true', INSTANT_BOOKING_FEE_CENTS: '500' } }))
const config = { ...app.deps.config, agentPayments: false }
const free = createApp({ ...app.deps, config })
const key = await agentKey(app)

async function ask(path: string, method: string, params?: object, by = key): Promise<RpcReply> {
  const json = { jsonrpc: '2.0', id: 1, method, params }
  const response = await free.handle(testRequest(config.baseUrl, path, { json, key: by }))
  return (await response.json()) as RpcReply
}
const call = async (name: string, args: object, by = key) =>
  readResult((await ask(CUSTOMER_SERVER, 'tools/call', { name, arguments: args }, by)).result ?? {})

interface Offer {
  professionalId: string
  serviceId: string
}
/** An offer for instant booking with or without a deposit. */
async function findOffer(hasDeposit: boolean): Promise<Offer> {
  const [offer] = await app.sql<Offer[]>`
    select p.id as "professionalId", s.service_id as "serviceId"
    from professionals p join professional_services s on s.professional_id = p.id
    where p.instant_booking_enabled and p.deposit_required = ${hasDeposit} and p.test_account_id is null
      and s.base_price_cents > 10000
    order by p.id limit 1`
  if (!offer) throw new Error('The seed has no such offer.')
  return offer
}
interface Times {
  bookable: boolean
  dueNow: number | null
  fee: number
  obstacle: { reason: string } | null
  days: { open: { startDateTime: string }[] }[]
}
const timesOf = async (offer: Offer) => (await call('query_availability', offer)).structured as unknown as Times
const guest = {
  guestName: 'Guest',
  guestEmail: 'free@test.example',
  guestPhone: '+1 512 555 0142',
  address: VISIT_ADDRESS,
}

describe('without payments', () => {
  test('an offer without a deposit is booked, and nothing is due', async () => {
    const offer = await findOffer(false)
    const { bookable, dueNow, fee, days } = await timesOf(offer)
    expect([bookable, dueNow, fee]).toEqual([true, 0, 0])
    const startDateTime = days.flatMap(({ open }) => open)[0]?.startDateTime
    const booked = await call('book_appointment', { ...offer, startDateTime, ...guest, idempotencyKey: 'free-1' })
    expect([booked.texts[0], booked.structured]).toMatchObject([
      expect.any(String),
      { clientSecret: null, amount: null, payUrl: null },
    ])
    expect(booked.isError).toBe(false)
  })

  test('an offer with a deposit is not bookable, and a quote can be requested', async () => {
    const offer = await findOffer(true)
    const { bookable, obstacle, days } = await timesOf(offer)
    expect([bookable, obstacle?.reason, days.flatMap(({ open }) => open)]).toEqual([
      false,
      'payments_not_configured',
      [],
    ])
    const withPayments = await app.send(CUSTOMER_SERVER, {
      key,
      json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'query_availability', arguments: offer } },
    })
    const times = readResult(((await withPayments.json()) as RpcReply).result ?? {}).structured as unknown as Times
    const startDateTime = times.days.flatMap(({ open }) => open)[0]?.startDateTime
    expect(times.bookable).toBe(true)
    const refused = await call('book_appointment', { ...offer, startDateTime, ...guest, idempotencyKey: 'free-2' })
    expect(refused.problem?.code).toBe('payments_not_configured')
    const found = await call('search_pros', { service: 'plumber', state: 'TX', instantBook: true, limit: 5 })
    expect(found.structured).toMatchObject({ bookingFee: 0 })
  })

  test('a booking that a page holds names neither where to pay nor how long there is time', async () => {
    const offer = await findOffer(true)
    const startDateTime = (
      (
        await app.send(`/api/v1/pros/${offer.professionalId}/availability?serviceId=${offer.serviceId}&days=14`)
      ).json() as Promise<{ availability: { slots: { startDateTime: string; available: boolean }[] }[] }>
    ).then(({ availability }) => availability.flatMap(({ slots }) => slots).find(({ available }) => available))
    const json = { ...offer, ...guest, startDateTime: (await startDateTime)?.startDateTime }
    const held = await app.send('/api/v1/bookings/create', { key: await app.key(['bookings:write']), json })
    const { manageUrl, payment } = (await held.json()) as { manageUrl: string; payment: object | null }
    expect(payment).not.toBeNull()
    const { structured, texts } = await call('get_booking', { manageUrl })
    expect(structured).toMatchObject({ booking: { status: 'pending' }, payUrl: null, minutesLeft: null })
    expect(texts.join(' ')).not.toMatch(/within \d+ minutes|pays on/)
  })

  test('texts and documents say so, and name no payment', async () => {
    for (const path of [CUSTOMER_SERVER, PUBLIC_SERVER]) {
      const reply = await ask(path, 'tools/list')
      const tools = reply.result?.['tools'] as { name: string; description: string }[]
      for (const { name, description } of tools)
        expect([name, description]).not.toMatchObject([
          name,
          expect.stringMatching(/pays? |paid with|payUrl|bookingFee/),
        ])
    }
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    const { result } = await ask(CUSTOMER_SERVER, 'initialize', params)
    expect(result?.['instructions']).toContain('Here nothing is paid')
    const textAt = async (path: string) => await (await free.handle(testRequest(config.baseUrl, path, {}))).text()
    expect(await textAt('/llms.txt')).toContain('Agent tools take no payments')
    const { paths } = JSON.parse(await textAt('/openapi.json')) as {
      paths: Record<string, { post: { description: string; responses: object } }>
    }
    const operation = paths[CUSTOMER_SERVER]?.post
    expect(operation?.description).toContain('No payments')
    expect(operation?.responses).not.toHaveProperty('402')
  })
})
