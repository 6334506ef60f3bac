// A pro proposes another time for a booking; the customer agrees or declines, by key or on the manage page.
import { beforeEach, describe, expect, test } from 'bun:test'

import {
  type CreatedBooking,
  DEPOSIT,
  type FixturePro,
  STARTED_AT,
  book,
  eventsOf,
  openBookingFixture,
  pay,
} from '../../../support/booking-fixture.ts'
import { opened } from '../../../support/fixture.ts'
import { Visitor, loggedInVisitor } from '../../../support/visitor.ts'

const world = await opened(openBookingFixture())
beforeEach(() => world.clock.set(STARTED_AT))

const LATER = { date: '2026-11-24', time: '11:00' }
const act = (pro: FixturePro, { booking }: CreatedBooking, json: object) =>
  world.app.send(`/api/v1/pro/bookings/${booking.id}`, { key: pro.key, json })
const propose = (pro: FixturePro, created: CreatedBooking, json: object = LATER) =>
  act(pro, created, { action: 'propose', ...json })
const answer = ({ booking }: CreatedBooking, answer: 'agree' | 'decline', key = world.key) =>
  world.app.send(`/api/v1/bookings/${booking.id}/proposed-time`, { key, json: { answer } })
const readBooking = async ({ booking }: CreatedBooking) => {
  const response = await world.app.send(`/api/v1/bookings/${booking.id}`, { key: world.key })
  return ((await response.json()) as { booking: Record<string, unknown> }).booking
}
const codeOf = async (response: Response) => [response.status, ((await response.json()) as { code: string }).code]

const bookWith = async (settings: { deposit?: boolean; requiresApproval?: boolean } = { deposit: false }) => {
  const pro = await world.pro(settings)
  return { pro, created: await book(world, pro) }
}

describe('a proposed time', () => {
  test('is shown to both sides, holds nothing and emits nothing until the customer agrees', async () => {
    const { pro, created } = await bookWith()
    const message = 'The part arrives on Tuesday.'
    expect((await propose(pro, created, { ...LATER, message })).status).toBe(200)
    const proposedTime = { ...LATER, startDateTime: '2026-11-24T17:00:00.000Z', message, declinedAt: null }
    expect(await readBooking(created)).toMatchObject({ scheduledTime: '09:00', proposedTime })
    const seen = await world.app.send(`/api/v1/pro/bookings/${created.booking.id}`, { key: pro.key })
    expect(await seen.json()).toMatchObject({ proposedTime })
    expect(await eventsOf(world, created.booking.id)).toHaveLength(2)

    expect((await answer(created, 'agree')).status).toBe(200)
    expect(await readBooking(created)).toMatchObject({
      status: 'confirmed',
      scheduledDate: LATER.date,
      scheduledTime: LATER.time,
      proposedTime: null,
    })
    expect((await eventsOf(world, created.booking.id)).slice(2)).toEqual(['booking.rescheduled'])
    expect(await codeOf(await answer(created, 'agree'))).toEqual([409, 'no_proposed_time'])
  })

  test('is declined without a change, which the pro sees, and can be replaced', async () => {
    const { pro, created } = await bookWith()
    await propose(pro, created)
    expect((await answer(created, 'decline')).status).toBe(200)
    expect(await readBooking(created)).toMatchObject({
      scheduledTime: '09:00',
      proposedTime: { ...LATER, declinedAt: STARTED_AT },
    })
    expect(await codeOf(await answer(created, 'agree'))).toEqual([409, 'no_proposed_time'])
    expect((await propose(pro, created, { startDateTime: '2026-11-24T20:00:00Z' })).status).toBe(200)
    expect(await readBooking(created)).toMatchObject({ proposedTime: { time: '14:00', declinedAt: null } })
    expect(await eventsOf(world, created.booking.id)).toHaveLength(2)
  })

  test('is refused when it is not free, in the past, the same, incomplete, or of a booking that cannot move', async () => {
    const { pro, created } = await bookWith()
    const other = await book(world, pro, 26)
    expect(await codeOf(await propose(pro, created))).toEqual([409, 'slot_unavailable'])
    for (const json of [
      { date: '2026-11-01', time: '10:00' },
      { date: '2026-11-23', time: '09:00' },
      { date: LATER.date },
      {},
    ])
      expect((await propose(pro, created, json)).status).toBe(400)
    const unpaid = await bookWith({ deposit: true })
    expect(await codeOf(await propose(unpaid.pro, unpaid.created, { date: '2026-11-30', time: '09:00' }))).toEqual([
      409,
      'invalid_transition',
    ])
    world.clock.set(other.booking.scheduledAt)
    expect(await codeOf(await propose(pro, created, { date: '2026-11-30', time: '09:00' }))).toEqual([
      409,
      'invalid_transition',
    ])
  })

  test('that was taken in the meantime is a 409 with the next available time, and stays open', async () => {
    const { pro, created } = await bookWith()
    await propose(pro, created)
    await book(world, pro, 26)
    const refused = await answer(created, 'agree')
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { code: 'slot_unavailable', nextAvailable: { date: LATER.date } },
    ])
    expect(await readBooking(created)).toMatchObject({ scheduledTime: '09:00', proposedTime: LATER })
    const page = await new Visitor(world.app).postRaw(`${new URL(created.manageUrl).pathname}/proposed-time`, {
      answer: 'agree',
    })
    expect([page.status, page.text]).toMatchObject([409, expect.stringContaining('This time is no longer available')])
  })

  test('ends when the booking is moved, confirmed or cancelled', async () => {
    const reschedule = ({ booking }: CreatedBooking) =>
      world.app.send(`/api/v1/bookings/${booking.id}/reschedule`, {
        key: world.key,
        json: { date: '2026-11-25', time: '10:00' },
      })
    const changes: ((pro: FixturePro, created: CreatedBooking) => Promise<Response>)[] = [
      (_, created) => reschedule(created),
      (pro, created) => act(pro, created, { action: 'cancel', reason: 'Ill.' }),
      (_, { booking }) => world.app.send(`/api/v1/bookings/${booking.id}/cancel`, { key: world.key, json: {} }),
    ]
    for (const change of changes) {
      const { pro, created } = await bookWith()
      await propose(pro, created)
      expect((await change(pro, created)).status).toBe(200)
      expect(await readBooking(created)).toMatchObject({ proposedTime: null })
      expect((await answer(created, 'agree')).status).toBe(409)
    }
    const pending = await bookWith({ deposit: false, requiresApproval: true })
    await propose(pending.pro, pending.created)
    await act(pending.pro, pending.created, { action: 'confirm' })
    expect(await readBooking(pending.created)).toMatchObject({ proposedTime: null })
  })

  test('can be agreed to before the pro has approved the booking', async () => {
    const { pro, created } = await bookWith({ deposit: false, requiresApproval: true })
    await propose(pro, created)
    expect((await answer(created, 'agree')).status).toBe(200)
    expect(await readBooking(created)).toMatchObject({ status: 'pending', scheduledTime: LATER.time })
  })

  test('does not cost the customer the right to cancel free of charge', async () => {
    const { pro, created } = await bookWith({ deposit: true })
    await pay(world, created.payment?.clientSecret ?? '')
    world.clock.set(created.booking.scheduledAt)
    world.clock.advance(-60)
    await propose(pro, created, { date: '2026-11-30', time: '11:00' })
    expect((await answer(created, 'agree')).status).toBe(200)
    const cancelled = await world.app.send(`/api/v1/bookings/${created.booking.id}/cancel`, {
      key: world.key,
      json: {},
    })
    expect(await cancelled.json()).toMatchObject({ refund: { amount: DEPOSIT } })
  })

  test('is answered once by 20 concurrent requests, and by no stranger', async () => {
    const { pro, created } = await bookWith()
    await propose(pro, created)
    const stranger = await world.app.key(['bookings:write'], 'stranger@test.example')
    for (const key of [stranger, await world.app.key(['bookings:write'], pro.email)])
      expect((await answer(created, 'agree', key)).status).toBe(404)
    const answers = await Promise.all(Array.from({ length: 20 }, () => answer(created, 'agree')))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await eventsOf(world, created.booking.id)).slice(2)).toEqual(['booking.rescheduled'])
  })

  test('is made in the console and answered on the manage page', async () => {
    const { pro, created } = await bookWith()
    const asPro = await loggedInVisitor(world.app, 'pro', { pro: pro.id })
    const path = `/console/bookings/${created.booking.id}`
    await asPro.post(path, { action: 'propose', ...LATER, message: 'Would Tuesday suit you?' })
    expect((await asPro.get(path)).text).toContain('waits for the customer')
    const customer = new Visitor(world.app)
    const manage = new URL(created.manageUrl).pathname
    expect((await customer.get(`/bookings/${created.booking.confirmationCode}`)).text).not.toContain('Would Tuesday')
    expect((await customer.get(manage)).text).toContain('Would Tuesday suit you?')
    const wrong = await customer.postRaw(`${manage}/proposed-time`, { answer: 'maybe' })
    expect(wrong.status).toBe(400)
    expect(await customer.postRaw(`${manage}/proposed-time`, { answer: 'decline' })).toMatchObject({ status: 303 })
    expect((await asPro.get(path)).text).toContain('the customer declined')
    await asPro.post(path, { action: 'propose', ...LATER })
    expect(await customer.postRaw(`${manage}/proposed-time`, { answer: 'agree' })).toMatchObject({
      location: `${manage}?moved`,
    })
    expect((await customer.get(`${manage}?moved`)).text).toContain('Your booking was moved to')
    expect(await readBooking(created)).toMatchObject({ scheduledTime: LATER.time })
  })
})
