// Every state of a booking and its payment × every action: an allowed action emits one event, any other changes nothing.
import { describe, expect, test } from 'bun:test'

import { lapseHolds } from '../../../../src/features/booking/bookings/verbs/holds.ts'
import {
  BOOKING,
  BOOKING_EVENTS,
  type BookingAction,
  type BookingState,
} from '../../../../src/features/booking/bookings/states.ts'
import {
  type CreatedBooking,
  STARTED_AT,
  type FixturePro,
  book,
  eventsOf,
  openBookingFixture,
  pay,
} from '../../../support/booking-fixture.ts'
import { opened } from '../../../support/fixture.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const world = await opened(openBookingFixture())

/** A situation of a booking: its state and the other conditions of its actions. */
interface Situation {
  state: BookingState
  isHeld?: boolean
  hasBegun?: boolean
  requiresApproval?: boolean
  /** Brings a new booking into the situation. */
  reach?: (created: CreatedBooking, pro: FixturePro) => Promise<unknown>
}

/** A minute after the start: no_show is not allowed at the start itself. */
const begin = ({ booking }: CreatedBooking) => {
  world.clock.set(booking.scheduledAt)
  return Promise.resolve(world.clock.advance(1))
}
const afterBegin = (action: string) => async (created: CreatedBooking, pro: FixturePro) => {
  await begin(created)
  await world.app.send(`/api/v1/pro/bookings/${created.booking.id}`, { key: pro.key, json: { action } })
}
const lapse = () => Promise.resolve(world.clock.advance(15))
const cancel = ({ booking }: CreatedBooking) =>
  world.app.send(`/api/v1/bookings/${booking.id}/cancel`, { key: world.key, json: {} })

const SITUATIONS: Record<string, Situation> = {
  'waits for the pro': { state: 'pending', requiresApproval: true },
  'waits for its payment': { state: 'pending', isHeld: true },
  'waits for its payment, then for the pro': { state: 'pending', isHeld: true, requiresApproval: true },
  'is paid and waits for the pro': {
    state: 'pending',
    requiresApproval: true,
    reach: ({ payment }) => pay(world, payment?.clientSecret ?? ''),
  },
  'waits for the pro past its start': { state: 'pending', requiresApproval: true, hasBegun: true, reach: begin },
  'was not paid in time': { state: 'cancelled', reach: lapse },
  'was not paid in time and was swept': {
    state: 'cancelled',
    reach: async () => {
      await lapse()
      await lapseHolds(ctxOf(world.app.deps))
    },
  },
  'is confirmed': { state: 'confirmed' },
  'is paid and confirmed': { state: 'confirmed', reach: ({ payment }) => pay(world, payment?.clientSecret ?? '') },
  'is confirmed and has begun': { state: 'confirmed', hasBegun: true, reach: begin },
  'is completed': { state: 'completed', hasBegun: true, reach: afterBegin('complete') },
  'was a no-show': { state: 'no_show', hasBegun: true, reach: afterBegin('no_show') },
  'is cancelled': { state: 'cancelled', reach: cancel },
}
const WITH_DEPOSIT = /paid|payment/

/** Sends the request of an action. `pay` and `lapse` have no request; for `propose` and `agree` see proposed-times.test.ts. */
type RequestedAction = Exclude<BookingAction, 'pay' | 'prepay' | 'lapse' | 'propose' | 'agree'>
const send = (action: RequestedAction, { booking }: CreatedBooking, pro: FixturePro, memberId: string) => {
  const own = `/api/v1/bookings/${booking.id}`
  if (action === 'cancel') return world.app.send(`${own}/cancel`, { key: world.key, json: { reason: 'Moved away' } })
  if (action === 'reschedule')
    return world.app.send(`${own}/reschedule`, { key: world.key, json: { date: '2026-12-07', time: '11:30' } })
  const assignToMemberId = action === 'assign' ? memberId : undefined
  return world.app.send(`/api/v1/pro/bookings/${booking.id}`, {
    key: pro.key,
    json: { action, ...(assignToMemberId ? { assignToMemberId } : {}) },
  })
}

/** The time limits of the actions (design §7). */
function isTimely(action: RequestedAction, { state, isHeld, hasBegun }: Situation): boolean {
  if (action === 'confirm') return !isHeld
  if (action === 'complete' || action === 'no_show') return hasBegun === true
  if (action === 'cancel') return state !== 'confirmed' || hasBegun !== true
  if (action === 'reschedule') return hasBegun !== true
  return true
}

async function reachSituation(name: string, { requiresApproval = false, reach }: Situation) {
  world.clock.set(STARTED_AT)
  const pro = await world.pro({ deposit: WITH_DEPOSIT.test(name), requiresApproval })
  const created = await book(world, pro)
  await reach?.(created, pro)
  const response = await world.app.send('/api/v1/pro/team', {
    key: pro.key,
    json: { name: 'Crew 1', email: 'crew.1@example.com' },
  })
  const { member } = (await response.json()) as { member: { id: string } }
  return { pro, created, memberId: member.id }
}

const everythingAbout = async (bookingId: string) => ({
  booking: [...(await world.sql`select * from bookings where id = ${bookingId}`)],
  payment: [...(await world.sql`select * from payments where booking_id = ${bookingId}`)],
  events: await eventsOf(world, bookingId),
})
const statusOf = async (bookingId: string) => {
  const [row] = await world.sql<{ status: string }[]>`
    select (booking_as_of(b, ${world.clock.now().toISOString()})).status from bookings b where id = ${bookingId}`
  return row?.status
}

const REQUESTED_ACTIONS: RequestedAction[] = [
  'confirm',
  'reject',
  'complete',
  'no_show',
  'assign',
  'cancel',
  'reschedule',
]

describe.each(Object.entries(SITUATIONS))('a booking that %s', (name, situation) => {
  test.each(REQUESTED_ACTIONS)('follows the transition table on %s', async (action) => {
    const { pro, created, memberId } = await reachSituation(name, situation)
    const { id } = created.booking
    expect(await statusOf(id)).toBe(situation.state)
    const before = await everythingAbout(id)
    const next = BOOKING[situation.state][action]
    const response = await send(action, created, pro, memberId)
    const body = (await response.json()) as { code?: string; state?: string; booking?: { status: string } }
    if (next === undefined || !isTimely(action, situation)) {
      expect([response.status, body.code, body.state]).toEqual([409, 'invalid_transition', situation.state])
      expect(await everythingAbout(id)).toEqual(before)
      return
    }
    expect([response.status, body.booking?.status]).toEqual([200, next])
    expect(await statusOf(id)).toBe(next)
    // Assigning a booking emits no event.
    const emitted = action === 'assign' ? [] : [BOOKING_EVENTS[action]]
    expect(await eventsOf(world, id)).toEqual([...before.events, ...emitted])
  })

  test('is cancelled at the end of its hold if it has one, and otherwise keeps its state', async () => {
    const { created } = await reachSituation(name, situation)
    const before = await everythingAbout(created.booking.id)
    world.clock.advance(15)
    await lapseHolds(ctxOf(world.app.deps))
    const isExpiredUnwritten = name === 'was not paid in time'
    const changes = situation.isHeld || isExpiredUnwritten
    expect(await statusOf(created.booking.id)).toBe(situation.isHeld ? 'cancelled' : situation.state)
    expect(await eventsOf(world, created.booking.id)).toEqual([
      ...before.events,
      ...(changes ? ['booking.cancelled'] : []),
    ])
  })
})

describe.each(Object.entries(SITUATIONS).filter(([name]) => WITH_DEPOSIT.test(name)))(
  'a booking with a deposit that %s',
  (name, situation) => {
    test('is paid only during its hold', async () => {
      const { created } = await reachSituation(name, situation)
      if (!created.payment) throw new Error('The booking has no deposit.')
      const before = await everythingAbout(created.booking.id)
      expect((await pay(world, created.payment.clientSecret)).status).toBe(200)
      const after = await everythingAbout(created.booking.id)
      const isExpiredUnwritten = name === 'was not paid in time'
      const action = situation.requiresApproval ? 'prepay' : 'pay'
      const happened = situation.isHeld ? [BOOKING_EVENTS[action]] : isExpiredUnwritten ? ['booking.cancelled'] : []
      expect(await statusOf(created.booking.id)).toBe(
        situation.isHeld ? (BOOKING.pending[action] ?? '') : situation.state,
      )
      expect(after.events).toEqual([...before.events, ...happened])
    })
  },
)

test('a booking can be completed from its start on, and be a no-show only after it', async () => {
  const { pro, created } = await reachSituation('is confirmed', { state: 'confirmed' })
  const statusAfter = async (action: RequestedAction) => (await send(action, created, pro, '')).status
  world.clock.set(new Date(Date.parse(created.booking.scheduledAt) - 1).toISOString())
  expect(await statusAfter('complete')).toBe(409)
  world.clock.set(created.booking.scheduledAt)
  expect([await statusAfter('no_show'), await statusAfter('cancel'), await statusAfter('complete')]).toEqual([
    409, 409, 200,
  ])
})
