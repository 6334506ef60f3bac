// A pro sees and changes the time zone; hours move with it, bookings do not.
import { expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import { book, openBookingFixture } from '../../../support/booking-fixture.ts'
import { opened } from '../../../support/fixture.ts'

const at = await opened(openBookingFixture())
const PATH = '/api/v1/pro/availability'

const change = (key: string, timezone: string) => at.app.send(PATH, { method: 'PATCH', key, json: { timezone } })

const eventCount = async (proId: string) => {
  const [row] = await at.sql<{ count: number }[]>`
    select count(*)::int as count from outbox_events
    where aggregate_id = ${proId} and type = 'availability.updated'
      and data #>> '{object,settings,timezone}' is not null`
  return row?.count
}

test('a new time zone moves the hours, keeps the instants of bookings, and is told once', async () => {
  const pro = await at.pro({ deposit: false })
  await at.sql`
    update professionals set business_hours = jsonb_build_object('monday', '[{"start":"09:00","end":"17:00"}]'::jsonb)
    where id = ${pro.id}`
  const { booking } = await book(at, pro, 2)
  const changed = await change(pro.key, 'America/Denver')
  expect(changed.status).toBe(200)
  expect(await changed.json()).toMatchObject({ settings: { timezone: 'America/Denver' } })
  expect(await eventCount(pro.id)).toBe(1)
  expect((await change(pro.key, 'America/Denver')).status).toBe(200)
  expect(await eventCount(pro.id)).toBe(1)

  const open = (await (
    await at.app.send(`/api/v1/pros/${pro.id}/availability?serviceId=${pro.serviceId}&date=2026-11-23`)
  ).json()) as object
  expect(open).toMatchObject({
    timezone: 'America/Denver',
    availability: [
      {
        slots: [
          { start: '09:00', startDateTime: '2026-11-23T16:00:00.000Z', available: true },
          // The booking, which was at eleven in Chicago.
          { start: '10:00', startDateTime: '2026-11-23T17:00:00.000Z', available: false },
          ...Array.from({ length: 6 }, () => ({ available: true })),
        ],
      },
    ],
  })
  const shown = (await (await at.app.send(`/api/v1/bookings/${booking.id}`, { key: at.key })).json()) as object
  expect(shown).toMatchObject({ booking: { scheduledDate: '2026-11-23', scheduledTime: '10:00' } })
})

test.each(['Mars/Olympus_Mons', 'america/denver', 'localtime', 'UTC+3'])(
  '%p is refused as a time zone',
  async (timezone) => {
    const pro = await at.pro({ deposit: false })
    const refused = await change(pro.key, timezone)
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({
      code: 'validation_failed',
      errors: [{ path: 'body.timezone', message: 'must be an IANA time zone, such as America/Chicago' }],
    })
  },
)

test('imported calendars are due at once in the new time zone', async () => {
  const pro = await at.pro({ deposit: false })
  await at.sql`
    insert into imported_calendars (id, professional_id, name, address_encrypted, address_digest, host, created_at, next_read_at)
    values (${randomUUID()}, ${pro.id}, 'Work', 'x', ${randomUUID()}, 'calendar.test.example', '2026-01-01', '2026-12-01')`
  await change(pro.key, 'America/Phoenix')
  const [calendar] = await at.sql<{ isDue: boolean }[]>`
    select next_read_at <= ${at.clock.now().toISOString()} as "isDue" from imported_calendars where professional_id = ${pro.id}`
  expect(calendar?.isDue).toBe(true)
})
