// A signed-in customer's copy of their data, and their erasure, which a worker does.
import { describe, expect, test } from 'bun:test'

import { eraseRequested } from '../../../src/features/customers/customers/verbs/erasure.ts'
import { openBookingFixture } from '../../support/booking-fixture.ts'
import { bookFor, complete, newAddress, signedInCustomer } from '../../support/customers.ts'
import { opened } from '../../support/fixture.ts'
import type { Visitor } from '../../support/visitor.ts'
import { ctxOf } from '../../../src/ctx.ts'

const fixture = await opened(openBookingFixture())

const freePro = () => fixture.pro({ deposit: false })
const pageOf = (booking: { id: string }) => `/my/bookings/${booking.id}`

describe('the customer’s data', () => {
  const copyOf = async (visitor: Visitor) => await visitor.post('/my/data/copy')

  test('is downloaded as a file with everything that is stored about them, a few times an hour', async () => {
    const [email, pro] = [newAddress(), await freePro()]
    const { booking } = await bookFor(fixture, email, pro, 28)
    const visitor = await signedInCustomer(fixture.app, email)
    const copy = await copyOf(visitor)
    expect(copy.status).toBe(200)
    expect(copy.headers.get('content-disposition')).toBe('attachment; filename="my-hearth-data.json"')
    const document = JSON.parse(copy.text) as Record<string, unknown>
    expect(document).toMatchObject({ email, bookings: [{ id: booking.id }], account: { sessions: [{}] } })
    for (let n = 2; n <= 10; n++) expect((await copyOf(visitor)).status).toBe(200)
    expect(await copyOf(visitor)).toMatchObject({
      status: 429,
      text: expect.stringContaining('many copies of your data'),
    })
  })

  test('is erased after the address is typed, account and sessions included', async () => {
    const [email, pro] = [newAddress(), await freePro()]
    const { booking } = await bookFor(fixture, email, pro, 31)
    await complete(fixture, pro, booking)
    const [visitor, phone] = [await signedInCustomer(fixture.app, email), await signedInCustomer(fixture.app, email)]
    expect((await visitor.post('/my/data/erase', { email: newAddress() })).status).toBe(400)
    expect(await eraseRequested(ctxOf(fixture.app.deps))).toBe(0)
    visitor.cookies.set('hearth-typed', 'the details of a booking')
    expect((await visitor.post('/my/data/erase', { email: ` ${email.toUpperCase()} ` })).location).toBe('/my/data')
    expect(visitor.cookies.has('hearth-typed')).toBe(false)
    expect((await visitor.get('/my/data')).text).toContain('is being erased')
    expect(await eraseRequested(ctxOf(fixture.app.deps))).toBe(1)
    for (const by of [visitor, phone]) expect((await by.get('/my')).location).toBe('/my/sign-in')
    const left = await fixture.sql`
      select (select count(*)::int from customers where email = ${email}) as customers,
        (select count(*)::int from customer_sessions where email = ${email}) as sessions,
        (select count(*)::int from bookings where customer_email = ${email}) as bookings,
        (select count(*)::int from accounts a where a::text like ${`%${email}%`}) as accounts,
        (select count(*)::int from messages m where m.recipient = ${email}) as messages,
        (select requested_by from customer_erasures order by erased_at desc, id desc limit 1) as requested_by`
    expect(left[0]).toEqual({
      customers: 0,
      sessions: 0,
      bookings: 0,
      accounts: 0,
      messages: 0,
      requestedBy: 'the customer, signed in',
    })
    // A returning customer begins anew.
    expect((await (await signedInCustomer(fixture.app, email)).get('/my')).text).not.toContain(booking.id)
  })

  test('is not erased while a booking is to come, which the page names', async () => {
    const [email, pro] = [newAddress(), await freePro()]
    const { booking } = await bookFor(fixture, email, pro, 34)
    const visitor = await signedInCustomer(fixture.app, email)
    await visitor.post('/my/data/erase', { email })
    expect(await eraseRequested(ctxOf(fixture.app.deps))).toBe(1)
    const refused = await visitor.get('/my/data')
    expect(refused.text).toContain('Your data was not erased')
    expect(refused.text).toContain(booking.confirmationCode)
    expect(await eraseRequested(ctxOf(fixture.app.deps))).toBe(0)
    await visitor.post(`${pageOf(booking)}/cancel`)
    await visitor.post('/my/data/erase', { email })
    expect(await eraseRequested(ctxOf(fixture.app.deps))).toBe(1)
    expect((await visitor.get('/my')).location).toBe('/my/sign-in')
  })

  test('that could not be erased in several attempts is left to an operator, and the page says so', async () => {
    const visitor = await signedInCustomer(fixture.app)
    const email = /Signed in as ([^<]+)</.exec((await visitor.get('/my')).text)?.[1] ?? ''
    await visitor.post('/my/data/erase', { email })
    await fixture.sql`update erasure_requests set attempts = 5`
    expect(await eraseRequested(ctxOf(fixture.app.deps))).toBe(1)
    expect((await visitor.get('/my/data')).text).toContain('Something failed on our side')
    expect(await eraseRequested(ctxOf(fixture.app.deps))).toBe(0)
  })

  test('is erased by another worker when one died over it', async () => {
    const visitor = await signedInCustomer(fixture.app)
    const email = /Signed in as ([^<]+)</.exec((await visitor.get('/my')).text)?.[1] ?? ''
    await visitor.post('/my/data/erase', { email })
    // As the dead worker left it: claimed, and not done.
    await fixture.sql`update erasure_requests set attempts = 1, next_attempt_at = ${fixture.clock.now().toISOString()}::timestamptz + interval '5 minutes'
      where next_attempt_at is not null`
    expect(await eraseRequested(ctxOf(fixture.app.deps))).toBe(0)
    fixture.clock.advance(5)
    expect(await eraseRequested(ctxOf(fixture.app.deps))).toBe(1)
    expect((await visitor.get('/my')).location).toBe('/my/sign-in')
  })
})
