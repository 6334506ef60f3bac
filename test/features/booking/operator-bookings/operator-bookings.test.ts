// A booking for operators: all of it on one page, and acts on it that are logged and told.
import { describe, expect, test } from 'bun:test'

import { book, openBookingFixture, pay, rowsOf } from '../../../support/booking-fixture.ts'
import { opened } from '../../../support/fixture.ts'
import { loggedInVisitor } from '../../../support/visitor.ts'

const fixture = await opened(openBookingFixture())
const { app, sql } = fixture
const operator = await loggedInVisitor(app, 'operator')
const REASON = 'The caller asked us by phone.'

async function paidBooking(hours: number) {
  const pro = await fixture.pro()
  const made = await book(fixture, pro, hours)
  await pay(fixture, made.payment?.clientSecret ?? '')
  return { pro, id: made.booking.id, code: made.booking.confirmationCode }
}

const operate = (id: string, fields: Record<string, string>) =>
  operator.post(`/console/bookings/${id}/operate`, { reason: REASON, ...fields })

const logged = async (id: string) =>
  (
    await sql<{ action: string; reason: string | null; isByOperator: boolean }[]>`
      select action, reason, by_user_id is not null as is_by_operator from operator_actions where subject_id = ${id} order by at, id`
  ).map((row) => ({ ...row }))

const messagesOf = async (id: string) =>
  await sql<{ id: number; kind: string; recipient: string }[]>`
    select id::int as id, kind, recipient from messages where booking_id = ${id} order by id`

describe('the page of a booking', () => {
  test('has parties, money and what happened, and is for operators and its pro only', async () => {
    const { pro, id, code } = await paidBooking(0)
    const { status, text } = await operator.get(`/console/bookings/${id}`)
    expect(status).toBe(200)
    for (const said of [
      code,
      'home@example.com',
      pro.email,
      '$50.00',
      'Booked',
      'Event booking.created',
      'What happened',
    ])
      expect(text).toContain(said)
    expect((await (await loggedInVisitor(app, 'pro', { pro: pro.id })).get(`/console/bookings/${id}`)).status).toBe(200)
    const stranger = await fixture.pro()
    const visitor = await loggedInVisitor(app, 'pro', { pro: stranger.id })
    expect((await visitor.get(`/console/bookings/${id}`)).status).toBe(404)
    expect((await visitor.post(`/console/bookings/${id}/operate`, { action: 'note', reason: REASON })).status).toBe(403)
  })
})

describe('an operator', () => {
  test('moves a booking: it is at the new time, in the log, and an event tells both', async () => {
    const { id } = await paidBooking(0)
    expect((await operate(id, { action: 'move', date: '2026-11-24', time: '11:00' })).status).toBe(303)
    const [row] = await sql<{ at: string; late: boolean }[]>`
      select starts_at::text as at, moved_late as late from bookings where id = ${id}`
    expect(new Date(row?.at ?? '').toISOString()).toBe('2026-11-24T17:00:00.000Z')
    expect(row?.late).toBe(false)
    expect(await logged(id)).toEqual([{ action: 'booking.moved', reason: REASON, isByOperator: true }])
    const types = await sql<
      { type: string }[]
    >`select type from outbox_events where aggregate_id = ${id} order by sequence`
    expect(types.at(-1)?.type).toBe('booking.rescheduled')
  })

  test('reads beside the form why a booking cannot be moved, with what was typed', async () => {
    const { id } = await paidBooking(0)
    const refused = await operate(id, { action: 'move', date: '2020-01-01', time: '03:00' })
    expect(refused.status).toBe(400)
    expect(refused.text).toContain(REASON)
    expect((await operate(id, { action: 'move', date: '', time: '' })).status).toBe(400)
    expect((await operate(id, { action: 'note', reason: ' ' })).status).toBe(400)
    expect(await logged(id)).toEqual([])
  })

  test('cancels for the pro: all is refunded and the pro is told; for the customer the terms hold unless all is refunded', async () => {
    const forPro = await paidBooking(0)
    expect((await operate(forPro.id, { action: 'cancel', actedFor: 'pro' })).status).toBe(303)
    expect(await rowsOf(fixture, forPro.id)).toMatchObject({ booking: 'cancelled', reason: REASON, retained: false })
    expect((await rowsOf(fixture, forPro.id)).refund).not.toBeNull()
    expect((await messagesOf(forPro.id)).filter(({ kind }) => kind === 'booking-cancelled-for-pro')).toMatchObject([
      { recipient: forPro.pro.email },
    ])
    expect(await logged(forPro.id)).toEqual([{ action: 'booking.cancelled', reason: REASON, isByOperator: true }])

    const [late, generous] = [await paidBooking(0), await paidBooking(0)]
    fixture.clock.set('2026-11-23T00:00:00.000Z')
    const soon = await loggedInVisitor(app, 'operator')
    const cancel = (id: string, more: object) =>
      soon.post(`/console/bookings/${id}/operate`, { action: 'cancel', actedFor: 'customer', reason: REASON, ...more })
    expect((await cancel(late.id, {})).status).toBe(303)
    expect(await rowsOf(fixture, late.id)).toMatchObject({ booking: 'cancelled', refund: null, retained: true })
    expect((await cancel(generous.id, { refundsAll: 'on' })).status).toBe(303)
    expect((await rowsOf(fixture, generous.id)).refund).not.toBeNull()
    expect((await cancel(generous.id, {})).status).toBe(409)
  })

  test('keeps notes, sends a message once more, and no message of another booking', async () => {
    fixture.clock.set('2026-11-20T01:00:00.000Z')
    const [{ id }, other] = [await paidBooking(0), await paidBooking(0)]
    const by = await loggedInVisitor(app, 'operator')
    expect(
      (await by.post(`/console/bookings/${id}/operate`, { action: 'note', reason: 'Gate code 4711.' })).status,
    ).toBe(303)
    expect((await by.get(`/console/bookings/${id}`)).text).toContain('Gate code 4711.')
    await sql`
      insert into messages (key, kind, recipient, data, booking_id, professional_id, status, send_at, created_at, finished_at)
      select 'test:' || b.id, 'booking-confirmed', b.customer_email, '{}', b.id, b.professional_id, 'sent', now(), now(), now()
      from bookings b where b.id = ${id}`
    const [sent] = await messagesOf(id)
    const send = (booking: string) => by.post(`/console/bookings/${booking}/messages`, { messageId: String(sent?.id) })
    await send(other.id)
    expect(await messagesOf(other.id)).toHaveLength(0)
    expect((await send(id)).status).toBe(303)
    expect(await messagesOf(id)).toMatchObject([{ kind: 'booking-confirmed' }, { kind: 'booking-confirmed' }])
    expect((await logged(id)).map(({ action }) => action)).toEqual(['booking.noted', 'message.resent'])
  })
})
