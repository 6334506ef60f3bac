// The whole life of a booking by tools: an agent follows, moves and cancels what it booked, and a replay tells how the booking
// is now. A signed-in customer has their own; every other caller needs the customer's link.
import { beforeEach, describe, expect, test } from 'bun:test'

import { requestContextOf } from '../../src/auth/request-context.ts'
import { CUSTOMER_SERVER, type RpcReply, type ToolReply, agentKey, callTool, readResult } from '../support/agents.ts'
import { testRequest } from '../support/app.ts'
import {
  type FixturePro,
  DEPOSIT,
  STARTED_AT,
  VISIT,
  openBookingFixture,
  pay,
  rowsOf,
} from '../support/booking-fixture.ts'
import { customerToken } from '../support/connected-app.ts'
import { bookFor, newAddress } from '../support/customers.ts'
import { opened } from '../support/fixture.ts'

const FEE = 5.5
/** Look-ups of codes per minute. */
const GUESSES = 3
/** Nine o'clock on Monday in Austin, and the times after it. */
const START = (hours = 0) => new Date(Date.parse('2026-11-23T15:00:00Z') + hours * 3_600_000).toISOString()

const world = await opened(
  openBookingFixture({ CODE_LOOKUPS_PER_MINUTE: String(GUESSES), INSTANT_BOOKING_FEE_CENTS: String(FEE * 100) }),
)
const key = await agentKey(world.app)
beforeEach(() => world.clock.set(STARTED_AT))

const call = (name: string, args: object, as = key): Promise<ToolReply> =>
  callTool(world.app, CUSTOMER_SERVER, as, name, args)

const signedIn = (email: string) => customerToken(world.app, email)

interface Appointment {
  bookingId: string
  confirmationCode: string
  clientSecret: string
  manageUrl: string
  payUrl: string | null
  status: string
}

const bookingInput = (pro: FixturePro, changes: object = {}) => ({
  professionalId: pro.id,
  serviceId: pro.serviceId,
  startDateTime: START(),
  guestName: 'Homeowner in Austin',
  guestEmail: 'home@test.example',
  ...VISIT,
  idempotencyKey: crypto.randomUUID(),
  ...changes,
})

async function bookByTool(pro: FixturePro, changes: object = {}, as = key) {
  const input = bookingInput(pro, changes)
  const { isError, structured, texts } = await call('book_appointment', input, as)
  expect([isError, texts[0]]).toEqual([false, texts[0]])
  return { input, appointment: structured as unknown as Appointment }
}

/** Books and pays. */
async function paidBooking(pro: FixturePro, changes: object = {}) {
  const booked = await bookByTool(pro, changes)
  await pay(world, booked.appointment.clientSecret)
  return booked
}

describe('a booking', () => {
  test('is followed, moved and cancelled by the link that book_appointment returned', async () => {
    const pro = await world.pro({ deposit: false })
    const { appointment } = await bookByTool(pro)
    const { manageUrl, bookingId, clientSecret } = appointment
    const held = await call('get_booking', { manageUrl })
    expect(held.structured).toMatchObject({
      booking: { id: bookingId, status: 'pending' },
      payUrl: appointment.payUrl,
      canMove: false,
      cancellationCost: 0,
      manageUrl,
    })
    expect(held.texts[1]).toContain('pays on')
    await pay(world, clientSecret)
    const paid = await call('get_booking', { manageUrl })
    expect(paid.structured).toMatchObject({ booking: { status: 'confirmed' }, payUrl: null, canMove: true })

    const move = { manageUrl, startDateTime: START(2), idempotencyKey: crypto.randomUUID() }
    const moved = await call('reschedule_booking', move)
    expect(moved.structured).toMatchObject({ bookingId, scheduledDate: '2026-11-23', scheduledTime: '11:00' })
    await call('reschedule_booking', { manageUrl, startDateTime: START(3) })
    expect((await call('reschedule_booking', move)).structured).toMatchObject({ scheduledTime: '12:00' })

    const end = { manageUrl, reason: 'The leak has stopped.', idempotencyKey: crypto.randomUUID() }
    const cancelled = await call('cancel_booking', end)
    expect(cancelled.structured).toMatchObject({ bookingId, status: 'cancelled', refund: { amount: FEE } })
    expect((await call('cancel_booking', end)).structured).toEqual(cancelled.structured)
    expect(await rowsOf(world, bookingId)).toMatchObject({ booking: 'cancelled', reason: 'The leak has stopped.' })
  })

  test('is shown by its code, which changes nothing, and which counts as a guess', async () => {
    const pro = await world.pro({ deposit: false })
    const { confirmationCode, bookingId, manageUrl } = (await bookByTool(pro)).appointment
    // Other tests may have used up what the usual address may look up.
    const address = `10.${crypto.getRandomValues(new Uint8Array(3)).join('.')}`
    const json = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'get_booking', arguments: { confirmationCode } },
    }
    const lookUp = async () => {
      const request = testRequest(world.app.deps.config.baseUrl, CUSTOMER_SERVER, { key, json })
      requestContextOf(request).peer = () => address
      const response = await world.app.app.handle(request)
      return { reply: (await response.json()) as RpcReply }
    }
    const { structured } = readResult((await lookUp()).reply.result ?? {})
    expect(structured).toEqual({ booking: expect.objectContaining({ id: bookingId }) as unknown })
    for (const tool of ['cancel_booking', 'reschedule_booking']) {
      const { problem } = await call(tool, { confirmationCode, startDateTime: START(1) })
      expect(problem).toMatchObject({ code: 'validation_failed' })
    }
    for (let n = 1; n < GUESSES; n++) expect(readResult((await lookUp()).reply.result ?? {}).isError).toBe(false)
    const refused = readResult((await lookUp()).reply.result ?? {})
    expect([refused.isError, refused.problem?.code]).toEqual([true, 'rate_limited'])
    expect((await call('get_booking', { manageUrl })).isError).toBe(false)
  })

  test('is not cancelled for money before the person has accepted the cost', async () => {
    const pro = await world.pro({ deposit: true })
    const { manageUrl, bookingId } = (await paidBooking(pro)).appointment
    world.clock.set('2026-11-22T20:00:00Z')
    const cost = DEPOSIT + FEE
    expect((await call('get_booking', { manageUrl })).structured).toMatchObject({ cancellationCost: cost })
    for (const args of [{}, { acceptedCost: cost - 1 }]) {
      const { problem, texts } = await call('cancel_booking', { manageUrl, ...args })
      expect(problem).toMatchObject({ code: 'cancellation_costs', cancellationCost: cost })
      expect(texts[0]).toContain(`keeps $${cost.toFixed(2)} of the payment`)
      expect(texts[0]).toContain(`acceptedCost ${cost}.`)
    }
    expect(await rowsOf(world, bookingId)).toMatchObject({ booking: 'confirmed' })
    const { structured } = await call('cancel_booking', { manageUrl, acceptedCost: cost })
    expect(structured).toMatchObject({ status: 'cancelled', refund: null })
  })

  test('is moved to the time that the pro proposes, without losing the right to cancel for free', async () => {
    const pro = await world.pro({ deposit: false })
    const { manageUrl, bookingId } = (await paidBooking(pro)).appointment
    const json = { action: 'propose', date: '2026-11-24', time: '11:00' }
    expect((await world.app.send(`/api/v1/pro/bookings/${bookingId}`, { key: pro.key, json })).status).toBe(200)
    const { structured, texts } = await call('get_booking', { manageUrl })
    const { startDateTime } = (structured as { booking: { proposedTime: { startDateTime: string } } }).booking
      .proposedTime
    expect(texts[1]).toContain(`startDateTime ${startDateTime}`)
    world.clock.set('2026-11-22T20:00:00Z')
    const moved = await call('reschedule_booking', { manageUrl, startDateTime })
    expect(moved.structured).toMatchObject({ scheduledDate: '2026-11-24', freeCancellationUntil: expect.any(String) })
  })
})

describe('a replay of book_appointment tells how the booking is now', () => {
  test('once it is paid, moved and cancelled', async () => {
    const pro = await world.pro({ deposit: false })
    const { input, appointment } = await bookByTool(pro)
    const replay = () => call('book_appointment', input)
    expect((await replay()).structured).toEqual({ ...appointment })
    await pay(world, appointment.clientSecret)
    const paid = await replay()
    expect(paid.structured).toMatchObject({ status: 'confirmed', payUrl: null, holdExpiresAt: null })
    expect(paid.texts[1]).toStartWith('Confirmed.')
    const { manageUrl } = appointment
    await call('reschedule_booking', { manageUrl, startDateTime: START(2) })
    expect((await replay()).structured).toMatchObject({ status: 'confirmed', scheduledAt: START(2) })
    await call('cancel_booking', { manageUrl })
    const cancelled = await replay()
    expect(cancelled.structured).toMatchObject({ status: 'cancelled', payUrl: null })
    expect(cancelled.texts[1]).toContain('new idempotencyKey')
  })

  test('after the time to pay has ended, and when the pro has still to approve what was paid', async () => {
    const pro = await world.pro({ deposit: false })
    const { input } = await bookByTool(pro)
    world.clock.advance(16)
    expect((await call('book_appointment', input)).structured).toMatchObject({ status: 'cancelled', payUrl: null })
    const careful = await world.pro({ deposit: false, requiresApproval: true })
    const approval = await paidBooking(careful)
    const { structured, texts } = await call('book_appointment', approval.input)
    expect(structured).toMatchObject({ status: 'pending', payUrl: null, holdExpiresAt: null })
    expect(texts[1]).toStartWith('The pro will confirm or decline.')
  })
})

describe('a signed-in customer', () => {
  test('books without an address, and only in their own name', async () => {
    const [pro, email] = [await world.pro({ deposit: false }), newAddress()]
    const token = await signedIn(email)
    const { appointment } = await bookByTool(pro, { guestEmail: undefined }, token)
    const [row] = await world.sql<{ email: string }[]>`
      select customer_email as email from bookings where id = ${appointment.bookingId}`
    expect(row?.email).toBe(email)
    const other = await call('book_appointment', bookingInput(pro, { startDateTime: START(3) }), token)
    expect(other.problem?.errors).toMatchObject([{ path: 'guestEmail' }])
    const nameless = await call('book_appointment', bookingInput(pro, { guestEmail: undefined }))
    expect(nameless.problem?.errors).toMatchObject([{ path: 'guestEmail', message: 'is required' }])
  })

  test('sees and changes all their bookings by id, and none of other customers', async () => {
    const [pro, email] = [await world.pro({ deposit: false }), newAddress()]
    const elsewhere = await bookFor(world, email, pro)
    const others = await bookFor(world, newAddress(), pro, 2)
    const token = await signedIn(email)
    const { bookingId } = (await bookByTool(pro, { guestEmail: undefined, startDateTime: START(4) }, token)).appointment
    const list = await call('get_booking', {}, token)
    expect(list.structured).toMatchObject({ total: 2 })
    const { bookings } = list.structured as { bookings: { bookingId: string }[] }
    expect(bookings.map(({ bookingId }) => bookingId)).toEqual([elsewhere.booking.id, bookingId])
    for (const [tool, args] of [
      ['get_booking', {}],
      ['reschedule_booking', { startDateTime: START(6) }],
      ['cancel_booking', {}],
    ] as const) {
      expect((await call(tool, { bookingId: elsewhere.booking.id, ...args }, token)).isError).toBe(false)
      const { problem } = await call(tool, { bookingId: others.booking.id, ...args }, token)
      expect([tool, problem?.code]).toEqual([tool, 'booking_not_found'])
    }
  })

  test('has what a caller with a key cannot have by an id, and is told so', async () => {
    const pro = await world.pro({ deposit: false })
    const { bookingId } = (await bookByTool(pro)).appointment
    for (const tool of ['get_booking', 'reschedule_booking', 'cancel_booking']) {
      const { problem } = await call(tool, {
        bookingId,
        ...(tool === 'reschedule_booking' ? { startDateTime: START(1) } : {}),
      })
      expect(problem?.errors).toMatchObject([{ path: 'bookingId', message: expect.stringContaining('`manageUrl`') }])
    }
    const missing = await call('get_booking', {})
    expect(missing.problem?.errors).toMatchObject([{ path: 'manageUrl' }])
  })
})
