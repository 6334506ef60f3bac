// GET /profile/public/{profileId} returns the data of a pro's page, consistent with the resources it combines.
import { expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import { openTestApp } from '../../../support/app.ts'
import { type SeededPro, findPros, reviewsOf } from '../../../support/reviews.ts'
import { opened } from '../../../support/fixture.ts'

const app = await opened(openTestApp())
const [row] = await app.deps.read.run<SeededPro>(
  'findReviewed',
  (sql) => sql`
      select p.id, p.slug, a.email from professionals p join accounts a on a.id = p.account_id
      where p.active and p.instant_booking_enabled order by p.review_count desc, p.id limit 1`,
)
if (!row) throw new Error('The seed has no pros.')
const pro = row

const profileOf = async (idOrSlug: string) =>
  (await (await app.send(`/api/v1/profile/public/${idOrSlug}`)).json()) as Record<string, unknown>

test('contains the pro’s details, hours, counts, reviews and links', async () => {
  const profile = await profileOf(pro.slug)
  const detail = (await (await app.send(`/api/v1/pros/${pro.id}`)).json()) as object
  expect(profile).toMatchObject(detail)
  const page = await reviewsOf(app, pro.id, '&limit=10')
  expect(profile['recentReviews']).toEqual(page.reviews)
  expect(profile['ratingDistribution']).toEqual(page.stats.distribution)
  const [row] = await app.deps.read.run<{ hours: object; bookings: number; jobs: number; services: number }>(
    'countWork',
    (sql) => sql`
      select business_hours as hours,
        (select count(*)::integer from bookings where professional_id = p.id and status = 'completed') as bookings,
        (select count(*)::integer from jobs where professional_id = p.id and status = 'completed') as jobs,
        (select count(*)::integer from professional_services where professional_id = p.id) as services
      from professionals p where id = ${pro.id}`,
  )
  expect(profile['businessHours']).toEqual(row?.hours ?? {})
  expect(profile['counts']).toEqual({
    services: row?.services,
    completedBookings: row?.bookings,
    completedJobs: row?.jobs,
    reviews: page.stats.total,
  })
  const { baseUrl } = app.deps.config
  expect(profile['profileUrl']).toBe(`${baseUrl}/pros/${pro.slug}`)
  expect(profile['bookingUrl']).toBe(`${baseUrl}/pros/${pro.slug}/book`)
})

test('is the same by id and by slug, and returns 304 for a matching ETag', async () => {
  expect(await profileOf(pro.id)).toEqual(await profileOf(pro.slug))
  const path = `/api/v1/profile/public/${pro.slug}`
  const etag = (await app.send(path)).headers.get('etag') ?? ''
  expect((await app.send(path, { headers: { 'if-none-match': etag } })).status).toBe(304)
})

test('lists a closed day without intervals', async () => {
  const [other] = await findPros(app, 1)
  await app.deps.write.run(
    'setHours',
    (sql) => sql`
      update professionals set business_hours = '{"tuesday": [{"start": "09:00", "end": "24:00"}]}' where id = ${other?.id ?? ''}`,
  )
  expect((await profileOf(other?.id ?? ''))['businessHours']).toMatchObject({
    monday: [],
    tuesday: [{ start: '09:00', end: '24:00' }],
    sunday: [],
  })
})

test('of an unknown or inactive pro is a 404', async () => {
  const [left] = await findPros(app, 1, 1)
  await app.deps.write.run(
    'leave',
    (sql) => sql`update professionals set active = false, status = 'paused' where id = ${left?.id ?? ''}`,
  )
  for (const name of [randomUUID(), 'no-such-pro', left?.id, left?.slug])
    expect((await app.send(`/api/v1/profile/public/${name}`)).status).toBe(404)
})
