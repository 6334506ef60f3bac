// The database allows exactly the state changes of the transition tables.
import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import { BOOKING, type BookingState } from '../../../../src/features/booking/bookings/states.ts'
import { PAYMENT, type PaymentState, REFUND } from '../../../../src/payments/states.ts'
import type { Transitions } from '../../../../src/transition.ts'
import { STARTED_AT, book, openBookingFixture, pay } from '../../../support/booking-fixture.ts'
import { opened } from '../../../support/fixture.ts'

const world = await opened(openBookingFixture())

const pairsOf = <State extends string>(table: Transitions<State, string>) =>
  new Set(
    Object.entries(table as Record<string, Record<string, string>>).flatMap(([from, actions]) =>
      Object.values(actions)
        .filter((to) => to !== from)
        .map((to) => `${from} → ${to}`),
    ),
  )
const knownPairs = async (aggregate: string) => {
  const rows = await world.sql<{ pair: string }[]>`
    select from_state || ' → ' || to_state as pair from state_transitions
    where aggregate = ${aggregate} and from_state <> ''`
  return new Set(rows.map(({ pair }) => pair))
}
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: Error & { constraint_name?: string }) => error.constraint_name ?? error.message,
  )

describe('the database', () => {
  test('has exactly the transitions of the tables', async () => {
    expect(await knownPairs('booking')).toEqual(pairsOf(BOOKING))
    expect(await knownPairs('payment')).toEqual(pairsOf(PAYMENT))
    expect(await knownPairs('refund')).toEqual(pairsOf(REFUND))
  })

  test('refuses every other change of a booking’s state, whatever else is set', async () => {
    world.clock.set(STARTED_AT)
    const pro = await world.pro({ deposit: false })
    const allowed = pairsOf(BOOKING)
    const states = Object.keys(BOOKING) as BookingState[]
    for (const from of states)
      for (const to of states) {
        const { booking } = await book(world, pro)
        await putInState(booking.id, from)
        const expected = from === to || allowed.has(`${from} → ${to}`) ? 'done' : 'booking_transition'
        expect(`${from} → ${to}: ${await refusal(setState(booking.id, to))}`).toBe(`${from} → ${to}: ${expected}`)
        await world.sql`delete from bookings where id = ${booking.id}`
      }
    expect(states).toHaveLength(5)
  })

  test('refuses every other change of a payment’s state', async () => {
    const pro = await world.pro()
    const allowed = pairsOf(PAYMENT)
    const states = Object.keys(PAYMENT) as PaymentState[]
    const { booking } = await book(world, pro)
    for (const from of states)
      for (const to of states) {
        await world.sql.begin(async (tx) => {
          await tx`set local session_replication_role = replica`
          await tx`update payments set ${tx(paymentIn(from))} where booking_id = ${booking.id}`
        })
        const moved = world.sql`update payments set ${world.sql(paymentIn(to))} where booking_id = ${booking.id}`
        const expected = from === to || allowed.has(`${from} → ${to}`) ? 'done' : 'payment_transition'
        expect(`${from} → ${to}: ${await refusal(moved)}`).toBe(`${from} → ${to}: ${expected}`)
      }
  })

  test('allows inserts in initial states only', async () => {
    const { booking } = await book(world, await world.pro({ deposit: false }), 3)
    for (const status of ['completed', 'no_show', 'cancelled'] as const) {
      const copy = world.sql.begin(async (tx) => {
        await tx`create temp table copied on commit drop as select * from bookings where id = ${booking.id}`
        await tx`update copied set id = ${randomUUID()}, confirmation_code = 'HTH-000000000000', ${tx(bookingIn(status))}`
        await tx`insert into bookings select * from copied`
      })
      expect(await refusal(copy)).toBe('booking_transition')
    }
  })

  test('refuses a hold on a confirmed booking, a succeeded payment of another amount, and another pro’s member', async () => {
    const pro = await world.pro()
    const { booking, payment } = await book(world, pro, 4)
    await pay(world, payment?.clientSecret ?? '')
    const { sql } = world
    expect(
      await refusal(sql`
      update bookings set hold_expires_at = starts_at, lapse_event_id = id where id = ${booking.id}`),
    ).toBe('bookings_hold')
    expect(
      await refusal(sql`
      update payments set captured_cents = 1 where booking_id = ${booking.id}`),
    ).toBe('payments_captured')
    const other = await world.pro()
    const [member] = await sql<{ id: string }[]>`
      insert into members (id, professional_id, name, email, role, created_at)
      values (${randomUUID()}, ${other.id}, 'Crew 1', 'crew.1@example.com', 'crew', ${STARTED_AT}) returning id`
    expect(
      await refusal(sql`
      update bookings set assigned_member_id = ${member?.id ?? ''} where id = ${booking.id}`),
    ).toBe('bookings_assigned_member')
  })
})

/** The columns that a state requires. */
const bookingIn = (status: BookingState) => ({
  status,
  confirmed_at: status === 'pending' || status === 'cancelled' ? null : STARTED_AT,
  cancelled_at: status === 'cancelled' ? STARTED_AT : null,
  completed_at: status === 'completed' ? STARTED_AT : null,
})
const setState = (id: string, status: BookingState) =>
  world.sql`update bookings set ${world.sql(bookingIn(status))} where id = ${id}`
const putInState = (id: string, status: BookingState) =>
  world.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`update bookings set ${tx(bookingIn(status))} where id = ${id}`
  })
const paymentIn = (status: PaymentState) => {
  const isCaptured = status === 'succeeded' || status === 'refunding' || status === 'refunded'
  return {
    status,
    captured_cents: isCaptured ? 5000 : null,
    captured_currency: isCaptured ? 'USD' : null,
    captured_at: isCaptured ? STARTED_AT : null,
  }
}
