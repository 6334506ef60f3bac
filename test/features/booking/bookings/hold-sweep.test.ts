// The sweep records holds from their end on, a batch at a time, and says who ended them.
import { expect, test } from 'bun:test'

import { lapseHolds } from '../../../../src/features/booking/bookings/verbs/holds.ts'
import { book, eventsOf, openBookingFixture, rowsOf } from '../../../support/booking-fixture.ts'
import { opened } from '../../../support/fixture.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const world = await opened(openBookingFixture())

test('holds are ended at their deadline, oldest first, and not before', async () => {
  const ids: string[] = []
  for (let n = 0; n < 3; n++) ids.push((await book(world, await world.pro())).booking.id)
  const [first = ''] = ids
  const deadline = world.clock.now().getTime() + 15 * 60_000
  world.clock.set(new Date(deadline - 1).toISOString())
  expect(await lapseHolds(ctxOf(world.app.deps))).toBe(0)
  expect(await rowsOf(world, first)).toMatchObject({ booking: 'pending', payment: 'requires_payment' })
  world.clock.set(new Date(deadline).toISOString())
  const swept = []
  for (const limit of [2, 2, 2]) swept.push(await lapseHolds(ctxOf(world.app.deps), { limit }))
  expect(swept).toEqual([2, 1, 0])
  expect(await rowsOf(world, first)).toMatchObject({
    booking: 'cancelled',
    reason: 'payment_expired',
    payment: 'expired',
  })
  expect(await eventsOf(world, first)).toEqual(['booking.created', 'booking.cancelled'])
  const [row] = await world.sql<{ by: string; at: string }[]>`
    select cancelled_by as by, cancelled_at as at from bookings where id = ${first}`
  expect([row?.by, new Date(row?.at ?? '').getTime()]).toEqual(['hearth', deadline])
})
