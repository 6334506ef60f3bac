// Bookings by hand: a pro or an operator books for a customer who calls, with the checks and the messages of every booking.
import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import { ctxOf } from '../../../../src/ctx.ts'
import { BY_HAND_PER_DAY } from '../../../../src/features/booking/bookings/rules/by-hand.ts'
import { submitReview } from '../../../../src/features/reviews/reviews/verbs/reviews.ts'
import {
  type FixturePro,
  VISIT_ADDRESS,
  VISIT_PHONE,
  book,
  bookingBody,
  eventsOf,
} from '../../../support/booking-fixture.ts'
import { opened } from '../../../support/fixture.ts'
import { openMessageFixture } from '../../../support/messages.ts'
import { createAuthor, newReview } from '../../../support/reviews.ts'
import { type PageResponse, type Visitor, loggedInVisitor } from '../../../support/visitor.ts'

const fixture = await opened(openMessageFixture())
const { app, sql } = fixture
const operator = await loggedInVisitor(app, 'operator')
const NEW = '/console/bookings/new'
const WORDS = 'Booked for the caller.'

const deskOf = (pro: FixturePro) => `/console/verification/${pro.id}/book`
const visitorOf = (pro: FixturePro) => loggedInVisitor(app, 'pro', { pro: pro.id })
const startAt = (pro: FixturePro, hours: number) => {
  const { date, time } = bookingBody(pro, hours)
  return { date, time, start: `${date}T${time}` }
}

/** The form as a browser sends it. */
const formOf = (pro: FixturePro, hours: number, changes: Record<string, string> = {}): Record<string, string> => ({
  service: pro.serviceId,
  start: startAt(pro, hours).start,
  name: 'Homeowner in Austin',
  phone: VISIT_PHONE,
  email: `${randomUUID()}@example.com`,
  ...VISIT_ADDRESS,
  description: WORDS,
  idempotencyKey: randomUUID(),
  ...changes,
})

const idOf = ({ status, location, text }: PageResponse): string => {
  const id = /^\/console\/bookings\/([0-9a-f-]{36})$/.exec(location ?? '')?.[1]
  if (status !== 303 || id === undefined) throw new Error(`Not booked: ${status} ${text}`)
  return id
}

const makeByHand = async (visitor: Visitor, path: string, form: Record<string, string>): Promise<string> =>
  idOf(await visitor.post(path, form))

const bookingsOf = async (pro: FixturePro) =>
  (
    await sql<{ id: string; madeBy: string | null }[]>`
      select id, made_by from bookings where professional_id = ${pro.id} order by created_at, id`
  ).map((row) => ({ ...row }))

const actionsOn = async (id: string) =>
  (await sql<{ action: string }[]>`select action from operator_actions where subject_id = ${id}`).map(
    ({ action }) => action,
  )

test('a pro books for a caller in three steps, and the customer reads who booked', async () => {
  const pro = await fixture.pro({ deposit: false })
  const visitor = await visitorOf(pro)
  expect((await visitor.get('/console/bookings')).text).toContain(`href="${NEW}"`)
  expect((await visitor.get('/console/calendar')).text).toContain(`href="${NEW}"`)
  const { date, time, start } = startAt(pro, 0)
  const times = await visitor.get(`${NEW}?service=${pro.serviceId}&date=${date}`)
  expect(times.text).toContain(`${NEW}?service=${pro.serviceId}&amp;date=${date}&amp;time=09%3A00`)
  const page = await visitor.get(`${NEW}?service=${pro.serviceId}&date=${date}&time=${encodeURIComponent(time)}`)
  for (const part of [`<option value="${start}" selected`, 'inputmode="tel"', 'type="email"', 'Book for the customer'])
    expect(page.text).toContain(part)
  const form = formOf(pro, 0)
  const id = await makeByHand(visitor, NEW, form)
  expect(await bookingsOf(pro)).toEqual([{ id, madeBy: 'pro' }])
  expect(await eventsOf(fixture, id)).toEqual(['booking.created', 'booking.confirmed'])
  await fixture.settle()
  expect(await fixture.planned(form['email'])).toEqual(['booking-confirmed sent', 'booking-reminder pending'])
  expect(await fixture.planned(pro.email)).toEqual(['new-booking sent'])
  expect(mailTo(form['email'])).toContain('booked this for you, as you asked.')
  expect((await operator.get(`/console/bookings/${id}`)).text).toContain('A call: booked by the pro for the customer')
})

test('an operator books in two clicks from the search; the log and the story say so, and all are told', async () => {
  const pro = await fixture.pro({ deposit: false, requiresApproval: true })
  const found = await operator.get(`/console/search?q=${encodeURIComponent(pro.email)}`)
  expect(found.text).toContain(`href="${deskOf(pro)}"`)
  expect((await operator.get(`/console/verification/${pro.id}`)).text).toContain(`href="${deskOf(pro)}"`)
  const form = formOf(pro, 1)
  const id = await makeByHand(operator, deskOf(pro), form)
  expect(await bookingsOf(pro)).toEqual([{ id, madeBy: 'operator' }])
  expect(await actionsOn(id)).toEqual(['booking.made'])
  expect(await eventsOf(fixture, id)).toEqual(['booking.created', 'booking.pending_approval'])
  await fixture.settle()
  expect(await fixture.planned(form['email'])).toEqual(['booking-received sent'])
  expect(await fixture.planned(pro.email)).toEqual(['new-booking sent'])
  expect(mailTo(form['email'])).toContain('We booked this for you, as you asked.')
  const story = await operator.get(`/console/bookings/${id}`)
  for (const said of ['Booked by an operator for the customer', 'A call: booked by an operator for the customer'])
    expect(story.text).toContain(said)
})

test('a deposit is paid through the mailed link, and the time is held until then', async () => {
  const pro = await fixture.pro({ deposit: true })
  const visitor = await visitorOf(pro)
  const { start } = startAt(pro, 0)
  const [date = '', time = ''] = start.split('T')
  const page = await visitor.get(`${NEW}?${new URLSearchParams({ service: pro.serviceId, date, time }).toString()}`)
  expect(page.text).toContain('pays a deposit of $50')
  const form = formOf(pro, 0)
  const id = await makeByHand(visitor, NEW, form)
  expect(await eventsOf(fixture, id)).toEqual(['booking.created'])
  await fixture.settle()
  expect(await fixture.planned(form['email'])).toEqual(['booking-held sent', 'hold-expiring pending'])
  expect(mailTo(form['email'])).toContain('/pay/')
})

describe('a booking by hand is refused like that of a customer:', () => {
  const refuse = async (visitor: Visitor, path: string, form: Record<string, string>, said: string) => {
    const { status, text } = await visitor.post(path, form)
    expect([status, text.includes(said)]).toEqual([status, true])
    expect([400, 409]).toContain(status)
    // What was typed stays.
    for (const name of ['name', 'phone', 'email'].filter((name) => form[name] !== ''))
      expect(text).toContain(`value="${form[name] ?? ''}"`)
    expect(text).toContain(WORDS)
  }

  test('a time that was taken meanwhile; the page offers others', async () => {
    const pro = await fixture.pro({ deposit: false })
    const visitor = await visitorOf(pro)
    await book(fixture, pro, 0)
    await refuse(visitor, NEW, formOf(pro, 0), 'Is taken or over by now. Choose another time.')
    const { text } = await visitor.post(NEW, formOf(pro, 0))
    expect(text).toContain(`<option value="${startAt(pro, 2).start}"`)
    expect(text).not.toContain(`<option value="${startAt(pro, 0).start}"`)
    expect(await bookingsOf(pro)).toHaveLength(1)
  })

  test('a blocked customer', async () => {
    const pro = await fixture.pro({ deposit: false })
    const form = formOf(pro, 0)
    const json = { email: form['email'] }
    expect((await app.send('/api/v1/pro/blocked-customers', { key: pro.key, json })).status).toBe(201)
    await refuse(await visitorOf(pro), NEW, form, 'You blocked this customer.')
    await refuse(operator, deskOf(pro), form, 'This pro does not take bookings from this customer.')
    // Others can be booked, also with a pro who blocks customers.
    expect(await makeByHand(operator, deskOf(pro), formOf(pro, 0))).toBeString()
  })

  test('an address out of reach', async () => {
    const pro = await fixture.pro({ deposit: false })
    const away = { street: '1 Main Street', zipCode: '99501', city: 'Anchorage', state: 'AK' }
    await refuse(await visitorOf(pro), NEW, formOf(pro, 0, away), 'does not come to')
    expect(await bookingsOf(pro)).toEqual([])
  })

  test('an empty or impossible form', async () => {
    const pro = await fixture.pro({ deposit: false })
    const visitor = await visitorOf(pro)
    await refuse(visitor, NEW, formOf(pro, 0, { phone: '', street: '' }), 'Is required.')
    await refuse(visitor, NEW, formOf(pro, 0, { start: '2026-99-99T25:99' }), 'Must be a time of the list.')
    await refuse(visitor, NEW, formOf(pro, 0, { email: 'not an address' }), 'Please correct: ')
    expect(await bookingsOf(pro)).toEqual([])
  })
})

test('a pro who is paused takes no bookings by hand, and one that does not exist is not found', async () => {
  const pro = await fixture.pro({ deposit: false })
  const visitor = await visitorOf(pro)
  await sql`update professionals set active = false, status = 'paused' where id = ${pro.id}`
  for (const [who, path] of [
    [visitor, NEW],
    [operator, deskOf(pro)],
  ] as const) {
    expect((await who.get(path)).text).toContain('No bookings now')
    expect((await who.post(path, formOf(pro, 0))).text).toContain('No bookings now')
  }
  expect((await operator.get(deskOf({ ...pro, id: randomUUID() }))).status).toBe(404)
  expect(await bookingsOf(pro)).toEqual([])
})

test('a form that is sent twice books once', async () => {
  const pro = await fixture.pro({ deposit: false })
  const visitor = await visitorOf(pro)
  const [own, operators] = [formOf(pro, 0), formOf(pro, 2)]
  const made = await Promise.all([makeByHand(visitor, NEW, own), makeByHand(visitor, NEW, own)])
  const again = await Promise.all([
    makeByHand(operator, deskOf(pro), operators),
    makeByHand(operator, deskOf(pro), operators),
  ])
  expect([new Set(made).size, new Set(again).size]).toEqual([1, 1])
  expect(await bookingsOf(pro)).toHaveLength(2)
  expect(await actionsOn(again[0])).toEqual(['booking.made'])
})

test('of the pro, an operator and a customer who book the same time at once, exactly one gets it', async () => {
  const pro = await fixture.pro({ deposit: false })
  const visitor = await visitorOf(pro)
  for (const hours of [0, 2, 4]) {
    const outcomes = await Promise.all([
      visitor.post(NEW, formOf(pro, hours)).then(({ status }) => status === 303),
      operator.post(deskOf(pro), formOf(pro, hours)).then(({ status }) => status === 303),
      book(fixture, pro, hours).then(
        () => true,
        () => false,
      ),
    ])
    expect(outcomes.filter(Boolean)).toHaveLength(1)
  }
  expect(await bookingsOf(pro)).toHaveLength(3)
})

test('a pro books for the own business only, whatever the form says', async () => {
  const [pro, other] = [await fixture.pro({ deposit: false }), await fixture.pro({ deposit: false })]
  const visitor = await visitorOf(pro)
  expect((await visitor.post(deskOf(other), formOf(other, 0))).status).toBe(403)
  await visitor.post(NEW, { ...formOf(pro, 0), professionalId: other.id })
  expect([await bookingsOf(pro), await bookingsOf(other)].map((rows) => rows.length)).toEqual([1, 0])
})

test(`a pro makes at most ${BY_HAND_PER_DAY} bookings by hand in 24 hours`, async () => {
  const pro = await fixture.pro({ deposit: false })
  const id = await makeByHand(await visitorOf(pro), NEW, formOf(pro, 0))
  await sql`
    insert into bookings select (jsonb_populate_record(b, jsonb_build_object('id', gen_random_uuid(), 'confirmation_code',
      'HTH-' || upper(substr(md5(n::text || b.id), 1, 12)), 'starts_at', b.starts_at - n * interval '1 day', 'ends_at',
      b.ends_at - n * interval '1 day', 'holds', tstzrange(lower(b.holds) - n * interval '1 day', upper(b.holds) - n * interval '1 day')))).*
    from bookings b, generate_series(1, ${BY_HAND_PER_DAY - 1}) n where b.id = ${id}`
  const refused = await (await visitorOf(pro)).post(NEW, formOf(pro, 2))
  expect([refused.status, refused.text.includes('Is one too many')]).toEqual([400, true])
  // The limit is of what the pro does, not of the callers of the marketplace, nor of other pros and of customers.
  expect(await makeByHand(operator, deskOf(pro), formOf(pro, 2))).toBeString()
  const other = await fixture.pro({ deposit: false })
  expect(await makeByHand(await visitorOf(other), NEW, formOf(other, 0))).toBeString()
  await sql`update bookings set made_by = null where id = ${id}`
  expect(await makeByHand(await visitorOf(pro), NEW, formOf(pro, 4))).toBeString()
  expect((await (await visitorOf(pro)).post(NEW, formOf(pro, 6))).status).toBe(400)
  await sql`update bookings set created_at = created_at - interval '1 day' where professional_id = ${pro.id}`
  expect(await makeByHand(await visitorOf(pro), NEW, formOf(pro, 6))).toBeString()
})

test('a visit that the pro booked verifies no review; that of an operator does', async () => {
  const pro = await fixture.pro({ deposit: false })
  const author = await createAuthor(app)
  const reviewOf = async (id: string, email: string) => {
    await sql`update bookings set status = 'completed', completed_at = ends_at where id = ${id}`
    const review = newReview(pro.id, { bookingId: id, customer: { name: 'Homeowner in Austin', email } })
    await submitReview(ctxOf(app.deps, { ...author, isProven: true }), review)
    const [row] = await sql<{ verified: boolean }[]>`select verified from reviews where booking_id = ${id}`
    return row?.verified
  }
  const [own, operators] = [formOf(pro, 0), formOf(pro, 2)]
  const byPro = await makeByHand(await visitorOf(pro), NEW, own)
  const byOperator = await makeByHand(operator, deskOf(pro), operators)
  expect(await reviewOf(byPro, own['email'] ?? '')).toBe(false)
  expect(await reviewOf(byOperator, operators['email'] ?? '')).toBe(true)
})

/** The text of the mails to an address, in one line. */
const mailTo = (email = '') =>
  fixture.smtp
    .to(email)
    .map(({ mail }) => mail.text ?? '')
    .join(' ')
    .replaceAll(/\s+/g, ' ')
