// Moving a booking: what cancelling costs then is said before the customer agrees, also when the pro chose the time, and once.
import { expect, test } from 'bun:test'

import { STARTED_AT, book, openBookingFixture, pay } from '../../support/booking-fixture.ts'
import { opened } from '../../support/fixture.ts'
import { visitorFromNewAddress } from '../../support/visitor.ts'

const world = await opened(openBookingFixture())

/** Of Monday, November 23, 9:00 AM in Austin, with $50 paid. */
async function paidBooking() {
  world.clock.set(STARTED_AT)
  const pro = await world.pro()
  const created = await book(world, pro)
  await pay(world, created.payment?.clientSecret ?? '')
  const visitor = visitorFromNewAddress(world.app)
  const path = new URL(created.manageUrl).pathname
  const textOf = async (page: string) =>
    (await visitor.get(`${path}${page}`)).text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
  const propose = (date: string, time: string) =>
    world.app.send(`/api/v1/pro/bookings/${created.booking.id}`, {
      key: pro.key,
      json: { action: 'propose', date, time },
    })
  return { path, visitor, textOf, propose }
}

const TOO_NEAR = 'It is too late to cancel this time free of charge: if you cancel, you do not get the $50 back.'
const FAR =
  'If you cancel by Monday, November 23, 11:00 AM Central Time, you get all of the $50 back. After that, you get nothing back.'
const LATE = 'Moving the booking does not change that: if you cancel later, your payment of $50 is not refundable.'
/** Every sentence that says what cancelling costs. */
const SENTENCES =
  /It is too late[^.]*\.|If you cancel by[^.]*\.|You can cancel free[^.]*\.|does not change that[^.]*\./g

/** A time that is nearer than the 24 hours, and one that is not. */
const TIMES = [
  ['2026-11-20', '11:00', TOO_NEAR],
  ['2026-11-24', '11:00', FAR],
] as const

test('a time to which the customer moves says what cancelling it costs, before the question', async () => {
  const { textOf } = await paidBooking()
  world.clock.set('2026-11-20T12:00:00Z')
  for (const [date, time, sentence] of TIMES) {
    const text = await textOf(`/move?date=${date}&time=${time}`)
    expect(text).toContain('Move the booking')
    expect([date, text.includes(sentence), text.match(SENTENCES)?.length]).toEqual([date, true, 1])
  }
})

test('a time that the pro proposes says what cancelling it costs, beside the buttons', async () => {
  const { propose, textOf } = await paidBooking()
  world.clock.set('2026-11-20T12:00:00Z')
  for (const [date, time, sentence] of TIMES) {
    expect((await propose(date, time)).status).toBe(200)
    const [, beforeButtons = ''] = (await textOf('')).split('proposes another time')
    expect([date, (beforeButtons.split('Move to this time')[0] ?? '').includes(sentence)]).toEqual([date, true])
  }
})

test('once cancelling is no longer free, every time says that moving does not change it, and none promises money back', async () => {
  const { path, visitor, textOf, propose } = await paidBooking()
  world.clock.set('2026-11-22T18:00:00Z')
  for (const page of ['/move', '/move?date=2026-11-24', '/move?date=2026-11-24&time=11:00']) {
    const text = await textOf(page)
    expect([page, text.includes(LATE), /back|free of charge at/.exec(text)?.[0]]).toEqual([page, true, undefined])
  }
  await propose('2026-11-24', '11:00')
  expect((await textOf('')).split('proposes another time')[1]?.split('Move to this time')[0]).not.toMatch(/back|free/)
  await visitor.postRaw(`${path}/move`, { date: '2026-11-24', time: '11:00' })
  expect(await textOf('')).toContain('Cancelling keeps the payment, because the booking was moved after')
  expect(await textOf('/cancel')).toContain('Your payment of $50 is not refundable.')
})
