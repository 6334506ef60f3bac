// Moving a booking late and the cost of cancelling it afterwards: by REST, on the booking's page, and for an agent's
// booking. Also the times that the page offers and refuses.
import { beforeEach, describe, expect, test } from 'bun:test'

import {
  DEPOSIT,
  STARTED_AT,
  VISIT,
  type CreatedBooking,
  type FixturePro,
  book,
  eventsOf,
  openBookingFixture,
  pay,
  rowsOf,
} from '../../../support/booking-fixture.ts'
import { Visitor } from '../../../support/visitor.ts'
import { opened } from '../../../support/fixture.ts'

const world = await opened(openBookingFixture())
const visitor = new Visitor(world.app)
beforeEach(() => world.clock.set(STARTED_AT))

interface Managed {
  id: string
  scheduledAt: string
  /** The path of the manage link. */
  path: string
}

const managed = ({ booking, manageUrl }: CreatedBooking): Managed => ({ ...booking, path: new URL(manageUrl).pathname })

/** With a key of the account that booked, which is the same for the API and the agent server. */
const post = ({ id }: Managed, action: 'cancel' | 'reschedule', json: object = {}) =>
  world.app.send(`/api/v1/bookings/${id}/${action}`, { key: world.key, json })
const refundOf = async (response: Promise<Response>) => ((await (await response).json()) as { refund: unknown }).refund

async function bookPaid(pro: FixturePro, hours = 0) {
  const created = await book(world, pro, hours)
  await pay(world, created.payment?.clientSecret ?? '')
  return managed(created)
}

/** Books and pays through the customer agent server. */
async function bookPaidByAgent(pro: FixturePro) {
  const input = {
    professionalId: pro.id,
    serviceId: pro.serviceId,
    startDateTime: '2026-11-23T15:00:00Z',
    guestName: 'Demo Customer',
    guestEmail: 'customer@demo.example',
    ...VISIT,
  }
  const params = { name: 'book_appointment', arguments: input }
  const key = await world.app.key(['mcp:read', 'mcp:write'])
  const json = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  const { result } = (await (await world.app.send('/api/mcp/customer', { key, json })).json()) as {
    result: {
      structuredContent: { bookingId: string; clientSecret: string; manageUrl: string; scheduledAt: string }
    }
  }
  const { bookingId: id, clientSecret, manageUrl, scheduledAt } = result.structuredContent
  await pay(world, clientSecret)
  return { id, scheduledAt, path: new URL(manageUrl).pathname }
}

/** The given time before a booking's start. */
const before = ({ scheduledAt }: { scheduledAt: string }, minutes: number) => {
  world.clock.set(scheduledAt)
  world.clock.advance(-minutes)
}

const LATER = { date: '2026-12-07', time: '11:00' }
const DAY = 24 * 60

const WAYS = {
  'by REST': async (booking: Managed) => {
    expect((await post(booking, 'reschedule', LATER)).status).toBe(200)
  },
  'on its page': async ({ path }: Managed) => {
    expect(await visitor.postRaw(`${path}/move`, LATER)).toMatchObject({ status: 303, location: `${path}?moved` })
  },
}

describe.each(Object.entries(WAYS))('a booking that is moved %s', (_, move) => {
  test('within 24 hours of the start keeps its cancellation cost, however often and far it is moved', async () => {
    for (const createBooking of [bookPaid, bookPaidByAgent]) {
      world.clock.set(STARTED_AT)
      const booking = await createBooking(await world.pro())
      before(booking, DAY - 1)
      await move(booking)
      expect((await post(booking, 'reschedule', { ...LATER, time: '13:00' })).status).toBe(200)
      expect(await refundOf(post(booking, 'cancel'))).toBeNull()
      expect(await rowsOf(world, booking.id)).toMatchObject({ payment: 'succeeded', retained: true })
    }
  })

  test('earlier than that is free to cancel until 24 hours before the new start', async () => {
    const [early, late] = [await bookPaid(await world.pro()), await bookPaid(await world.pro())]
    before(early, DAY)
    await move(early)
    await move(late)
    expect(await refundOf(post(early, 'cancel'))).toMatchObject({ amount: DEPOSIT })
    before({ scheduledAt: '2026-12-07T17:00:00Z' }, DAY - 1)
    expect(await refundOf(post(late, 'cancel'))).toBeNull()
  })
})

describe('the page', () => {
  const pageOf = ({ path }: Managed, rest = '') => visitor.get(`${path}${rest}`)

  test('shows the cancellation cost before and after a move', async () => {
    const booking = await bookPaid(await world.pro())
    expect((await pageOf(booking, '/cancel')).text).toContain('You get all of the $50 back')
    before(booking, DAY - 1)
    expect((await pageOf(booking, '/cancel')).text).toContain('Your payment of $50 is not refundable')
    expect((await pageOf(booking, '/move')).text).toContain('Moving the booking does not change that')
    await WAYS['on its page'](booking)
    expect((await pageOf(booking, '/cancel')).text).toContain('Your payment of $50 is not refundable')
    await visitor.postRaw(`${booking.path}/cancel`, {})
    expect(await rowsOf(world, booking.id)).toMatchObject({ booking: 'cancelled', retained: true })
  })

  test('offers the times that a move accepts: its own counts as free, others do not', async () => {
    const pro = await world.pro({ deposit: false })
    const [mine, theirs] = [managed(await book(world, pro)), managed(await book(world, pro, 2))]
    const offered = async () =>
      [...(await pageOf(mine, '/move?date=2026-11-23')).text.matchAll(/time=(\d\d)%3A(\d\d)#who/g)].map(
        ([, hours, minutes]) => `${hours}:${minutes}`,
      )
    const times = await offered()
    expect(times).toContain('09:00')
    expect(times).toContain('10:00')
    expect(times).not.toContain('11:00')
    const conflict = await visitor.postRaw(`${mine.path}/move`, {
      date: '2026-11-23',
      time: '11:00',
    })
    expect(conflict.text).toContain('This time is no longer available. Choose another one.')
    expect(conflict.text).toContain('class="slots"')
    await post(theirs, 'cancel')
    expect(await offered()).toContain('11:00')
  })

  test('moves the booking once when the form is sent twice', async () => {
    const booking = managed(await book(world, await world.pro({ deposit: false })))
    await WAYS['on its page'](booking)
    await WAYS['on its page'](booking)
    expect((await eventsOf(world, booking.id)).slice(2)).toEqual(['booking.rescheduled'])
  })

  test('explains when a booking cannot be moved: unpaid, started, cancelled', async () => {
    const move = ({ path }: Managed) => visitor.postRaw(`${path}/move`, LATER)
    const unpaid = managed(await book(world, await world.pro()))
    const [begun, off] = [await bookPaid(await world.pro()), await bookPaid(await world.pro())]
    await post(off, 'cancel')
    for (const booking of [unpaid, off]) {
      expect((await move(booking)).text).toContain('This booking cannot be moved')
      expect((await pageOf(booking)).text).not.toContain('Move to another time')
    }
    world.clock.set(begun.scheduledAt)
    expect((await move(begun)).text).toContain('It has already begun')
    expect((await pageOf(begun)).text).not.toContain('Move to another time')
  })

  test('refuses an invalid date or time and a forged link', async () => {
    const { path } = managed(await book(world, await world.pro({ deposit: false })))
    const wrong = await visitor.postRaw(`${path}/move`, { date: 'x', time: '' })
    expect(wrong.text).toContain('Choose a day and a time')
    for (const forged of [`${path.slice(0, -2)}AA/move`, '/bookings/manage/x/move'])
      expect([(await visitor.get(forged)).status, (await visitor.postRaw(forged, LATER)).status]).toEqual([404, 404])
  })
})
