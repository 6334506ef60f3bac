// A copy and an erasure take as long as there are records, in small steps: strangers can ask in a customer's name a thousand times.
import { expect, test } from 'bun:test'

import type { Deps } from '../../../../src/deps.ts'
import { eraseRequested } from '../../../../src/features/customers/customers/verbs/erasure.ts'
import { eraseCustomer, eraseLateCopies } from '../../../../src/features/customers/privacy/verbs/erase-customer.ts'
import { type BookingFixture, bookingBody, openBookingFixture } from '../../../support/booking-fixture.ts'
import { readCopy } from '../../../support/customer-copy.ts'
import { newAddress, signedInCustomer } from '../../../support/customers.ts'
import { opened } from '../../../support/fixture.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const MANY = 1000
const LONG_MS = 120_000

const fixture = await opened(openBookingFixture())
const pro = await fixture.pro({ deposit: false })
const key = await fixture.app.key()

const request = async ({ app }: BookingFixture, email: string) => {
  const json = { professionalId: pro.id, customer: { name: 'A customer', email }, description: 'A gutter leaks.' }
  const answer = await app.send('/api/v1/rfqs', { key, json })
  if (answer.status !== 201) throw new Error(await answer.text())
  return ((await answer.json()) as { rfq: { id: string } }).rfq.id
}

const bookAs = async ({ app }: BookingFixture, email: string, hours: number) => {
  const json = bookingBody(pro, hours, { customer: { name: 'A customer', email } })
  const answer = await app.send('/api/v1/bookings', { key, json })
  if (answer.status !== 201) throw new Error(await answer.text())
  return ((await answer.json()) as { booking: { id: string } }).booking.id
}

/** Copies of one request (with its event) and of one finished booking, as a thousand of them would be stored. */
async function multiply(email: string, hours: number, count = MANY): Promise<void> {
  const { sql } = fixture
  const [rfqId, bookingId] = [await request(fixture, email), await bookAs(fixture, email, hours)]
  await sql`
    insert into rfqs select (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid()))).*
    from rfqs r cross join generate_series(2, ${count}::integer) where r.id = ${rfqId}`
  await sql`
    insert into quotes (id, rfq_id, professional_id, status, amount_cents, message, created_at, sent_at, valid_until)
    select gen_random_uuid(), r.id, r.professional_id, 'sent', 1000, 'Dear customer', r.created_at, r.created_at,
      r.created_at + interval '30 days' from rfqs r where r.customer_email = ${email}`
  await sql`
    update bookings set status = 'cancelled', cancelled_at = created_at, cancelled_by = 'customer' where id = ${bookingId}`
  await sql`
    insert into bookings select (jsonb_populate_record(b, jsonb_build_object('id', gen_random_uuid(), 'status', 'pending',
      'cancelled_at', null, 'confirmed_at', null, 'cancelled_by', null,
      'starts_at', b.starts_at - n * interval '1 day', 'ends_at', b.ends_at - n * interval '1 day',
      'holds', tstzrange(b.starts_at - n * interval '1 day', b.ends_at - n * interval '1 day' + b.buffer_minutes * interval '1 minute'),
      'confirmation_code', 'HTH-' || upper(substr(md5(n || ${email}), 1, 12))))).*
    from bookings b cross join generate_series(7, ${count + 5}::integer) n where b.id = ${bookingId}`
  await sql`
    select emit_event(gen_random_uuid(), 'rfq.created', r.professional_id, 'rfq', r.id, 7, rfq_receipt(r)::jsonb, null, r.created_at)
    from rfqs r where r.customer_email = ${email}`
}

const countOf = async (email: string) => {
  const [row] = await fixture.sql<{ bookings: number; rfqs: number }[]>`
    select (select count(*)::int from bookings where customer_email = ${email}) as bookings,
      (select count(*)::int from rfqs where customer_email = ${email}) as rfqs`
  return row
}

test(
  'a thousand requests and bookings in one name are copied in small parts and erased within the limits of a server',
  async () => {
    const email = newAddress()
    await multiply(email, 0)
    expect(await countOf(email)).toEqual({ bookings: MANY, rfqs: MANY })
    const { copy, longestPart } = await readCopy(fixture.app.deps, email)
    expect([copy.bookings.length, copy.quoteRequests.length]).toEqual([MANY, MANY])
    expect(copy.events.length).toBeGreaterThan(MANY)
    expect(longestPart).toBeLessThan(200_000)
    const erased = await eraseCustomer(ctxOf(fixture.app.deps), { email, requestedBy: 'a test' })
    expect(erased).toMatchObject({ outcome: 'erased', counts: { bookings: MANY, rfqs: MANY, quotes: MANY } })
    expect(await countOf(email)).toEqual({ bookings: 0, rfqs: 0 })
    const [left] = await fixture.sql`
      select (select count(*)::int from outbox_events where data::text like ${`%${email}%`}) as events,
        (select count(*)::int from rfqs where status <> 'archived') as open,
        (select count(distinct customer_email)::int from bookings) as customers`
    expect(left).toEqual({ events: 0, open: 0, customers: 1 })
  },
  LONG_MS,
)

/** The same, and `before` runs before each transaction. */
function watchedDeps(deps: Deps, before: (step: string) => Promise<void>): Deps {
  const { write } = deps
  const begin: typeof write.begin = async (step, work) => {
    await before(step)
    return await write.begin(step, work)
  }
  return { ...deps, write: { ...write, begin } }
}

test(
  'an erasure that dies in the middle goes on where it was, and a record is erased with all its copies or not at all',
  async () => {
    const email = newAddress()
    await multiply(email, 10, 60)
    const visitor = await signedInCustomer(fixture.app, email)
    await visitor.post('/my/data/erase', { email })
    let begun = 0
    const dying = watchedDeps(fixture.app.deps, async (step) => {
      if (step === 'erase_bookings' && ++begun > 1) throw new Error('The process dies.')
    })
    expect(await eraseRequested(ctxOf(dying)).catch((error: Error) => error.message)).toBe('The process dies.')
    expect(await countOf(email)).toEqual({ bookings: 40, rfqs: 0 })
    const [torn] = await fixture.sql`
      select count(*)::int as events from outbox_events e join bookings b on b.id = e.aggregate_id
      where b.customer_email like 'erased-%' and e.data #>> '{object,customer,email}' <> b.customer_email`
    expect(torn).toEqual({ events: 0 })
    expect((await visitor.get('/my/data')).text).toContain('is being erased')
    fixture.clock.advance(5)
    expect(await eraseRequested(ctxOf(fixture.app.deps))).toBe(1)
    expect(await countOf(email)).toEqual({ bookings: 0, rfqs: 0 })
    expect((await visitor.get('/my')).location).toBe('/my/sign-in')
  },
  LONG_MS,
)

test(
  'what comes in the same name while an erasure goes on stays whole, and is not erased by halves',
  async () => {
    const email = newAddress()
    await multiply(email, 20, 100)
    const written: string[] = []
    const watched = watchedDeps(fixture.app.deps, async (step) => {
      if (/^erase_(rfqs|bookings)$/.test(step)) written.push(await bookAs(fixture, email, 21 + written.length))
    })
    expect(await eraseCustomer(ctxOf(watched), { email, requestedBy: 'a test' })).toMatchObject({ outcome: 'erased' })
    expect(written.length).toBeGreaterThan(5)
    expect(await countOf(email)).toEqual({ bookings: written.length, rfqs: 0 })
    const rows = await fixture.sql<{ name: string; email: string }[]>`
      select b.customer_name as name, b.customer_email as email from bookings b where b.id = any(${written}::uuid[])`
    expect(rows.map((row) => ({ ...row }))).toEqual(written.map(() => ({ name: 'A customer', email })))
    expect((await readCopy(fixture.app.deps, email)).copy.bookings).toHaveLength(written.length)
  },
  LONG_MS,
)

test('copies that others stored while an erasure went on are erased minutes later', async () => {
  const email = newAddress()
  const rfqId = await request(fixture, email)
  const [event] = await fixture.sql<
    { body: object }[]
  >`select data as body from outbox_events where aggregate_id = ${rfqId}`
  expect(await eraseCustomer(ctxOf(fixture.app.deps), { email, requestedBy: 'a test' })).toMatchObject({
    outcome: 'erased',
  })
  // A relay that had read the event before wrote it down after.
  await fixture.sql`
    insert into webhook_events (id, type, aggregate_id, body, created_at)
    select id, type, aggregate_id, ${JSON.stringify({ data: event?.body })}, created_at from outbox_events where aggregate_id = ${rfqId}`
  await fixture.sql`
    insert into messages (key, kind, recipient, customer_email, data, status, send_at, created_at, finished_at)
    select 'event:' || id, 'new-request', 'pro@test.example', ${email}, '{}', 'sent', now(), now(), now()
    from outbox_events where aggregate_id = ${rfqId}`
  fixture.clock.advance(5)
  while ((await eraseLateCopies(ctxOf(fixture.app.deps))) > 0);
  const [left] = await fixture.sql`
    select (select body from webhook_events where aggregate_id = ${rfqId}) as body,
      (select count(*)::int from messages where customer_email = ${email}) as messages`
  expect(left?.['body']).not.toContain(email)
  expect(left?.['body']).toContain('@erased.invalid')
  expect(left?.['messages']).toBe(0)
})
