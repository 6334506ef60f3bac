// A pro closes the account, or an operator does: what is open ends with refunds, and so does every way in.
import { beforeEach, describe, expect, test } from 'bun:test'

import { ctxOf } from '../../../../src/ctx.ts'
import { continueClosing } from '../../../../src/features/business/closing/verbs/end.ts'
import { listActions } from '../../../../src/features/upkeep/audit/verbs.ts'
import { createPasswordLink } from '../../../../src/auth/users/verbs/password-links.ts'
import { PRESETS } from '../../../../src/auth/scopes.ts'
import { waitUntil } from '../../../../src/platform/clock/deadlines.ts'
import { PRO_SERVER, rpc, setPlan } from '../../../support/agents.ts'
import {
  type FixturePro,
  STARTED_AT,
  book,
  bookingBody,
  openBookingFixture,
  pay,
} from '../../../support/booking-fixture.ts'
import { opened } from '../../../support/fixture.ts'
import { PASSWORD, createTestUser, loggedInVisitor, visitorFromNewAddress } from '../../../support/visitor.ts'

const it = await opened(openBookingFixture())
const { app, sql } = it
const ctx = ctxOf(app.deps)
const operator = await loggedInVisitor(app, 'operator')
const DAY_MINUTES = 24 * 60

const nameOf = async ({ id }: FixturePro) =>
  (await sql<{ name: string }[]>`select business_name as name from professionals where id = ${id}`)[0]?.name ?? ''
const newPro = async (settings = {}) => {
  const pro = await it.pro(settings)
  const login = await createTestUser(app, 'pro', { pro: pro.id })
  const owner = visitorFromNewAddress(app)
  await owner.logIn(login)
  return { pro, login, owner, name: await nameOf(pro) }
}
const bookAndPay = async (pro: FixturePro) => {
  const created = await book(it, pro)
  await pay(it, created.payment?.clientSecret ?? '')
  return created
}
const work = async () => {
  let steps = 0
  while ((await continueClosing(ctx)) === 1 && steps < 10) {
    steps++
    it.clock.advance(1 / 30)
  }
}
const statusOf = async ({ id }: FixturePro) =>
  (await sql<{ status: string }[]>`select status from professionals where id = ${id}`)[0]?.status
/** Of a request with the key. */
const statusFor = async (key: string) => (await app.send('/api/v1/pro/bookings', { key })).status
const closeOwn = (owner: typeof operator, name: string, password = PASSWORD) =>
  owner.post('/console/closing', { password, name })
const closeAs = ({ id }: FixturePro, name: string, reason = 'The pro asked by phone.') =>
  operator.post(`/console/verification/${id}/close`, { name, reason })

beforeEach(() => it.clock.set(STARTED_AT))

describe('a pro who closes the account', () => {
  test('reads beforehand what will happen, by the data', async () => {
    const { pro, owner } = await newPro()
    await bookAndPay(pro)
    const { text } = await owner.get('/console/closing')
    for (const part of ['1 booking that is to come: cancelled', '$50.00', 'refunded in full', '1 API key', 'pause'])
      expect(text).toContain(part)
    expect((await owner.get('/console/settings')).text).toContain('href="/console/closing"')
  })

  test('needs the password and the name of the business, and loses nothing else', async () => {
    const { pro, owner, name } = await newPro()
    expect((await closeOwn(owner, name, 'not the password')).status).toBe(400)
    const { status, text } = await closeOwn(owner, 'Another name')
    expect([status, /not the name of your business/.test(text), text.includes('Another name')]).toEqual([
      400,
      true,
      true,
    ])
    expect(await statusOf(pro)).toBe('active')
  })

  test('is logged out, cannot log in, and no key, app or session works any more', async () => {
    const { pro, owner, name, login } = await newPro()
    const other = await loggedInVisitor(app, 'pro', { pro: pro.id })
    expect((await app.send('/api/v1/pro/bookings', { key: pro.key })).status).toBe(200)
    const { status, text } = await closeOwn(owner, ` ${name.toUpperCase()} `)
    expect([status, text.includes('Your account is closed')]).toEqual([200, true])
    expect(await statusOf(pro)).toBe('closed')
    expect(await waitUntil(async () => (await statusFor(pro.key)) === 401, 10_000)).toBe(true)
    for (const visitor of [owner, other]) expect((await visitor.get('/console')).status).toBe(303)
    expect((await visitorFromNewAddress(app).logIn(login)).status).not.toBe(303)
  })

  test('is found no more, nor the page, the reviews and new times', async () => {
    const { pro, owner, name } = await newPro({ deposit: false })
    const customer = { name: 'Homeowner in Austin', email: 'home@example.com' }
    const review = { professionalId: pro.id, rating: 5, content: 'Quick and clean, we are happy.', customer }
    const key = await app.key(['reviews:write'])
    await closeOwn(owner, name)
    expect((await app.send(`/api/v1/profile/public/${pro.id}`)).status).toBe(404)
    expect((await app.send(`/api/v1/reviews/${pro.id}`)).status).toBe(404)
    expect((await app.send('/api/v1/reviews', { key, json: review })).status).toBe(404)
    expect((await app.send('/api/v1/bookings', { key: it.key, json: bookingBody(pro) })).status).toBe(404)
    const [row] = await sql`select from pro_search where slug = (select slug from professionals where id = ${pro.id})`
    expect(row).toBeUndefined()
  })

  test('has every open booking cancelled and all that was paid refunded, while others keep theirs', async () => {
    const { pro, owner, name } = await newPro()
    const { pro: neighbour } = await newPro()
    const [first, second] = [await bookAndPay(pro), await book(it, pro, 2)]
    const kept = await bookAndPay(neighbour)
    await closeOwn(owner, name)
    await work()
    const states = await sql<{ status: string; paid: string; by: string | null }[]>`
      select b.status, y.status as paid, b.cancelled_by as by from bookings b join payments y on y.booking_id = b.id
      where b.id in ${sql([first.booking.id, second.booking.id, kept.booking.id])} order by b.professional_id = ${neighbour.id}, b.starts_at`
    expect([...states]).toEqual([
      { status: 'cancelled', paid: 'refunded', by: 'pro' },
      { status: 'cancelled', paid: 'expired', by: 'pro' },
      { status: 'confirmed', paid: 'succeeded', by: null },
    ])
  })

  test('has open requests and quotes ended, and each customer is told once', async () => {
    const { pro, owner, name } = await newPro({ deposit: false })
    const email = `${crypto.randomUUID()}@example.com`
    const customer = { name: 'Homeowner in Austin', email }
    const json = { professionalId: pro.id, serviceId: pro.serviceId, customer, description: 'The gutter leaks.' }
    const { rfq } = (await (await app.send('/api/v1/rfqs', { key: await app.key(['rfqs:write']), json })).json()) as {
      rfq: { id: string }
    }
    await app.send('/api/v1/pro/quotes', { key: pro.key, json: { rfqId: rfq.id, amount: 300 } })
    await closeOwn(owner, name)
    await work()
    const [request] = await sql`
      select r.status, q.status as quote from rfqs r join quotes q on q.rfq_id = r.id where r.id = ${rfq.id}`
    expect(request).toEqual({ status: 'archived', quote: 'declined' })
    const told = await sql<{ kind: string }[]>`
      select kind from messages where recipient = ${email} and kind = 'request-ended'`
    expect(told).toHaveLength(1)
  })

  test('downloads a copy of the data, without secrets and without another pro’s', async () => {
    const { pro, owner, name } = await newPro()
    const { pro: neighbour } = await newPro()
    await book(it, pro)
    await book(it, neighbour)
    const { status, text } = await owner.post('/console/closing/copy')
    expect(status).toBe(200)
    const copy = JSON.parse(text) as Record<string, Record<string, unknown>[]>
    expect([copy['professionals']?.[0]?.['business_name'], copy['bookings']?.length]).toEqual([name, 1])
    expect(text).not.toContain(neighbour.id)
    for (const secret of ['hash', 'client_secret', 'argon2']) expect(text).not.toContain(secret)
  })
})

describe('an operator', () => {
  test('closes the account of a pro with a reason that the pro reads, and the log has it', async () => {
    const { pro, name } = await newPro()
    expect((await closeAs(pro, name, '')).status).toBe(400)
    expect((await closeAs(pro, 'Another name')).status).toBe(400)
    expect((await closeAs(pro, name)).status).toBe(303)
    expect(await statusOf(pro)).toBe('closed')
    const [message] = await sql<{ data: { status: string; operatorReason: string } }[]>`
      select data from messages where recipient = ${pro.email} and kind = 'pro-status'`
    expect(message?.data).toMatchObject({ status: 'closed', operatorReason: 'The pro asked by phone.' })
    const [action] = await listActions(ctx, { subjectId: pro.id })
    expect(action).toMatchObject({ action: 'pro.closed', reason: 'The pro asked by phone.' })
    expect((await operator.get('/console/verification?show=closed')).text).toContain(pro.id)
    expect((await operator.get(`/console/verification/${pro.id}`)).text).toContain('Open the account again')
  })

  test('opens it again before the erasure: paused, with the former password, and keys, sessions and links stay ended', async () => {
    const { pro, name, login, owner } = await newPro()
    const link = await createPasswordLink(ctx, { email: login, by: null, planMessage: () => Promise.resolve() })
    await closeAs(pro, name)
    await work()
    await operator.post(`/console/verification/${pro.id}/reopen`, { reason: 'It was a mistake.' })
    expect(await statusOf(pro)).toBe('paused')
    const back = visitorFromNewAddress(app)
    expect((await owner.get('/console')).location).toContain('/console/login')
    expect((await back.get(`/console/password/${link.token}`)).status).toBe(404)
    expect((await back.logIn(login)).status).toBe(303)
    expect(await waitUntil(async () => (await statusFor(pro.key)) === 401, 10_000)).toBe(true)
    await back.post('/console/settings/status', { action: 'resume' })
    expect(await statusOf(pro)).toBe('active')
    expect(await sql`select from pro_closings where professional_id = ${pro.id}`).toHaveLength(0)
  })

  test('leaves log-ins alone that were disabled before', async () => {
    const { pro, name } = await newPro()
    const former = await createTestUser(app, 'pro', { pro: pro.id })
    await sql`update users set disabled_at = ${it.clock.now().toISOString()} where email = ${former}`
    it.clock.advance(1)
    await closeAs(pro, name)
    await operator.post(`/console/verification/${pro.id}/reopen`, { reason: 'It was a mistake.' })
    expect((await visitorFromNewAddress(app).logIn(former)).status).not.toBe(303)
  })

  test('cannot open it again once the data is erased', async () => {
    const { pro, name } = await newPro()
    await closeAs(pro, name)
    await work()
    it.clock.advance(31 * DAY_MINUTES)
    await work()
    const later = await loggedInVisitor(app, 'operator')
    const again = await later.post(`/console/verification/${pro.id}/reopen`, { reason: 'It was a mistake.' })
    expect([again.status, await statusOf(pro)]).toEqual([409, 'closed'])
  })
})

test('a pro with an unfinished refund keeps the data that it needs, until it is finished', async () => {
  const { pro, name } = await newPro()
  const booking = await bookAndPay(pro)
  await closeAs(pro, name)
  await work()
  await sql`update payment_refunds set status = 'failed', failed_at = now(), failure = 'closed_card', done_at = null
    where payment_id = (select id from payments where booking_id = ${booking.booking.id})`
  it.clock.advance(31 * DAY_MINUTES)
  await work()
  const erasedAt = async () =>
    (await sql<{ at: string | null }[]>`select erased_at as at from pro_closings where professional_id = ${pro.id}`)[0]
      ?.at
  expect(await erasedAt()).toBeNull()
  await sql`update payment_refunds set status = 'done', failed_at = null, failure = null, done_at = now()
    where payment_id = (select id from payments where booking_id = ${booking.booking.id})`
  it.clock.advance(2 * DAY_MINUTES)
  await work()
  expect(await erasedAt()).not.toBeNull()
})

test('what was made while the account was closed ends, too', async () => {
  const { pro, name } = await newPro({ deposit: false })
  const { booking } = await book(it, pro)
  const [late] = await sql<{ row: string }[]>`
    delete from bookings where id = ${booking.id} returning to_jsonb(bookings)::text as row`
  await closeAs(pro, name)
  await work()
  // As a reservation that had seen the pro before.
  await sql`insert into bookings select * from jsonb_populate_record(null::bookings, ${late?.row ?? ''}::text::jsonb)`
  it.clock.advance(6)
  await work()
  const [row] = await sql`select status from bookings where id = ${booking.id}`
  expect(row).toEqual({ status: 'cancelled' })
})

test('an agent’s key of a closed pro is refused', async () => {
  const { pro, name } = await newPro()
  await setPlan(app, pro.id, 'business')
  const agent = await app.key(PRESETS['agent-tools'], pro.email)
  const outcome = async () => (await rpc(app, PRO_SERVER, agent, 'tools/list')).status
  expect(await outcome()).toBe(200)
  await closeAs(pro, name)
  expect(await waitUntil(async () => (await outcome()) === 401, 10_000)).toBe(true)
})
