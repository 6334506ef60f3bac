// A pro moves, or an operator moves the pro: search, open times and zone follow at once, and visits that are booked keep their instants.
import { expect, test } from 'bun:test'

import { createPro } from '../../../../src/features/business/pros/verbs.ts'
import { movePro, planMove } from '../../../../src/features/business/moves/verbs.ts'
import { type SearchQuery, toStatement } from '../../../../src/features/search/pros/queries/search.ts'
import {
  currentMarketplace,
  getMarketplace,
  updateMarketplace,
} from '../../../../src/features/upkeep/marketplace/verbs.ts'
import { waitUntil } from '../../../../src/platform/clock/deadlines.ts'
import { listActions } from '../../../../src/features/upkeep/audit/verbs.ts'
import { ctxOf } from '../../../../src/ctx.ts'
import { seed } from '../../../../src/local/seed/seed.ts'
import { openTestApp } from '../../../support/app.ts'
import { bookingBody, manualClock } from '../../../support/booking-fixture.ts'
import { SEEDED_AT, testSql } from '../../../support/database.ts'
import { opened } from '../../../support/fixture.ts'
import { pagePartsOf } from '../../../support/page-parts.ts'
import { differencesFromRebuilt, searchByReference } from '../../../support/search.ts'
import { type Visitor, loggedInVisitor } from '../../../support/visitor.ts'

const app = await opened(openTestApp('migrated', { clock: manualClock() }))
const { sql } = app
await seed(sql, { pros: 0, seed: 1, now: new Date(SEEDED_AT) })
const ctx = ctxOf(app.deps)
const key = await app.key(['bookings:write'])
const operator = await loggedInVisitor(app, 'operator')

async function newPro(place = 'Chicago, IL') {
  const email = `${crypto.randomUUID()}@movers.test.example`
  const input = { businessName: 'Lake Plumbing', email, place, radius: 25, plan: 'none', by: null }
  const { pro } = await createPro(ctx, { ...input, createLogin: () => Promise.resolve() })
  const [service] = await sql<{ id: string }[]>`
    insert into professional_services (professional_id, service_id, price_type, base_price_cents)
    select ${pro.id}, id, 'flat', 10000 from services where price_type = 'flat' order by ordinal limit 1 returning service_id as id`
  await sql`update professionals set instant_booking_enabled = true, lead_time_hours = 0 where id = ${pro.id}`
  const [account] = await sql<{ id: string }[]>`select account_id as id from professionals where id = ${pro.id}`
  return { ...pro, email, serviceId: service?.id ?? '', accountId: account?.id ?? '' }
}
type Pro = Awaited<ReturnType<typeof newPro>>

/** Of the first service of the catalog. */
const VISIT_MS = 90 * 60_000

interface Slot {
  start: string
  startDateTime: string
  available: boolean
}

const book = async (pro: Pro, hours: number, address?: object) => {
  const json = bookingBody(pro, hours, address && { address })
  const answer = await app.send('/api/v1/bookings', { key, json })
  expect(answer.status).toBe(201)
  return ((await answer.json()) as { booking: { id: string; scheduledAt: string } }).booking
}
const stored = async ({ id }: Pro) =>
  (
    await sql<Record<string, unknown>[]>`
      select c.name as city, p.time_zone as zone, p.service_radius_miles as radius, p.slug,
        p.latitude = c.latitude and p.longitude = c.longitude as "isCenter"
      from professionals p join cities c on c.id = p.city_id where p.id = ${id}`
  )[0]
const isFoundIn = async (place: string, { id }: Pro) => {
  const answer = await app.send(`/api/v1/pros?limit=50&place=${encodeURIComponent(place)}`)
  const { professionals } = (await answer.json()) as { professionals: { id: string }[] }
  return professionals.some((found) => found.id === id)
}
const mailsTo = async (email: string) =>
  await sql<{ data: Record<string, unknown> }[]>`
    select data from messages where kind = 'pro-moved' and recipient = ${email}`

/** The version of the plan that a page shows. */
const seenOn = (text: string) =>
  pagePartsOf(text, '/console')
    .forms.flatMap(({ fields }) => fields)
    .find(({ name }) => name === 'seen')?.value ?? ''

/** Sends the form, and again as it comes back with what would change. */
async function moveOn(visitor: Visitor, path: string, typed: Record<string, string>) {
  const { status, text } = await visitor.post(path, typed)
  const done = await visitor.post(path, { ...typed, seen: seenOn(text) })
  return { preview: { status, text }, done }
}

test('the pro sees what a move changes, and is found in the new place only, with open times on its clock', async () => {
  const pro = await newPro()
  const owner = await loggedInVisitor(app, 'pro', { pro: pro.id })
  expect((await owner.get('/console/profile')).text).toContain('href="/console/profile/move"')
  const near = await book(pro, 2, { street: '1 Lake St', city: 'Denver', state: 'CO', zipCode: '80202' })
  const far = await book(pro, 4, { street: '1 Lake St', city: 'Chicago', state: 'IL', zipCode: '60601' })
  const { slug, city } = (await stored(pro)) ?? {}
  expect(city).toBe('Chicago')

  const typed = { place: '12 Oak Street, Denver, CO 80202', radius: '40' }
  const { status, text } = await owner.post('/console/profile/move', typed)
  expect(status).toBe(200)
  for (const said of [
    'From Chicago, IL, 25 miles around',
    '40 miles around',
    '9:00 AM in Denver, CO instead of 9:00 AM in Chicago, IL',
    '2 visits to come stay when they were agreed',
    '1 address of them is farther away',
    `/console/bookings/${far.id}`,
    'Monday, November 23, 11:00 AM Central Time',
    'Monday, November 23, 10:00 AM Mountain Time',
  ])
    expect(text).toContain(said)
  expect(await stored(pro)).toMatchObject({ city: 'Chicago', radius: 25 })
  expect([await isFoundIn('Chicago, IL', pro), await isFoundIn('Denver, CO', pro)]).toEqual([true, false])

  const done = await owner.post('/console/profile/move', { ...typed, seen: seenOn(text) })
  expect(done).toMatchObject({ status: 303, location: '/console/profile' })
  expect(await stored(pro)).toMatchObject({ city: 'Denver', zone: 'America/Denver', radius: 40, slug, isCenter: false })
  expect([await isFoundIn('Chicago, IL', pro), await isFoundIn('Denver, CO', pro)]).toEqual([false, true])

  const free = await app.send(`/api/v1/pros/${pro.id}/availability?serviceId=${pro.serviceId}&date=2026-11-23`)
  const { availability } = (await free.json()) as {
    availability: { slots: Slot[] }[]
  }
  const slots = availability[0]?.slots ?? []
  expect(slots[0]).toMatchObject({ start: '09:00', startDateTime: '2026-11-23T16:00:00.000Z' })
  const kept = await sql<{ at: string; until: string }[]>`
    select starts_at as at, ends_at as until from bookings
    where professional_id = ${pro.id} and status in ('pending', 'confirmed') order by starts_at`
  const isFree = ({ startDateTime }: Slot) => {
    const startsAt = Date.parse(startDateTime)
    return kept.every(({ at, until }) => Date.parse(at) >= startsAt + VISIT_MS || Date.parse(until) <= startsAt)
  }
  expect(slots.map((slot) => [slot.start, slot.available])).toEqual(slots.map((slot) => [slot.start, isFree(slot)]))
  expect(new Set(slots.map(({ available }) => available)).size).toBe(2)
  expect(kept.map(({ at }) => new Date(at).toISOString())).toEqual([near.scheduledAt, far.scheduledAt])

  const [entry] = await listActions(ctx, { subjectId: pro.id })
  expect(entry).toMatchObject({
    action: 'pro.moved',
    reason: null,
    details: {
      before: { city: 'Chicago, IL', radiusMiles: 25 },
      after: { city: 'Denver, CO', radiusMiles: 40 },
      outside: 1,
    },
  })
  expect(JSON.stringify(entry)).not.toContain('Oak')
  expect(entry?.by).not.toBeNull()
  expect(await mailsTo(pro.email)).toHaveLength(0)
})

test('an operator moves a pro with a reason, which the pro reads, and may hide where in the city', async () => {
  const pro = await newPro()
  const page = `/console/verification/${pro.id}`
  expect((await operator.get(page)).text).toContain(`${page}/move`)
  const typed = { place: '80202', radius: '30', isPlaceHidden: 'true', reason: 'The pro called us.' }
  const { done } = await moveOn(operator, `${page}/move`, typed)
  expect(done).toMatchObject({ status: 303, location: page })
  expect(await stored(pro)).toMatchObject({ city: 'Denver', radius: 30, isCenter: true })
  expect((await operator.get(page)).text).toContain('Moved to Denver, CO')
  const [mail] = await mailsTo(pro.email)
  expect(mail?.data).toMatchObject({
    from: 'Chicago, IL',
    to: 'Denver, CO',
    isOtherZone: true,
    operatorReason: 'The pro called us.',
  })
  expect((await operator.post(`${page}/move`, { ...typed, reason: '' })).status).toBe(400)
})

test('what was seen is what is done: a visit that is booked meanwhile shows the plan again', async () => {
  const pro = await newPro()
  const owner = await loggedInVisitor(app, 'pro', { pro: pro.id })
  const typed = { place: 'Denver, CO', radius: '25' }
  const { text } = await owner.post('/console/profile/move', typed)
  await book(pro, 1, { street: '1 Lake St', city: 'Chicago', state: 'IL', zipCode: '60601' })
  const again = await owner.post('/console/profile/move', { ...typed, seen: seenOn(text) })
  expect(again.status).toBe(200)
  expect(again.text).toContain('1 address of them is farther away')
  expect(await stored(pro)).toMatchObject({ city: 'Chicago' })
})

/** The plan of a move to Denver, as it is some hours later. */
const planAfter = (hours: number, { id: professionalId }: Pro) => {
  const now = new Date(app.deps.clock.now().getTime() + hours * 3_600_000)
  const later = ctxOf({ ...app.deps, clock: { now: () => now } })
  return planMove(later, { professionalId, place: 'Denver, CO', isPlaceHidden: false, radiusMiles: 25 })
}

test('the plan names the visits to come, without those that have begun, were cancelled, or were held and not paid for', async () => {
  const pro = await newPro()
  const [next, last] = [await book(pro, 2), await book(pro, 26)]
  const planned = async (hours: number, of = pro) => (await planAfter(hours, of)).visits.map(({ id }) => id)
  expect(await planned(0)).toEqual([next.id, last.id])
  const hoursTo = (Date.parse(next.scheduledAt) - app.deps.clock.now().getTime()) / 3_600_000
  expect(await planned(hoursTo)).toEqual([last.id])
  expect((await app.send(`/api/v1/bookings/${last.id}/cancel`, { key, json: {} })).status).toBe(200)
  expect(await planned(0)).toEqual([next.id])

  const careful = await newPro()
  await sql`update professionals set deposit_required = true, deposit_percentage = 50 where id = ${careful.id}`
  const held = await book(careful, 2)
  expect([await planned(0, careful), await planned(1, careful)]).toEqual([[held.id], []])
})

test('a pro who only comes farther moves no other pro, and has the new distance', async () => {
  const [pro, other] = [await newPro(), await newPro('Denver, CO')]
  const owner = await loggedInVisitor(app, 'pro', { pro: pro.id })
  const { done } = await moveOn(owner, '/console/profile/move', { place: 'Chicago, IL', radius: '40' })
  expect(done.status).toBe(303)
  expect(await stored(pro)).toMatchObject({ city: 'Chicago', radius: 40 })
  expect(await stored(other)).toMatchObject({ city: 'Denver', radius: 25 })
})

test('a place that is not known, the same place, closed and test pros are refused, and what was typed stays', async () => {
  const pro = await newPro()
  const owner = await loggedInVisitor(app, 'pro', { pro: pro.id })
  const unknown = await owner.post('/console/profile/move', { place: '12 Oak Street, Nowhere Town', radius: '25' })
  expect([unknown.status, unknown.text.includes('Is not known: enter an address')]).toEqual([400, true])
  expect(unknown.text).toContain('12 Oak Street, Nowhere Town')
  const same = await owner.post('/console/profile/move', { place: 'Chicago, IL', radius: '25' })
  expect([same.status, same.text.includes('Is the place that customers find already')]).toEqual([400, true])
  const move = { professionalId: pro.id, place: 'Denver, CO', isPlaceHidden: false, radiusMiles: 25 }
  await sql`update professionals set status = 'closed', active = false where id = ${pro.id}`
  expect(planMove(ctx, move)).rejects.toMatchObject({ code: 'invalid_transition' })
  expect(movePro(ctx, { ...move, by: null, operatorReason: null })).rejects.toMatchObject({
    code: 'invalid_transition',
  })
  const trial = await newPro()
  await sql`
    update professionals set active = false, test_account_id = (select id from accounts where kind = 'developer' limit 1)
    where id = ${trial.id}`
  for (const professionalId of [trial.id, crypto.randomUUID()])
    expect(planMove(ctx, { ...move, professionalId })).rejects.toMatchObject({ code: 'professional_not_found' })
})

test('searches during moves find the pro in one place at every moment, with the totals of a count', async () => {
  const pros = [await newPro(), await newPro()]
  const cities = await sql<{ id: number; place: string }[]>`
    select id, name || ', ' || state as place from cities where (name, state) in (('Chicago', 'IL'), ('Denver', 'CO'))
    order by name`
  const queries = cities.map(({ id }): SearchQuery => {
    return { facet: 0, radiusMiles: 25, limit: 50, offset: 0, baseUrl: 'https://hearth.example', cityIds: [id] }
  })
  let isDone = false
  const move = async () => {
    for (let round = 1; round <= 12; round++)
      for (const { id: professionalId } of pros) {
        const to = { place: cities[round % 2]?.place ?? '', isPlaceHidden: round % 3 === 0, radiusMiles: 25 + round }
        await movePro(ctx, { professionalId, ...to, by: null, operatorReason: null })
      }
  }
  const search = async (): Promise<number> => {
    const searcher = testSql(app.databaseUrl, 1)
    let looks = 0
    for (; !isDone; looks++)
      await searcher.begin('isolation level repeatable read', async (tx) => {
        const counts: number[] = []
        for (const query of queries) {
          const { statement, parameters } = toStatement(query)
          const [row] = await tx.unsafe<{ total: number }[]>(statement.text, parameters as never[])
          const found = await searchByReference(tx as unknown as typeof sql, query)
          expect(row?.total).toBe(found.length)
          counts.push(...found.filter(({ id }) => pros.some((pro) => pro.id === id)).map(() => 1))
        }
        expect(counts).toHaveLength(pros.length)
      })
    await searcher.end()
    return looks
  }
  const [looks] = await Promise.all([search(), move().finally(() => (isDone = true))])
  expect(looks).toBeGreaterThan(3)
  expect(await differencesFromRebuilt(sql)).toEqual([])
})

test('beyond the area of the marketplace the pro is warned, and moves all the same', async () => {
  const pro = await newPro()
  const { version } = await currentMarketplace(ctx)
  const circle = { place: 'Chicago, IL', latitude: 41.88, longitude: -87.63, radiusMiles: 30 }
  await updateMarketplace(ctx, { area: [circle], version, by: null })
  expect(await waitUntil(async () => (await getMarketplace(ctx)).area.length === 1, 10_000)).toBe(true)
  const { preview, done } = await moveOn(operator, `/console/verification/${pro.id}/move`, {
    place: 'Denver, CO',
    radius: '25',
    reason: 'The pro called us.',
  })
  expect(preview.text).toContain('to no place that we serve')
  expect(done.status).toBe(303)
  expect(await stored(pro)).toMatchObject({ city: 'Denver' })
})
