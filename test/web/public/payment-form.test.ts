// The form of the sandbox: only one of its two buttons pays or fails.
import { expect, test } from 'bun:test'

import { book, openBookingFixture, rowsOf } from '../../support/booking-fixture.ts'
import { opened } from '../../support/fixture.ts'

const world = await opened(openBookingFixture())

test('a form without a choice, or with one that no button sends, changes nothing', async () => {
  const { booking, payment } = await book(world, await world.pro())
  const url = `${world.app.deps.config.baseUrl}/pay/${payment?.clientSecret}`
  const send = (body: string) =>
    world.app.app.handle(
      new Request(url, { method: 'POST', body, headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
    )
  for (const body of ['', 'outcome=', 'outcome=Succeeds', 'outcome=succeeds-late', 'other=succeeds'])
    expect([body, (await send(body)).status]).toEqual([body, 400])
  expect(await rowsOf(world, booking.id)).toMatchObject({ booking: 'pending', payment: 'requires_payment' })
  expect((await send('outcome=succeeds')).status).toBe(303)
  expect(await rowsOf(world, booking.id)).toMatchObject({ booking: 'confirmed', payment: 'succeeded' })
})
