// What the booking page says about a service before it is booked.
import { beforeAll, expect, test } from 'bun:test'

import type { ProfessionalDetail } from '../../../src/features/pros/schemas.ts'
import { duration, priceOf } from '../../../src/platform/text/format.ts'
import { type BookableSlot, findBookableSlot, openTestApp } from '../../support/app.ts'
import { addDays } from '../../support/clock-oracle.ts'
import { SEEDED_AT } from '../../support/database.ts'
import { useFixture } from '../../support/fixture.ts'
import { visitorFromNewAddress } from '../../support/visitor.ts'

const app = useFixture(() => openTestApp())
/** Takes a deposit of 20 % of 250.00 for every service. */
let pro: BookableSlot

beforeAll(async () => {
  pro = await findBookableSlot(app)
  await app.sql`update professional_services set base_price_cents = 25000 where professional_id = ${pro.professionalId}`
  await app.sql`
    update professionals set deposit_required = true, deposit_percentage = 20 where id = ${pro.professionalId}`
})

test('the page shows price, deposit and length, and says that a time in its address is not open', async () => {
  const visitor = visitorFromNewAddress(app)
  const { services } = (await (await app.send(`/api/v1/pros/${pro.slug}`)).json()) as ProfessionalDetail
  const service = services.find(({ booking }) => booking.instantBookEnabled)
  const day = addDays(SEEDED_AT.slice(0, 10), 20)
  const { text } = await visitor.get(`/pros/${pro.slug}/book?service=${service?.id}&date=${day}&time=03:10`)
  expect(text).toContain(`<li>${service && priceOf(service.pricing)}</li>`)
  expect(text).toContain(`<li>${duration(service?.booking.durationMinutes ?? 0)}</li>`)
  expect(text).toContain('<li>Deposit: $50.00</li>')
  expect(text).toMatch(/3:10 AM, .* is not open for/)
})

test('a service that cannot be booked says why and leads to its quote form', async () => {
  const visitor = visitorFromNewAddress(app)
  const { services } = (await (await app.send(`/api/v1/pros/${pro.slug}`)).json()) as ProfessionalDetail
  const service = services.at(-1)?.id ?? ''
  const setInstant = (isInstant: boolean) => app.sql`
    update professional_services set instant_book_enabled = ${isInstant}
    where professional_id = ${pro.professionalId} and service_id = ${service}`
  await setInstant(false)
  const { text } = await visitor.get(`/pros/${pro.slug}/book?service=${service}`)
  await setInstant(true)
  expect(text).toContain('This pro does not take instant bookings for this service.')
  expect(text).toContain(`href="/pros/${pro.slug}/quote?service=${service}"`)
  expect(text).not.toContain('Choose a time')
})

test('the last days that can be booked are shown, and none after them', async () => {
  const visitor = visitorFromNewAddress(app)
  const path = `/pros/${pro.slug}/book?service=${pro.serviceId}`
  const last = addDays(SEEDED_AT.slice(0, 10), 365)
  for (const [daysBefore, shown] of [
    [0, 1],
    [5, 6],
    [13, 14],
    [14, 14],
  ] as const) {
    const from = addDays(last, -daysBefore)
    const { status, text } = await visitor.get(`${path}&from=${from}&date=${from}`)
    expect([
      from,
      status,
      /<nav class="days".*?<\/nav>/s.exec(text)?.[0].match(/(Sun|Mon|Tue|Wed|Thu|Fri|Sat), /g)?.length,
    ]).toEqual([from, 200, shown])
    expect(text.includes('Later days')).toBe(daysBefore === 14)
  }
})

test('the next open time is within the days that can be booked', async () => {
  const { professionalId, serviceId } = pro
  const last = addDays(SEEDED_AT.slice(0, 10), 365)
  await app.sql`
    insert into availability_blocks (id, professional_id, starts_at, ends_at, created_at)
    values (gen_random_uuid(), ${professionalId}, '2027-05-25', '2027-06-04', ${SEEDED_AT})`
  const listed = await app.send(`/api/v1/pros/${professionalId}/availability?serviceId=${serviceId}&date=${last}`)
  expect(await listed.json()).toMatchObject({ nextAvailable: null })
})
