// Photos that customers send with a review: by the link of a booking, or signed in.
import { describe, expect, test } from 'bun:test'

import { ctxOf } from '../../../src/ctx.ts'
import { approveReview, rejectReview } from '../../../src/features/reviews/reviews/verbs/reviews.ts'
import { openBookingFixture, type CreatedBooking, type FixturePro } from '../../support/booking-fixture.ts'
import { bookFor, complete, newAddress, signedInCustomer } from '../../support/customers.ts'
import { opened } from '../../support/fixture.ts'
import { type Part, sendFormWithFiles } from '../../support/form-with-files.ts'
import { SVG, faultIn, keptIn } from '../../support/request-photos.ts'
import { decodeAll, ready, somePicture, whileDecoding } from '../../support/uploads.ts'
import { Visitor, loggedInVisitor } from '../../support/visitor.ts'

const world = await opened(openBookingFixture())
const { app, sql } = world
const ctx = ctxOf(app.deps)
const operator = await loggedInVisitor(app, 'operator')

const TEXT: Part[] = [
  ['rating', '5'],
  ['content', 'Clean and on time.'],
  ['name', 'Ada Homeowner'],
]

/** A customer's visit that is over, by its link and by the customer. */
async function finishedVisit(): Promise<{
  pro: FixturePro & { slug: string }
  booking: CreatedBooking
  email: string
}> {
  const [made, email] = [await world.pro({ deposit: false }), newAddress()]
  const [row] = await sql<{ slug: string }[]>`select slug from professionals where id = ${made.id}`
  const pro = { ...made, slug: row?.slug ?? '' }
  const booking = await bookFor(world, email, pro)
  await complete(world, pro, booking.booking)
  return { pro, booking, email }
}
const withPhotos = async (...photos: (string | Uint8Array)[]): Promise<Part[]> => [
  ...TEXT,
  ...photos.map((photo): Part => ['photos', photo]),
]
const byLink = async ({ manageUrl }: CreatedBooking, parts: readonly Part[]) => {
  const path = `${new URL(manageUrl).pathname}/review`
  return await whileDecoding(app, sendFormWithFiles(app, new Visitor(app), parts, { path, csrf: '' }))
}
const reviewOf = async (pro: FixturePro) => {
  const [row] = await sql<{ id: string; photos: { url: string }[] }[]>`
    select id, photos from reviews where professional_id = ${pro.id}`
  return row
}
const opens = async (url: string) => (await app.app.handle(new Request(url.replaceAll('&amp;', '&')))).status
const thumbnailsIn = (text: string) =>
  [...text.matchAll(/<img src="([^"]*-small\.webp[^"]*)"/g)].map(([, url = '']) => url)
describe('photos of a review', () => {
  test('are seen by its moderator and its pro, and by everyone once it is published', async () => {
    const { pro, booking } = await finishedVisit()
    const sent = await byLink(booking, await withPhotos(await somePicture(), await somePicture()))
    expect(sent.status).toBe(303)
    const review = await reviewOf(pro)
    expect(review?.photos.length).toBe(2)
    for (const { url } of review?.photos ?? []) expect(await opens(url)).toBe(404)

    const profile = async () => (await new Visitor(app).get(`/pros/${pro.slug}`)).text
    expect(thumbnailsIn(await profile())).toEqual([])
    const own = await loggedInVisitor(app, 'pro', { pro: pro.id })
    for (const page of [await operator.get(`/console/reviews?pro=${pro.slug}`), await own.get('/console/my-reviews')]) {
      const shown = thumbnailsIn(page.text)
      expect(await Promise.all(shown.map(opens))).toEqual([200, 200])
      expect(page.headers.get('content-security-policy')).toContain("img-src 'self' data:")
    }

    await approveReview(ctx, { id: review?.id ?? '' })
    const shown = thumbnailsIn(await profile())
    expect(await Promise.all(shown.map(opens))).toEqual([200, 200])
    expect(shown.filter((url) => url.includes('signature'))).toEqual([])
  }, 30_000)

  test('stay private when it is rejected', async () => {
    const { pro, booking } = await finishedVisit()
    await byLink(booking, await withPhotos(await somePicture()))
    const review = await reviewOf(pro)
    await rejectReview(ctx, { id: review?.id ?? '', reason: 'Not about this pro.' })
    expect(await opens(review?.photos[0]?.url ?? '')).toBe(404)
    const { status, text } = await new Visitor(app).get(`/pros/${pro.slug}`)
    expect([status, thumbnailsIn(text)]).toEqual([200, []])
  })

  test('are sent by a signed-in customer, with the CSRF token of the session', async () => {
    const { pro, booking, email } = await finishedVisit()
    const customer = await signedInCustomer(app, email)
    const path = `/my/bookings/${booking.booking.id}/review`
    const parts = await withPhotos(await somePicture())
    const filesThere = async () => await sql`select id from files`
    const before = await filesThere()
    for (const target of [path, '/my/photos'])
      expect((await sendFormWithFiles(app, customer, parts, { path: target, csrf: 'x' })).status).toBe(403)
    expect(await filesThere()).toEqual(before)
    const csrf = await customer.csrfToken('/my')
    const one = await sendFormWithFiles(app, customer, [['file', await somePicture()]], { path: '/my/photos', csrf })
    expect(one.status).toBe(202)
    const { id } = JSON.parse(one.text) as { id: string }
    await decodeAll(app)
    expect(JSON.parse((await customer.get(`/my/photos/${id}`)).text)).toEqual({ id, state: 'ready', message: null })
    expect((await (await signedInCustomer(app)).get(`/my/photos/${id}`)).status).toBe(404)
    const sent = await whileDecoding(app, sendFormWithFiles(app, customer, [...parts, ['photos', id]], { path, csrf }))
    expect(sent.status).toBe(303)
    expect((await reviewOf(pro))?.photos.length).toBe(2)
  }, 30_000)

  test('that are refused are said beside the field, and the review waits for another one', async () => {
    const { pro, booking } = await finishedVisit()
    const { status, text } = await byLink(booking, await withPhotos(await somePicture(), SVG))
    expect([status, faultIn(text)]).toEqual([400, expect.stringContaining('Drawings in SVG are not taken')])
    expect([text.includes('Clean and on time.</textarea>'), await reviewOf(pro)]).toEqual([true, undefined])
    expect((await byLink(booking, await withPhotos(...keptIn(text)))).status).toBe(303)
    expect((await reviewOf(pro))?.photos.length).toBe(1)
  })

  test('of another account or for a request are not taken', async () => {
    const { pro, booking } = await finishedVisit()
    const key = await app.key(['rfqs:write', 'reviews:write'], 'integrator@test.example')
    for (const purpose of ['review', 'request']) {
      const { id } = await ready(app, { key, purpose })
      const { status, text } = await byLink(booking, await withPhotos(id))
      expect([status, faultIn(text)]).toEqual([400, '1 photo was not kept. Choose it again.'])
    }
    expect(await reviewOf(pro)).toBeUndefined()
  })

  test('that the script sends at once by the link say what became of them, to that booking’s pages only', async () => {
    const { booking } = await finishedVisit()
    const token = new URL(booking.manageUrl).pathname.split('/').at(-1) ?? ''
    const [path, csrf] = [`/bookings/manage/${token}/review/photos`, '']
    const sent = await sendFormWithFiles(app, new Visitor(app), [['file', await somePicture()]], { path, csrf })
    expect(sent.status).toBe(202)
    const { id } = JSON.parse(sent.text) as { id: string }
    await decodeAll(app)
    const { text } = await new Visitor(app).get(`/bookings/manage/${token}/review/photos/${id}`)
    expect(JSON.parse(text)).toEqual({ id, state: 'ready', message: null })
    expect((await new Visitor(app).get(`/bookings/manage/nothing/review/photos/${id}`)).status).toBe(404)
  })

  test('of a link that leads to no booking are not stored', async () => {
    const before = await sql`select id from files`
    const path = '/bookings/manage/nothing/review/photos'
    const sent = await sendFormWithFiles(app, new Visitor(app), [['file', await somePicture()]], { path, csrf: '' })
    expect([sent.status, await sql`select id from files`]).toEqual([404, before])
  })
})
