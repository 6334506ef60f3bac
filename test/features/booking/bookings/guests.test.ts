// The person whom a signed-in customer books for: told of the visit and of what becomes of it, without money and links that act.
import { expect, test } from 'bun:test'

import { eraseCustomer } from '../../../../src/features/customers/privacy/verbs/erase-customer.ts'
import { ctxOf } from '../../../../src/ctx.ts'
import { CUSTOMER_SERVER, callTool } from '../../../support/agents.ts'
import { VISIT, pay } from '../../../support/booking-fixture.ts'
import { customerToken } from '../../../support/connected-app.ts'
import { newAddress } from '../../../support/customers.ts'
import { opened } from '../../../support/fixture.ts'
import { openMessageFixture } from '../../../support/messages.ts'

const world = await opened(openMessageFixture())
const { app, smtp, sql } = world
const booker = newAddress()
const token = await customerToken(app, booker)
const pro = await world.pro({ deposit: false })
const paidPro = await world.pro({ deposit: true })
let days = 0

/** A visit on the next day, by the tool. */
const booked = async (notifyEmail: string | undefined, changes: { key?: string; by?: typeof pro } = {}) => {
  const { key = token, by = pro } = changes
  const date = new Date(Date.parse('2026-11-23T00:00:00Z') + days++ * 86_400_000).toISOString().slice(0, 10)
  return await callTool(app, CUSTOMER_SERVER, key, 'book_appointment', {
    professionalId: by.id,
    serviceId: by.serviceId,
    startDateTime: `${date}T16:00:00Z`,
    guestName: 'Grandmother',
    ...(key === token ? {} : { guestEmail: 'another@customers.test.example' }),
    ...(notifyEmail === undefined ? {} : { notifyEmail }),
    ...VISIT,
    idempotencyKey: crypto.randomUUID(),
  })
}
/** What the guest read last. */
const lastMail = (guest: string) => smtp.to(guest).at(-1)?.mail
const bookingOf = (result: { structured: Record<string, unknown> }) =>
  result.structured as unknown as { bookingId: string; manageUrl: string; clientSecret: string | null }

test('the guest hears of the visit, of a move and of the cancellation, and who booked', async () => {
  const guest = newAddress()
  const { bookingId, clientSecret } = bookingOf(await booked(guest))
  if (clientSecret) await pay(world, clientSecret)
  await world.settle()
  expect(lastMail(guest)?.subject).toStartWith('A visit for you: ')
  expect(lastMail(guest)?.text).toContain(`${booker} booked this visit for you`)
  const call = (name: string, args: object) => callTool(app, CUSTOMER_SERVER, token, name, { bookingId, ...args })
  const moved = await call('reschedule_booking', { startDateTime: '2027-01-11T16:00:00Z' })
  expect([moved.isError, moved.isError ? moved.texts[0] : '']).toEqual([false, ''])
  await world.settle()
  expect([lastMail(guest)?.subject, lastMail(guest)?.text]).toEqual([
    expect.stringMatching(/^Moved: /),
    expect.stringContaining('Before'),
  ])
  await call('cancel_booking', { acceptedCost: 1000 })
  await world.settle()
  expect(lastMail(guest)?.subject).toStartWith('Cancelled: ')
  expect(smtp.to(guest)).toHaveLength(3)
  for (const { mail } of smtp.to(guest)) {
    const links = [...`${mail.text} ${String(mail.html)}`.matchAll(/https?:\/\/[^\s"<>)]+/g)].map(([link]) => link)
    expect(
      links.filter(
        (link) => !/\/unsubscribe\/|\/pros\/[\w-]+$|\/(terms|privacy)$|^http:\/\/127\.0\.0\.1:\d+\/?$/.test(link),
      ),
    ).toEqual([])
    expect(mail.text).not.toMatch(/\$\d|HTH-|manage|cancel for free|Grandmother|1 Main Street/)
    expect(mail.headers.has('list')).toBe(true)
  }
})

test('a time that is held is no visit yet: the guest hears of it once it is paid', async () => {
  const guest = newAddress()
  const { clientSecret } = bookingOf(await booked(guest, { by: paidPro }))
  await world.settle()
  expect(smtp.to(guest)).toEqual([])
  await pay(world, clientSecret ?? '')
  await world.settle()
  expect(smtp.to(guest)).toHaveLength(1)
})

test('only a signed-in customer names a guest, at most five in a day, and their own address is none', async () => {
  const key = await app.key(['mcp:read', 'mcp:write'])
  const refused = await booked(newAddress(), { key })
  expect(refused.problem?.errors?.[0]).toMatchObject({
    path: 'notifyEmail',
    message: expect.stringContaining('signed in'),
  })
  await sql`delete from booking_guests`
  expect((await booked(booker)).isError).toBe(false)
  expect(await sql`select from booking_guests`).toHaveLength(0)
  for (let n = 0; n < 5; n++) expect((await booked(newAddress())).isError).toBe(false)
  const bookings = async () => (await sql<{ count: number }[]>`select count(*)::int as count from bookings`)[0]?.count
  const before = await bookings()
  const sixth = await booked(newAddress())
  expect(sixth.problem?.errors?.[0]?.message).toContain('names 5 guests in 24 hours')
  expect(await bookings()).toBe(before)
  expect((await booked(undefined)).isError).toBe(false)
})

test('erasing the guest leaves the booking, and erasing the customer leaves no guest', async () => {
  await sql`delete from booking_guests`
  const guest = newAddress()
  const { bookingId, clientSecret } = bookingOf(await booked(guest))
  if (clientSecret) await pay(world, clientSecret)
  await world.settle()
  const erase = (email: string) => eraseCustomer(ctxOf(app.deps), { email, requestedBy: 'test' })
  expect(await erase(guest)).toMatchObject({ outcome: 'erased', counts: { booking_guests: 1 } })
  expect(await sql`select from messages where recipient = ${guest}`).toHaveLength(0)
  expect(await sql`select from bookings where id = ${bookingId} and status = 'confirmed'`).toHaveLength(1)
})
