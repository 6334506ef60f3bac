// Bookings in calendar programs: the file of a booking, and the secret feeds of a pro and of each member.
import { afterEach, expect, test } from 'bun:test'

import {
  DEPOSIT,
  type FixturePro,
  book,
  bookingBody,
  manualClock,
  openBookingFixture,
  pay,
} from '../../../support/booking-fixture.ts'
import { opened } from '../../../support/fixture.ts'
import { readCalendar, readEvent } from '../../../support/ics.ts'
import { Visitor, loggedInVisitor } from '../../../support/visitor.ts'

const world = await opened(openBookingFixture())
const start = manualClock().now().toISOString()
afterEach(() => world.clock.set(start))

const read = (path: string, headers: Record<string, string> = {}) => new Visitor(world.app).get(path, headers)

/** Makes an address in the console and returns its path. */
async function makeFeed(pro: FixturePro, memberId?: string): Promise<string> {
  const visitor = await loggedInVisitor(world.app, 'pro', { pro: pro.id })
  const done = await visitor.post('/console/settings/calendar', { action: 'renew', ...(memberId ? { memberId } : {}) })
  expect([done.status, done.location]).toEqual([303, '/console/settings'])
  const { text } = await visitor.get('/console/settings')
  const url = /value="([^"]+\/calendars\/[\w-]{43}\.ics)"/.exec(text)?.[1] ?? ''
  expect(text).toContain(`href="webcal:${url.replace(/^https?:/, '')}"`)
  return new URL(url).pathname
}

const eventOf = async (feed: string, id: string) =>
  readCalendar((await read(feed)).text).events.find(({ uid }) => uid.includes(id))

const move = (pro: FixturePro, id: string, hours: number) => {
  const { date, time } = bookingBody(pro, hours)
  return world.app.send(`/api/v1/bookings/${id}/reschedule`, { key: world.key, json: { date, time } })
}

test('the file of a booking follows a move and a cancellation under one UID', async () => {
  const pro = await world.pro({ deposit: false })
  const { booking } = await book(world, pro)
  const file = `/bookings/${booking.confirmationCode}.ics`
  const booked = await read(file)
  expect([booked.status, booked.headers.get('content-type'), booked.headers.get('content-disposition')]).toEqual([
    200,
    'text/calendar; charset=utf-8',
    'attachment; filename="booking.ics"',
  ])
  const steps = [readEvent(booked.text)]
  expect((await move(pro, booking.id, 3)).status).toBe(200)
  steps.push(readEvent((await read(file)).text))
  await world.app.send(`/api/v1/bookings/${booking.id}/cancel`, { key: world.key, json: {} })
  steps.push(readEvent((await read(file.toLowerCase())).text))
  expect(steps.map(({ start, status, method }) => [start, status, method])).toEqual([
    ['2026-11-23T15:00:00.000Z', 'CONFIRMED', null],
    ['2026-11-23T18:00:00.000Z', 'CONFIRMED', null],
    ['2026-11-23T18:00:00.000Z', 'CANCELLED', null],
  ])
  expect(new Set(steps.map(({ uid }) => uid)).size).toBe(1)
  const sequences = steps.map(({ sequence }) => sequence)
  expect(sequences).toEqual([...new Set(sequences)].toSorted((a, b) => a - b))
})

test('the file of a code shows what the page of the code shows: no address and no name', async () => {
  const pro = await world.pro({ deposit: false })
  const json = bookingBody(pro, 5, {
    address: { street: '9 Secret Lane', city: 'Austin' },
    description: 'The key is under the mat',
  })
  const booked = await world.app.send('/api/v1/bookings', { key: world.key, json })
  const { booking } = (await booked.json()) as { booking: { confirmationCode: string } }
  const page = await read(`/bookings/${booking.confirmationCode}`)
  expect(page.text).toContain(`href="/bookings/${booking.confirmationCode}.ics"`)
  const { text } = await read(`/bookings/${booking.confirmationCode}.ics`)
  for (const secret of ['Secret Lane', 'home@example.com', 'Homeowner', 'under the mat'])
    expect(text).not.toContain(secret)
  expect((await read('/bookings/HTH-000000000000.ics')).status).toBe(404)
})

test('a feed has the bookings of 90 days and all to come, and follows each', async () => {
  const pro = await world.pro()
  const feed = await makeFeed(pro)
  const { booking, payment } = await book(world, pro)
  expect(payment?.amount).toBe(DEPOSIT)
  const held = await eventOf(feed, booking.id)
  expect([held?.status, held?.summary]).toEqual(['TENTATIVE', 'Drain cleaning: Homeowner in Austin'])
  await pay(world, payment?.clientSecret ?? '')
  const confirmed = await eventOf(feed, booking.id)
  expect(confirmed?.status).toBe('CONFIRMED')
  await move(pro, booking.id, 26)
  const moved = await eventOf(feed, booking.id)
  expect(moved?.start).toBe('2026-11-24T17:00:00.000Z')
  await world.app.send(`/api/v1/bookings/${booking.id}/cancel`, { key: world.key, json: {} })
  const cancelled = await eventOf(feed, booking.id)
  expect(cancelled?.status).toBe('CANCELLED')
  const all = [held, confirmed, moved, cancelled]
  expect(new Set(all.map((event) => event?.uid)).size).toBe(1)
  const sequences = all.map((event) => event?.sequence ?? 0)
  expect(sequences).toEqual([...new Set(sequences)].toSorted((a, b) => a - b))

  world.clock.set('2027-02-20T00:00:00Z')
  expect(await eventOf(feed, booking.id)).toBeDefined()
  world.clock.set('2027-02-24T00:00:00Z')
  expect(await eventOf(feed, booking.id)).toBeUndefined()
})

test('a hold that ends is cancelled in the feed before and after the sweep, as one version', async () => {
  const pro = await world.pro()
  const feed = await makeFeed(pro)
  const { booking } = await book(world, pro)
  world.clock.advance(16)
  const before = await eventOf(feed, booking.id)
  await world.sql`select lapse_holds(${world.clock.now().toISOString()}, 10)`
  expect(await eventOf(feed, booking.id)).toEqual(before)
  expect(before?.status).toBe('CANCELLED')
})

test('a member’s feed has the visits of that member only, and ends when the member leaves', async () => {
  const pro = await world.pro({ deposit: false })
  const added = await world.app.send('/api/v1/pro/team', {
    key: pro.key,
    json: { name: 'Ana', email: 'ana@example.com' },
  })
  const { member } = (await added.json()) as { member: { id: string } }
  const feed = await makeFeed(pro, member.id)
  const [mine, other] = [await book(world, pro), await book(world, pro, 2)]
  const action = { action: 'assign', assignToMemberId: member.id }
  await world.app.send(`/api/v1/pro/bookings/${mine.booking.id}`, { key: pro.key, json: action })
  const { events, name } = readCalendar((await read(feed)).text)
  expect([name, events.length, events[0]?.uid.includes(mine.booking.id)]).toEqual(['Ana, Clear "Drains" & Co', 1, true])
  expect(other.booking.id).not.toBe(mine.booking.id)
  await world.app.send(`/api/v1/pro/team/${member.id}`, { key: pro.key, method: 'DELETE' })
  expect((await read(feed)).status).toBe(404)
})

test('an unchanged feed is answered with 304, also after time has passed', async () => {
  const pro = await world.pro({ deposit: false })
  const feed = await makeFeed(pro)
  await book(world, pro)
  const first = await read(feed)
  const etag = first.headers.get('etag') ?? ''
  expect([first.status, first.headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8'])
  world.clock.advance(60)
  expect((await read(feed, { 'if-none-match': etag })).status).toBe(304)
  await book(world, pro, 3)
  const changed = await read(feed, { 'if-none-match': etag })
  expect([changed.status, readCalendar(changed.text).events.length]).toEqual([200, 2])
})

test('a replaced or ended address stops working at once, and only hashes are stored', async () => {
  const pro = await world.pro({ deposit: false })
  const old = await makeFeed(pro)
  const renewed = await makeFeed(pro)
  expect([(await read(old)).status, (await read(renewed)).status]).toEqual([404, 200])
  const token = /\/([\w-]{43})\.ics$/.exec(renewed)?.[1] ?? ''
  const [row] = await world.sql<{ stored: string }[]>`
    select f::text as stored from calendar_feeds f where professional_id = ${pro.id}`
  expect(row?.stored).not.toContain(token)
  expect(row?.stored).not.toContain(Buffer.from(token).toString('hex'))
  const visitor = await loggedInVisitor(world.app, 'pro', { pro: pro.id })
  await visitor.post('/console/settings/calendar', { action: 'revoke' })
  expect((await read(renewed)).status).toBe(404)
  for (const forged of ['/calendars/x.ics', `/calendars/${'A'.repeat(43)}.ics`, `/calendars/${'A'.repeat(43)}`])
    expect((await read(forged)).status).toBe(404)
})
