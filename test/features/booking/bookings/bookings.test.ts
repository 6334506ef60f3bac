// Booking over HTTP: the whole flow, access, and one winner among concurrent requests.
import { describe, expect, test } from 'bun:test'

import { PRESETS } from '../../../../src/auth/scopes.ts'
import { findBookableSlot, openTestApp } from '../../../support/app.ts'
import { startServer } from '../../../support/server.ts'
import { opened } from '../../../support/fixture.ts'

const app = await opened(openTestApp())
const key = await app.key()
const slot = await findBookableSlot(app)

const customer = { name: 'Customer', email: 'customer@test.example' }
const bookingInput = (changes: object = {}) => ({
  professionalId: slot.professionalId,
  serviceId: slot.serviceId,
  date: slot.date,
  time: slot.time,
  customer,
  ...changes,
})
const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code

test('an available slot can be booked, found by code and by id, and is no longer listed', async () => {
  const created = await app.send('/api/v1/bookings', { key, json: bookingInput() })
  expect(created.status).toBe(201)
  const { booking, success } = (await created.json()) as {
    success: boolean
    booking: { id: string; confirmationCode: string; status: string }
  }
  expect(success).toBe(true)
  expect(booking.status).toBe('confirmed')
  expect(booking.confirmationCode).toMatch(/^HTH-[0-9A-HJKMNP-TV-Z]{12}$/)
  expect(created.headers.get('location')).toBe(`/api/v1/bookings/${booking.id}`)

  const byCode = await app.send(`/api/v1/bookings?code=${booking.confirmationCode}`)
  const byId = await app.send(`/api/v1/bookings/${booking.id}`, { key })
  expect([byCode.status, byId.status]).toEqual([200, 200])
  const byCodeBody = (await byCode.json()) as { booking: object }
  expect(byCodeBody.booking).toMatchObject({
    id: booking.id,
    scheduledDate: slot.date,
    scheduledTime: slot.time,
    customer,
  })
  expect(await byId.json()).toEqual(byCodeBody)

  const repeated = await app.send('/api/v1/bookings', { key, json: bookingInput() })
  expect(repeated.status).toBe(409)
  expect(await repeated.json()).toMatchObject({
    code: 'slot_unavailable',
    nextAvailable: { date: expect.any(String) as string },
  })
  const open = await app.send(`/api/v1/pros/${slot.slug}/availability?date=${slot.date}`)
  const { availability } = (await open.json()) as { availability: { slots: { start: string; available: boolean }[] }[] }
  expect(availability[0]?.slots.find(({ start }) => start === slot.time)?.available).toBe(false)
})

test('a booking writes its two events to the outbox in order', async () => {
  const rows = await app.deps.read.run<{ type: string; sequence: number }>(
    'outboxEvents',
    (sql) => sql`
      select e.type, e.sequence from outbox_events e join bookings b on b.id = e.aggregate_id
      where b.professional_id = ${slot.professionalId} and b.account_id is not null order by e.aggregate_id, e.sequence`,
  )
  expect([...rows]).toEqual([
    { type: 'booking.created', sequence: 1 },
    { type: 'booking.confirmed', sequence: 2 },
  ])
})

describe('access', () => {
  test('is a 401 without a key, or with a malformed, mistyped or revoked key', async () => {
    const revoked = await app.key()
    await app.deps.write.run(
      'revoke',
      (sql) => sql`update api_keys set revoked_at = now() where last_four = ${revoked.slice(-4)}`,
    )
    for (const wrong of [undefined, 'garbage', `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`, revoked]) {
      const response = await app.send('/api/v1/bookings', { json: bookingInput(), ...(wrong ? { key: wrong } : {}) })
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toStartWith('Bearer')
    }
  })

  test('is a 403 for a key without the scope, and the error names the scope', async () => {
    const response = await app.send('/api/v1/bookings', { key: await app.key(['pros:read']), json: bookingInput() })
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({
      code: 'insufficient_scope',
      detail: expect.stringContaining('bookings:write') as string,
    })
  })

  test('is checked before the body, and public routes refuse an invalid key', async () => {
    const anonymous = await app.send('/api/v1/bookings', {
      method: 'POST',
      body: '{',
      headers: { 'content-type': 'text/plain' },
    })
    expect(anonymous.status).toBe(401)
    expect((await app.send('/api/v1/pros', { key: 'hearth_live_nonsense' })).status).toBe(401)
  })

  test('to an existing booking is limited to its account and its pro; others get a 404', async () => {
    const [booking] = await app.deps.read.run<{ id: string; email: string }>(
      'anyBooking',
      (sql) => sql`
        select b.id, a.email from bookings b join professionals p on p.id = b.professional_id
        join accounts a on a.id = p.account_id where b.account_id is not null limit 1`,
    )
    if (!booking) throw new Error('The first test of this file books one.')
    const stranger = await app.key(PRESETS['full-server'], 'stranger@test.example')
    expect((await app.send(`/api/v1/bookings/${booking.id}`, { key: stranger })).status).toBe(404)
    const pro = await app.key(['pro:read'], booking.email)
    expect((await app.send(`/api/v1/bookings/${booking.id}`, { key: pro })).status).toBe(200)
  })
})

describe('booking fails with', () => {
  test('404 for an unknown pro and for a service that the pro does not offer', async () => {
    const unknownPro = await app.send('/api/v1/bookings', {
      key,
      json: bookingInput({ professionalId: slot.serviceId }),
    })
    expect([unknownPro.status, await codeOf(unknownPro)]).toEqual([404, 'professional_not_found'])
    const unknownService = await app.send('/api/v1/bookings', {
      key,
      json: bookingInput({ serviceId: slot.professionalId }),
    })
    expect([unknownService.status, await codeOf(unknownService)]).toEqual([404, 'service_not_found'])
  })

  test('400 if instant booking is off', async () => {
    const [off] = await app.deps.read.run<{ professionalId: string; serviceId: string }>(
      'proWithoutInstantBooking',
      (sql) => sql`
        select p.id as professional_id, o.service_id from professionals p
        join professional_services o on o.professional_id = p.id where not p.instant_booking_enabled limit 1`,
    )
    const response = await app.send('/api/v1/bookings', { key, json: bookingInput(off) })
    expect([response.status, await codeOf(response)]).toEqual([400, 'instant_booking_disabled'])
  })
})

test('of 200 requests for one slot to two servers exactly one succeeds, without 5xx or deadlock, 50 times', async () => {
  const servers = await Promise.all([
    startServer({ databaseUrl: app.databaseUrl }),
    startServer({ databaseUrl: app.databaseUrl }),
  ])
  const sql = app.sql
  try {
    for (let round = 0; round < 50; round++) {
      const open = await fetch(`${servers[0].url}/api/v1/pros/${slot.slug}/availability`)
      const { nextAvailable } = (await open.json()) as { nextAvailable: { date: string; time: string } }
      const { date, time } = nextAvailable
      const body = JSON.stringify(bookingInput({ date, time }))
      const statuses = await Promise.all(
        Array.from({ length: 200 }, async (_, n) => {
          const response = await fetch(`${servers[n % 2]?.url}/api/v1/bookings`, {
            method: 'POST',
            headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
            body,
          })
          await response.arrayBuffer()
          return response.status
        }),
      )
      const counts = Object.fromEntries(
        Map.groupBy(statuses, String)
          .entries()
          .map(([status, all]) => [status, all.length]),
      )
      expect({ date, time, counts }).toEqual({ date, time, counts: { '201': 1, '409': 199 } })
    }
    const [stats] = await sql<{ deadlocks: number }[]>`
      select deadlocks from pg_stat_database where datname = current_database()`
    expect(stats?.deadlocks).toBe(0)
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}, 120_000)
