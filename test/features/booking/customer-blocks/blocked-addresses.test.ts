// That a pro has blocked an address is told to its owner only: others get the same answer for every address.
import { describe, expect, test } from 'bun:test'

import { CUSTOMER_SERVER, callTool } from '../../../support/agents.ts'
import { WIDGET_ORIGIN } from '../../../support/app.ts'
import { type FixturePro, VISIT, bookingBody, openBookingFixture } from '../../../support/booking-fixture.ts'
import { bookPath, fieldsOf, formOf, outcomeOf } from '../../../support/booking-forms.ts'
import { codeFor, newAddress } from '../../../support/customers.ts'
import { opened } from '../../../support/fixture.ts'
import { type PageResponse, type Visitor, visitorFromNewAddress } from '../../../support/visitor.ts'

const world = await opened(openBookingFixture({ INSTANT_BOOKING_FEE_CENTS: '0' }))
const widgetKey = await world.app.key(['widget:book'], 'shop@test.example')
const agentKey = await world.app.key(['mcp:read', 'mcp:write'], 'agent@test.example')

const freePro = () => world.pro({ deposit: false })
const book = (visitor: Visitor, pro: FixturePro, hours: number, email: string) =>
  visitor.postRaw(bookPath(pro), formOf(pro, hours, email))
const enter = (visitor: Visitor, pro: FixturePro, page: PageResponse, fields: Record<string, string>) =>
  visitor.postRaw(bookPath(pro), { ...fieldsOf(page), ...fields })
const bookingsOf = async (pro: FixturePro) => {
  const [row] = await world.sql<{ bookings: number }[]>`
    select count(*)::int as bookings from bookings where professional_id = ${pro.id}`
  return row?.bookings
}

describe('that a pro has blocked an address', () => {
  /** Both addresses are of the same length. */
  const blockedPro = async () => {
    const [pro, blocked, free] = [await freePro(), newAddress(), newAddress()]
    const json = { email: blocked }
    expect((await world.app.send('/api/v1/pro/blocked-customers', { key: pro.key, json })).status).toBe(201)
    return { pro, blocked, free }
  }

  test('is not to be seen on the booking page by others: every address needs the code', async () => {
    const { pro, blocked, free } = await blockedPro()
    const pageFor = async (email: string) => {
      const { status, text, headers } = await book(visitorFromNewAddress(world.app), pro, 0, email)
      const cookies = headers.getSetCookie().map((one) => one.split('=')[0])
      const shown = text.replaceAll(email, 'EMAIL').replaceAll(/name="(csrf|idempotencyKey)" value="[^"]+"/g, '$1')
      return { status, shown, cookies }
    }
    expect(await pageFor(blocked)).toEqual(await pageFor(free))
  })

  test('is not to be seen through a widget or by an agent', async () => {
    const { pro, blocked, free } = await blockedPro()
    const byWidget = async (email: string) => {
      const answer = await world.app.send('/api/v1/bookings', {
        key: widgetKey,
        headers: { origin: WIDGET_ORIGIN },
        json: bookingBody(pro, 0, { customer: { name: 'Homeowner in Austin', email } }),
      })
      const { requestId: _, ...problem } = (await answer.json()) as Record<string, unknown>
      return [answer.status, problem]
    }
    expect(await byWidget(blocked)).toEqual(await byWidget(free))
    const byAgent = async (email: string) => {
      const { isError, problem } = await callTool(world.app, CUSTOMER_SERVER, agentKey, 'book_appointment', {
        professionalId: pro.id,
        serviceId: pro.serviceId,
        startDateTime: '2026-11-23T15:00:00Z',
        guestName: 'Homeowner in Austin',
        guestEmail: email,
        ...VISIT,
      })
      return { isError, code: problem?.code }
    }
    expect(await byAgent(blocked)).toEqual(await byAgent(free))
    expect(await byAgent(blocked)).toEqual({ isError: true, code: 'address_unproven' })
    expect(await bookingsOf(pro)).toBe(0)
  })

  test('is told to its owner, who has proven it, and everybody else books with the code', async () => {
    const { pro, blocked, free } = await blockedPro()
    for (const [email, isBooked] of [
      [blocked, false],
      [free, true],
    ] as const) {
      const visitor = visitorFromNewAddress(world.app)
      const page = await book(visitor, pro, 0, email)
      const result = await enter(visitor, pro, page, { code: await codeFor(world.app, email) })
      if (isBooked) expect(outcomeOf(result)).toBe('booked')
      else {
        expect([result.status, result.text]).toEqual([
          403,
          expect.stringContaining('does not take online bookings from you'),
        ])
        expect((await visitor.get('/my')).text).toContain(`Signed in as ${email}`)
      }
    }
  })
})
