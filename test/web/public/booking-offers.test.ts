// What the booking page says about a service before it is booked.
import { expect, test } from 'bun:test'

import type { ProfessionalDetail } from '../../../src/features/search/pros/schemas.ts'
import { duration, priceOf } from '../../../src/platform/text/format.ts'
import { findBookableSlot, openTestApp } from '../../support/app.ts'
import { addDays } from '../../support/clock-oracle.ts'
import { SEEDED_AT } from '../../support/database.ts'
import { opened } from '../../support/fixture.ts'
import { visitorFromNewAddress } from '../../support/visitor.ts'

const app = await opened(openTestApp())
/** Takes a deposit of 20 % of 250.00 for every service. */
const pro = await findBookableSlot(app)
await app.sql`update professional_services set base_price_cents = 25000 where professional_id = ${pro.professionalId}`
await app.sql`
    update professionals set deposit_required = true, deposit_percentage = 20 where id = ${pro.professionalId}`

test('the page shows price, deposit and length, and says that a time in its address is not open', async () => {
  const visitor = visitorFromNewAddress(app)
  const { services } = (await (await app.send(`/api/v1/pros/${pro.slug}`)).json()) as ProfessionalDetail
  const service = services.find(({ booking }) => booking.instantBookEnabled)
  const day = addDays(SEEDED_AT.slice(0, 10), 20)
  const { text } = await visitor.get(`/pros/${pro.slug}/book?service=${service?.id}&date=${day}&time=03:10`)
  expect(text).toContain(`<strong>${service && priceOf(service.pricing)}</strong>`)
  expect(text).toContain(`<li>${duration(service?.booking.durationMinutes ?? 0)}</li>`)
  expect(text).toContain('<li>Deposit: $50</li>')
  expect(text).toMatch(/3:10 AM.* is not open for/)
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
  for (const [month, hasNext] of [
    [last.slice(0, 7), false],
    [addDays(last, -31).slice(0, 7), true],
  ] as const) {
    const { status, text } = await visitor.get(`${path}&month=${month}`)
    expect([month, status, text.includes('rel="next"')]).toEqual([month, 200, hasNext])
    const days = Array.from(text.matchAll(/date=([\d-]+)#when/g), ([, date = '']) => date)
    expect(days.filter((date) => date > last)).toEqual([])
    expect(days.length > 0 || !hasNext).toBe(true)
  }
  const { text } = await visitor.get(`${path}&date=${addDays(last, 1)}`)
  expect(text).toContain('That day is more than a year ahead.')
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
