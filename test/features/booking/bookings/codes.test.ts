// Confirmation codes: random, read as people write them, and compared whole.
import { expect, test } from 'bun:test'

import { systemIds } from '../../../../src/platform/clock/clock.ts'
import { book, openBookingFixture } from '../../../support/booking-fixture.ts'
import { opened } from '../../../support/fixture.ts'

const world = await opened(openBookingFixture())

test('a code has twelve characters, each one of 32', () => {
  const codes = Array.from({ length: 2_000 }, () => systemIds.confirmationCode())
  for (const code of codes) expect(code).toMatch(/^HTH-[0-9A-HJKMNP-TV-Z]{12}$/)
  for (let at = 4; at < 16; at++) expect(new Set(codes.map((code) => code[at])).size).toBe(32)
})

test('a booking is found by its code as people write it, and by nothing that only resembles it', async () => {
  const { booking } = await book(world, await world.pro())
  const code = 'HTH-0123CD45EF67'
  await world.sql`update bookings set confirmation_code = ${code} where id = ${booking.id}`
  const idOf = async (text: string) => {
    const response = await world.app.send(`/api/v1/bookings?code=${encodeURIComponent(text)}`)
    return ((await response.json()) as { booking?: { id: string } }).booking?.id
  }
  for (const written of [
    code,
    code.toLowerCase(),
    ` ${code} `,
    'HTH0123CD45EF67',
    'HTH-OI23CD45EF67',
    'hth-ol23cd45ef67',
  ])
    expect([written, await idOf(written)]).toEqual([written, booking.id])
  for (const other of [
    code.slice(0, -1),
    `${code}0`,
    code.slice(4),
    `X${code}`,
    `${code.slice(0, -1)}%`,
    'HTH-%',
    'HTH-',
  ])
    expect([other, await idOf(other)]).toEqual([other, undefined])
  expect(await idOf('HTH-0123CD45EF68')).toBeUndefined()
})
