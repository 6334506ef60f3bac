// A retired service keeps its bookings and takes no new ones; offered again, it is as before.
import { expect, test } from 'bun:test'

import { ctxOf } from '../../../../src/ctx.ts'
import { addOffer, listFurtherServices } from '../../../../src/features/business/offers/verbs.ts'
import { changeService } from '../../../../src/features/catalog/entries/verbs/entries.ts'
import { waitUntil } from '../../../../src/platform/clock/deadlines.ts'
import { book, bookingBody, openBookingFixture } from '../../../support/booking-fixture.ts'
import { opened } from '../../../support/fixture.ts'
import { Visitor } from '../../../support/visitor.ts'

const world = await opened(openBookingFixture())
const { app, sql, key } = world
const pro = await world.pro({ deposit: false })
const id = pro.serviceId
const before = await book(world, pro)
const [stored] = await sql<{ name: string; slug: string }[]>`select name, slug from services where id = ${id}`
const [{ slug: proSlug } = { slug: '' }] = await sql<
  { slug: string }[]
>`select slug from professionals where id = ${pro.id}`
const { name, slug } = stored ?? { name: '', slug: '' }

const setActive = (active: boolean) => changeService(ctxOf(app.deps), { by: null, id, active })
const json = async <Shape>(path: string) => (await (await app.send(path)).json()) as Shape
const totalOf = async (service: string) =>
  (await json<{ meta: { total: number } }>(`/api/v1/pros?service=${service}`)).meta.total
const isListed = async () =>
  (await json<{ services: { id: string }[] }>('/api/v1/services')).services.some((service) => service.id === id)
const request = { professionalId: pro.id, serviceId: id, description: 'The tap in the kitchen drips all night.' }
const asking = await app.key()
const ask = () =>
  app.send('/api/v1/rfqs', {
    key: asking,
    json: { ...request, customer: { name: 'Homeowner', email: 'home@example.com' } },
  })

test('a retired service is neither found nor offered, requested or booked', async () => {
  expect([await totalOf(slug), await isListed()]).toEqual([1, true])
  expect((await new Visitor(app).get(`/pros/${proSlug}`)).text).toContain(name)
  await setActive(false)
  expect(await waitUntil(async () => !(await isListed()), 10_000)).toBe(true)
  expect(await totalOf(slug)).toBe(0)
  const booked = await app.send('/api/v1/bookings', { key, json: bookingBody(pro, 3) })
  expect([booked.status, ((await booked.json()) as { type: string }).type]).toEqual([
    404,
    expect.stringContaining('service_not_found'),
  ])
  expect((await ask()).status).toBe(404)
  const caller = ctxOf(app.deps, { professionalId: pro.id })
  expect((await listFurtherServices(caller)).map((service) => service.id)).not.toContain(id)
  await sql`delete from professional_services where professional_id = ${pro.id} and service_id = ${id}`
  expect(addOffer(caller, { serviceId: id })).rejects.toMatchObject({ code: 'validation_failed' })
  await sql`
    insert into professional_services (professional_id, service_id, price_type, base_price_cents)
    values (${pro.id}, ${id}, 'flat', 10000)`
  expect((await new Visitor(app).get(`/pros/${proSlug}`)).text).not.toContain(name)
})

test('its bookings stay, with their pages, and can still be moved and cancelled', async () => {
  const { booking, manageUrl } = before
  const page = await new Visitor(app).get(new URL(manageUrl).pathname)
  expect([page.status, page.text]).toEqual([200, expect.stringContaining(name)])
  const { date, time } = bookingBody(pro, 4)
  const moved = await app.send(`/api/v1/bookings/${booking.id}/reschedule`, { key, json: { date, time } })
  expect([moved.status, await moved.text()]).toEqual([200, expect.stringContaining(booking.id)])
  expect((await app.send(`/api/v1/bookings/${booking.id}/cancel`, { key, json: {} })).status).toBe(200)
})

test('offered again, it is found and booked as before', async () => {
  await setActive(true)
  expect(await waitUntil(isListed, 10_000)).toBe(true)
  expect(await totalOf(slug)).toBe(1)
  expect((await app.send('/api/v1/bookings', { key, json: bookingBody(pro, 5) })).status).toBe(201)
  expect((await ask()).status).toBe(201)
})
