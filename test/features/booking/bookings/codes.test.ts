// Confirmation codes: random, read as people write them, and compared whole.
import { expect, test } from 'bun:test'

import { systemIds } from '../../../../src/platform/clock/clock.ts'
import { PRESETS } from '../../../../src/auth/scopes.ts'
import { CUSTOMER_SERVER, callTool } from '../../../support/agents.ts'
import { VISIT_ADDRESS, bookingBody, book, openBookingFixture, pay } from '../../../support/booking-fixture.ts'
import { customerToken } from '../../../support/connected-app.ts'
import { newAddress } from '../../../support/customers.ts'
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

test('a code shows the booking with its price and payment, and the address only to who made it and to its signed-in customer', async () => {
  const { app, key } = world
  const pro = await world.pro()
  const email = newAddress()
  const details = {
    address: VISIT_ADDRESS,
    description: 'The gate is on the left.',
    customer: { name: 'Homeowner', email },
  }
  const made = await app.send('/api/v1/bookings', { key, json: bookingBody(pro, 2, details) })
  const { booking, manageUrl, payment } = (await made.json()) as {
    booking: { confirmationCode: string }
    manageUrl: string
    payment: { clientSecret: string }
  }
  await pay(world, payment.clientSecret)
  const code = booking.confirmationCode
  const signedIn = await customerToken(app, email)
  // The token of a connected app is for the agent server only.
  const apps = [signedIn, await customerToken(app, newAddress())]
  const byCode = async (as?: string) => {
    if (as !== undefined && apps.includes(as)) {
      const { structured } = await callTool(app, CUSTOMER_SERVER, as, 'get_booking', { confirmationCode: code })
      return structured['booking'] as Record<string, unknown>
    }
    const answer = await app.send(`/api/v1/bookings?code=${code}`, as === undefined ? {} : { key: as })
    return ((await answer.json()) as { booking: Record<string, unknown> }).booking
  }
  const readers: [who: string, as: string | undefined, seesAddress: boolean][] = [
    ['unknown', undefined, false],
    ['the key that booked', key, true],
    ['another key of its account', await app.key(['bookings:write']), true],
    ['a key of another account', await app.key(['bookings:write'], newAddress()), false],
    ['the pro', pro.key, false],
    ['the signed-in customer', signedIn, true],
    ['another signed-in customer', apps[1], false],
  ]
  for (const [who, as, seesAddress] of readers) {
    const shown = await byCode(as)
    expect({ who, ...shown }).toMatchObject({
      who,
      confirmationCode: code,
      status: 'confirmed',
      description: 'The gate is on the left.',
      price: { type: 'flat', base: 250, total: 250 },
      payment: { status: 'succeeded', amount: 50, refund: null },
      balance: { paid: 50, refundable: 50, dueAtVisit: 200 },
      address: seesAddress ? VISIT_ADDRESS : null,
    })
    expect([who, shown['scheduledDate'], shown['customer']]).toEqual([who, '2026-11-23', { name: 'Homeowner', email }])
  }
  const agent = await app.key(PRESETS['agent-tools'], newAddress())
  const { structured } = await callTool(app, CUSTOMER_SERVER, agent, 'get_booking', { confirmationCode: code })
  expect(structured['booking']).toMatchObject({ address: null, description: 'The gate is on the left.' })

  const page = async (url: string) => (await app.app.handle(new Request(url))).text()
  const { baseUrl } = app.deps.config
  for (const path of [`/bookings/${code}`, `/bookings/${code}.ics`])
    expect([path, (await page(baseUrl + path)).includes(VISIT_ADDRESS.street)]).toEqual([path, false])
  expect(await page(manageUrl)).toContain(VISIT_ADDRESS.street)
})
