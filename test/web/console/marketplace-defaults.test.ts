// Operators choose the defaults of the marketplace, every surface follows, and what was agreed stays as it was.
import { expect, test } from 'bun:test'

import { createApp } from '../../../src/app.ts'
import { PRESETS } from '../../../src/auth/scopes.ts'
import { openDeps } from '../../../src/deps.ts'
import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { CUSTOMER_SERVER, rpc } from '../../support/agents.ts'
import { openBookingFixture } from '../../support/booking-fixture.ts'
import { opened } from '../../support/fixture.ts'
import type { TestPro } from '../../support/schedule.ts'
import { loggedInVisitor } from '../../support/visitor.ts'

const PATH = '/console/marketplace/defaults'
const world = await opened(openBookingFixture())
const { app, key } = world
const { deps } = app
const operator = await loggedInVisitor(app, 'operator')
const pro = await world.pro()
/** Another process on the same database. */
const other = createApp(await opened(openDeps(deps.config)))
const textAtOther = async (path: string) => await (await other.handle(new Request(deps.config.baseUrl + path))).text()

const fields = (version: number, changes: Record<string, string> = {}) => ({
  radius: '40',
  fee: '7',
  minDepositPercentage: '10',
  maxDepositPercentage: '50',
  freeCancellationHours: '48',
  holdMinutes: '20',
  prosMayJoin: 'on',
  reviewPolicy: 'read_first',
  version: String(version),
  ...changes,
})

interface Started {
  booking: { id: string; confirmationCode: string; fee: number; deposit: number; freeCancellationHours: number }
  payment: { amount: number; expiresAt: string }
}
async function start({ id, serviceId }: TestPro, startDateTime: string, bookingKey = key): Promise<Started> {
  const json = { professionalId: id, serviceId, startDateTime, guestName: 'Customer', guestEmail: 'home@example.com' }
  const response = await app.send('/api/v1/bookings/create', { key: bookingKey, json: { ...json, zipCode: '78701' } })
  expect(response.status).toBe(201)
  return (await response.json()) as Started
}
const lookUp = async (code: string) => {
  const found = await app.send(`/api/v1/bookings?code=${code}`)
  const { booking } = (await found.json()) as {
    booking: { payment: { fee: number; amount: number }; freeCancellationHours: number; holdExpiresAt: string }
  }
  const { payment, freeCancellationHours, holdExpiresAt } = booking
  return { fee: payment.fee, amount: payment.amount, freeCancellationHours, holdExpiresAt }
}
const terms = async () => {
  const listed = await app.send(`/api/v1/pros/${pro.id}/availability?serviceId=${pro.serviceId}&date=2026-11-24`)
  return ((await listed.json()) as { service: { fee: number; cancellation: string } }).service
}
const toolsSay = async (secret: string) => {
  const call = { name: 'get_pro', arguments: { professionalId: pro.id } }
  return JSON.stringify((await rpc(app, CUSTOMER_SERVER, secret, 'tools/call', call)).reply)
}
const agentKey = await app.key([...PRESETS['agent-tools']])

test('until an operator chooses, the defaults are those that there always were', async () => {
  const { text } = await operator.get(PATH)
  for (const shown of ['name="radius"', 'value="25"', 'value="5.00"', 'value="24"', 'value="15"'])
    expect(text).toContain(shown)
  expect(text).not.toContain('disabled')
  expect(await terms()).toMatchObject({ fee: 5, cancellation: expect.stringContaining('24 hours before') as string })
  expect(await textAtOther('/terms')).toContain('24 hours before the start')
  expect(await textAtOther('/for-pros')).toContain('Pros join by invitation')
})

test('each surface of each process says what an operator chose, and a booking keeps what it was made with', async () => {
  const before = await start(pro, '2026-11-23T15:00:00Z')
  const agreed = await lookUp(before.booking.confirmationCode)
  expect(agreed).toMatchObject({ fee: 5, freeCancellationHours: 24, holdExpiresAt: '2026-11-20T00:15:00.000Z' })

  expect(await operator.post(PATH, fields(0))).toMatchObject({ status: 303, location: PATH })
  expect(await waitUntil(async () => (await textAtOther('/terms')).includes('48 hours before the start'), 10_000)).toBe(
    true,
  )
  expect(await textAtOther('/terms')).toContain('the time is held for 20 minutes')
  expect(await textAtOther('/for-pros')).toContain('Write to the people who run this site')
  expect(await textAtOther('/?lat=30.27&lng=-97.74')).toContain('<option value selected>40 miles')
  expect(await terms()).toMatchObject({ fee: 7, cancellation: expect.stringContaining('48 hours before') as string })
  const said = await toolsSay(agentKey)
  expect(said).toContain('Free until 48 hours before the start')
  expect(said).toMatch(/bookingFee\\?":7/)

  const after = await start(pro, '2026-11-23T17:00:00Z')
  expect(after.booking).toMatchObject({ fee: 7, freeCancellationHours: 48 })
  expect(after.payment).toMatchObject({ amount: 7 + after.booking.deposit, expiresAt: '2026-11-20T00:20:00.000Z' })
  expect(await lookUp(before.booking.confirmationCode)).toEqual(agreed)
})

test('the page says who changed what', async () => {
  const { text } = await operator.get(PATH)
  for (const change of [
    'Booking fee: $5.00 → $7.00',
    'Free cancellation: 24 hours → 48 hours',
    'Search: 25 miles → 40 miles',
  ])
    expect(text).toContain(change)
})

test('pros ask for deposits within the limits, and keep what they asked for before', async () => {
  await world.sql`update professionals set deposit_percentage = 80 where id = ${pro.id}`
  const owner = await app.key(['pro:read', 'pro:write'], `${pro.id}@example.com`)
  const change = (json: object) => app.send('/api/v1/pro/availability', { method: 'PATCH', key: owner, json })
  expect((await change({ bookingLeadTimeHours: 1, depositRequired: true, depositPercentage: 80 })).status).toBe(200)
  expect((await operator.get(PATH)).text).toContain('1 pro asks for a deposit outside these limits')
  const refused = await change({ depositPercentage: 60 })
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('from 10% to 50%')])
  expect((await change({ depositPercentage: 50 })).status).toBe(200)
  const person = await loggedInVisitor(app, 'pro', { pro: pro.id })
  expect((await person.get('/console/settings')).text).toContain('From 10 to 50. Customers pay it')
  const asked = await app.send('/api/v1/rfqs', {
    key: await app.key(['rfqs:write']),
    json: {
      professionalId: pro.id,
      serviceId: pro.serviceId,
      description: 'A leak under the sink.',
      customer: { name: 'Customer', email: 'home@example.com' },
    },
  })
  const { rfq } = (await asked.json()) as { rfq: { id: string } }
  expect((await person.get(`/console/leads/${rfq.id}`)).text).toContain('id="depositPercentage-hint">From 10 to 50.')
})

test.each<[Record<string, string>, string]>([
  [{ fee: '0.49' }, 'fee'],
  [{ fee: '' }, 'fee'],
  [{ fee: '1000.01' }, 'fee'],
  [{ radius: '501' }, 'radius'],
  [{ holdMinutes: '4' }, 'holdMinutes'],
  [{ freeCancellationHours: '169' }, 'freeCancellationHours'],
  [{ minDepositPercentage: '60' }, 'maxDepositPercentage'],
])('%o is refused at its field, and nothing changes', async (changes, field) => {
  const refused = await operator.post(PATH, fields(1, changes))
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(`href="#${field}"`)])
  const rows = await world.sql`select version from marketplace_versions`
  expect([...rows] as unknown).toEqual([{ version: 1 }])
})

test('a variable of the environment wins, and the page names it and does not change it', async () => {
  const set = await opened(openBookingFixture({ INSTANT_BOOKING_FEE_CENTS: '900', BOOKING_HOLD_SECONDS: '90' }))
  const visitor = await loggedInVisitor(set.app, 'operator')
  const { text } = await visitor.get(PATH)
  expect(text).toContain('Set by <code>INSTANT_BOOKING_FEE_CENTS</code>; change it there.')
  expect(text).toMatch(/<input[^>]*name="fee"[^>]*value="9.00"[^>]*disabled|<input[^>]*disabled[^>]*name="fee"/)
  const { fee: _, holdMinutes: __, ...sent } = fields(0)
  for (const form of [sent, fields(1)]) expect((await visitor.post(PATH, form)).status).toBe(303)
  const [row] = await set.sql`select fee_cents, hold_minutes, free_cancellation_hours from marketplace_versions
    order by version desc limit 1`
  expect(row as unknown).toEqual({ feeCents: 500, holdMinutes: 15, freeCancellationHours: 48 })
  expect((await visitor.get('/terms')).text).toContain('the time is held for 2 minutes')
  const chosen = await set.pro({ deposit: false })
  const json = { professionalId: chosen.id, serviceId: chosen.serviceId, startDateTime: '2026-11-23T15:00:00Z' }
  const made = await set.app.send('/api/v1/bookings/create', {
    key: set.key,
    json: { ...json, guestName: 'Customer', guestEmail: 'home@example.com' },
  })
  expect(await made.json()).toMatchObject({
    booking: { fee: 9, freeCancellationHours: 48 },
    payment: { amount: 9, expiresAt: '2026-11-20T00:01:30.000Z' },
  })
})

test('while the fee changes, what is due is what the booking says, and what is charged', async () => {
  const busy = await world.pro({ deposit: false })
  const starts = Array.from({ length: 8 }, (_, hour) => `2026-11-${23 + (hour >> 2)}T${15 + (hour % 4)}:00:00Z`)
  const [made] = await Promise.all([
    Promise.all(starts.map((at) => start(busy, at))),
    operator.post(PATH, fields(1, { fee: '9' })),
  ])
  for (const { booking, payment } of made) {
    expect([7, 9]).toContain(booking.fee)
    expect(payment.amount).toBe(booking.fee)
    expect(await lookUp(booking.confirmationCode)).toMatchObject({ fee: booking.fee, amount: booking.fee })
  }
})
