// What one pro does never closes, locks or lends anything of another.
import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import { settlesWithin } from '../../../../src/platform/clock/deadlines.ts'
import { type FixturePro, STARTED_AT, bookingBody, openBookingFixture } from '../../../support/booking-fixture.ts'
import { opened } from '../../../support/fixture.ts'

const world = await opened(openBookingFixture({ MAX_UNPAID_BOOKINGS: '1', FEATURE_OFFER_PACKAGES: 'true' }))

const twoPros = async () =>
  [await world.pro({ deposit: false }), await world.pro({ deposit: false })] as [FixturePro, FixturePro]
const bookAt = (pro: FixturePro, hours: number, changes: object = {}) =>
  world.app.send('/api/v1/bookings', { key: world.key, json: bookingBody(pro, hours, changes) })

describe('of two pros', () => {
  test('the blocked time of one is open with the other', async () => {
    const [blocked, other] = await twoPros()
    await world.sql`
      insert into availability_blocks (id, professional_id, starts_at, ends_at, created_at)
      values (${randomUUID()}, ${blocked.id}, '2026-11-23T00:00:00Z', '2026-11-25T00:00:00Z', ${STARTED_AT})`
    expect((await bookAt(blocked, 0)).status).toBe(409)
    expect((await bookAt(other, 0)).status).toBe(201)
  })

  test('the unpaid bookings with one do not count with the other', async () => {
    const [first, second] = await twoPros()
    expect((await bookAt(first, 0)).status).toBe(201)
    expect((await bookAt(first, 2)).status).toBe(400)
    expect((await bookAt(second, 2)).status).toBe(201)
  })

  test('the lock on the schedule of one delays nothing of the other', async () => {
    const [locked, other] = await twoPros()
    const release = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const holding = world.sql.begin(async (tx) => {
      await tx`select lock_schedule(${locked.id})`
      held.resolve()
      await release.promise
    })
    await held.promise
    const waiting = bookAt(locked, 0)
    expect(await settlesWithin(bookAt(other, 0), 5000)).toBe(true)
    expect(await settlesWithin(waiting, 100)).toBe(false)
    release.resolve()
    await holding
    expect((await waiting).status).toBe(201)
  })

  test('the package of one cannot be booked with the other', async () => {
    const [owner, other] = await twoPros()
    const key = await world.app.key(['bookings:write', 'packages:book'], `${randomUUID()}@example.com`)
    const packageId = randomUUID()
    await world.sql`
      insert into professional_services (professional_id, service_id, price_type)
      values (${other.id}, ${owner.serviceId}, 'flat')`
    await world.sql`
      insert into packages (id, professional_id, service_id, sku, kind, name, price_cents, cadence, duration_minutes,
        created_at, updated_at)
      values (${packageId}, ${owner.id}, ${owner.serviceId}, 'ONE', 'bundle', 'One', 10000, 'once', 60, ${STARTED_AT},
        ${STARTED_AT})`
    const start = (pro: FixturePro) =>
      world.app.send('/api/v1/bookings/create', {
        key,
        json: {
          professionalId: pro.id,
          serviceId: owner.serviceId,
          startDateTime: '2026-11-24T16:00:00Z',
          guestName: 'Homeowner in Austin',
          guestEmail: 'packages@example.com',
          packageId,
        },
      })
    expect(await (await start(other)).json()).toMatchObject({ status: 404, code: 'package_not_found' })
    expect((await start(owner)).status).toBe(201)
  })
})
