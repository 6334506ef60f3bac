// How a developer finds a delivery: by the event, by what it is about, by type, state and day.
import { expect, test } from 'bun:test'

import { ensureAccount } from '../../src/auth/accounts/verbs.ts'
import type { DeliveryFilter } from '../../src/webhooks/endpoints/schemas.ts'
import { listAccountDeliveries, sendTest } from '../../src/webhooks/endpoints/verbs/deliveries.ts'
import { createWebhook } from '../../src/webhooks/endpoints/verbs/endpoints.ts'
import { openTestApp } from '../support/app.ts'
import { deliverAboutBooking } from '../support/delivered-booking.ts'
import { opened } from '../support/fixture.ts'
import { ctxOf } from '../../src/ctx.ts'

const app = await opened(openTestApp('seeded'))

test('deliveries are found by event, code, id, type and day, and never those of another account', async () => {
  const { deps } = app
  const owner = await ensureAccount(ctxOf(deps), { email: 'finder@test.example' })
  const stranger = await ensureAccount(ctxOf(deps), { email: 'stranger@test.example' })
  const input = { name: 'Orders', url: 'https://shop.example/orders', events: ['booking.completed' as const] }
  const endpoint = await createWebhook(ctxOf(deps, { accountId: owner.id }), input)
  await sendTest(ctxOf(deps, { accountId: owner.id }), { id: endpoint.id })
  const code = await deliverAboutBooking(deps, endpoint.id)
  const [row] = await deps.write.run<{ bookingId: string }>(
    'bookingOf',
    (sql) => sql`select id as booking_id from bookings where confirmation_code = ${code}`,
  )
  const find = async (filter: DeliveryFilter, accountId = owner.id) => {
    const { deliveries, meta } = await listAccountDeliveries(ctxOf(deps, { accountId }), filter)
    expect(meta.total).toBe(deliveries.length)
    return deliveries
  }
  const [made] = await find({ type: 'booking.completed' })
  const eventId = made?.eventId ?? ''
  const uuid = eventId.replace(/^evt_(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  const bookingId = row?.bookingId ?? ''
  for (const about of [eventId, uuid, bookingId, bookingId.toUpperCase(), code, code.toLowerCase().replace('-', ' ')]) {
    expect([about, (await find({ about })).map((it) => it.eventId)]).toEqual([about, [eventId]])
    expect(await find({ about }, stranger.id)).toEqual([])
  }
  for (const about of ['HTH-000000000000', 'nothing', deps.ids.uuid(), 'evt_1'])
    expect(await find({ about })).toEqual([])
  expect(await find({ about: code, type: 'webhook.test' })).toEqual([])
  expect(await find({ about: code, state: 'failed' })).toEqual([])
  expect(await find({ about: code, state: 'delivered', endpointId: endpoint.id, day: '2026-05-20' })).toHaveLength(1)
  expect((await find({ day: '2026-05-20' })).map(({ type }) => type)).toEqual(['booking.completed'])
  expect(await find({ day: '2026-05-21' })).toEqual([])
  expect(await find({})).toHaveLength(2)
})
