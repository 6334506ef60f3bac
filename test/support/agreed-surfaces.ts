// Reads a booking or a quote from every interface and compares it with what was agreed.
import { unescaped } from './escaped.ts'
import { expect } from 'bun:test'

import type { FixturePro, BookingFixture } from './booking-fixture.ts'
import { PRO_SERVER, callTool } from './agents.ts'
import { type AgreedBooking, localTime, pageTexts, shownBooking } from './agreed-model.ts'
import { type Visitor, loggedInVisitor } from './visitor.ts'

export interface ShownPro extends FixturePro {
  agentKey: string
  console: Visitor
}

export interface ShownTo {
  world: BookingFixture
  /** Of the account that booked. */
  key: string
}

type Json = Record<string, unknown>

const json = async (response: Promise<Response>) => (await (await response).json()) as Json

/** The members of `shown` that `agreed` has, also in nested objects. */
function likeAgreed(shown: unknown, agreed: unknown): unknown {
  if (typeof agreed !== 'object' || agreed === null || Array.isArray(agreed)) return shown
  if (typeof shown !== 'object' || shown === null) return shown
  return Object.fromEntries(
    Object.entries(agreed).map(([name, value]) => [name, likeAgreed((shown as Json)[name], value)]),
  )
}

export function expectShown(where: string, shown: unknown, agreed: object): void {
  expect<object>({ where, ...(likeAgreed(shown, agreed) as object) }).toEqual({ where, ...agreed })
}

export function expectTexts(where: string, page: string, texts: readonly string[]): void {
  const text = unescaped(page)
  expect([where, ...texts.filter((part) => !text.includes(part))]).toEqual([where])
}

type Surface = (to: ShownTo, pro: ShownPro, booking: AgreedBooking) => Promise<void>

/** Every interface that shows a booking. */
export const BOOKING_SURFACES: Record<string, Surface> = {
  code: async ({ world }, _, it) => {
    const { booking } = await json(world.app.send(`/api/v1/bookings?code=${it.code}`))
    expectShown('code', booking, { ...shownBooking(it), address: null })
  },
  id: async ({ world, key }, _, it) => {
    const { booking } = await json(world.app.send(`/api/v1/bookings/${it.id}`, { key }))
    expectShown('id', booking, shownBooking(it))
  },
  list: async ({ world }, pro, it) => {
    const { date } = localTime(it.startsMs)
    const { bookings } = await json(world.app.send(`/api/v1/pro/bookings?date=${date}&limit=50`, { key: pro.key }))
    expectShown(
      'list',
      (bookings as Json[]).find(({ id }) => id === it.id),
      shownBooking(it),
    )
  },
  tool: async ({ world }, pro, it) => {
    const { date } = localTime(it.startsMs)
    const { structured } = await callTool(world.app, PRO_SERVER, pro.agentKey, 'list_bookings', { date, limit: 20 })
    const found = (structured['bookings'] as Json[]).find(({ id }) => id === it.id)
    // A day may have more than one page.
    if (found || (structured['bookings'] as Json[]).length < 20) expectShown('tool', found, shownBooking(it))
  },
  event: async ({ world }, _, it) => {
    const [event] = await world.sql<{ object: Json }[]>`
      select data -> 'object' as object from outbox_events where aggregate_id = ${it.id} order by sequence desc limit 1`
    const { service, package: chosen, price, address, durationMinutes } = shownBooking(it)
    expectShown('event', event?.object, { service, package: chosen, price, address, durationMinutes })
    // The sweep emits the event of a hold that ended; the provider confirms a refund after the event.
    const isLate = it.cancelled?.reason === 'payment_expired'
    if (!isLate) expectShown('event', event?.object, { status: it.status })
    const { status } = (event?.object['payment'] ?? {}) as { status?: string }
    if (!isLate && it.payment && it.payment.status !== 'failed' && it.payment.status !== 'refunded')
      expect(['event payment', status]).toEqual(['event payment', it.payment.status])
    if (!isLate && it.payment?.status === 'refunded') expect(status).toBeOneOf(['refunding', 'expired', 'refunded'])
  },
  page: async ({ world }, _, it) => {
    const request = new Request(`${world.app.deps.config.baseUrl}/bookings/${it.code}`)
    expectTexts('page', await (await world.app.app.handle(request)).text(), pageTexts(it))
  },
  console: async ({ world }, pro, it) => {
    const open = () => pro.console.get(`/console/bookings/${it.id}`)
    let page = await open()
    if (page.status === 303) {
      // Time passes quickly here, and the session has ended.
      pro.console = await loggedInVisitor(world.app, 'pro', { pro: pro.id })
      page = await open()
    }
    expectTexts('console', page.text, pageTexts(it))
  },
}

/** Every interface that shows a quote: `texts` are those of its page. */
export async function expectQuoteEverywhere(
  { world }: ShownTo,
  pro: ShownPro,
  { id, rfqId, token, texts, agreed }: { id: string; rfqId: string; token: string; texts: string[]; agreed: object },
): Promise<void> {
  const { app } = world
  const own = { key: pro.key }
  if (token !== '') {
    expectShown('link', (await json(app.send(`/api/v1/quotes/${token}`)))['quote'], agreed)
    const page = await app.app.handle(new Request(`${app.deps.config.baseUrl}/quotes/${token}`))
    expectTexts('quote page', await page.text(), texts)
  }
  expectShown('pro quote', (await json(app.send(`/api/v1/pro/quotes/${id}`, own)))['quote'], agreed)
  const { quotes } = await json(app.send(`/api/v1/pro/quotes?rfqId=${rfqId}`, own))
  expectShown(
    'pro quotes',
    (quotes as Json[]).find((quote) => quote['id'] === id),
    agreed,
  )
  const { structured } = await callTool(app, PRO_SERVER, pro.agentKey, 'get_quote', { quoteId: id })
  expectShown('tool quote', structured['quote'], agreed)
  const [lead] = Object.values(await json(app.send(`/api/v1/pro/leads/${rfqId}`, own)))
  const inLead = ((lead as { quotes: Json[] } | undefined)?.quotes ?? []).find((quote) => quote['id'] === id)
  expectShown('lead', inLead, agreed)
}
