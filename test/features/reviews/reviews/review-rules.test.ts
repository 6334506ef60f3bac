// Who may review what, and when; and what of it is published.
import { beforeEach, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import { ANONYMOUS } from '../../../../src/auth/accounts/verbs.ts'
import { acceptQuote } from '../../../../src/features/quoting/quotes/verbs/customer-link.ts'
import { searchReviews } from '../../../../src/features/reviews/moderation/verbs.ts'
import type { NewReview } from '../../../../src/features/reviews/reviews/schemas.ts'
import { approveReview, rejectReview } from '../../../../src/features/reviews/reviews/verbs/reviews.ts'
import { STARTED_AT, type FixturePro, book, openBookingFixture } from '../../../support/booking-fixture.ts'
import { opened } from '../../../support/fixture.ts'
import { HOMEOWNER, sentQuote } from '../../../support/quotes.ts'
import { confirmByMail, type ReviewsPage, findMiscounted, newReview, reviewsOf } from '../../../support/reviews.ts'
import { manageUrl } from '../../../../src/features/booking/bookings/verbs/manage-link.ts'
import { Visitor } from '../../../support/visitor.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const world = await opened(openBookingFixture())
/** The customer of the fixture's bookings. */
const customer = { name: 'Maria Garza', email: 'home@example.com' }
let pro: FixturePro
const key = await world.app.key(['reviews:write'])
beforeEach(async () => {
  world.clock.set(STARTED_AT)
  pro = await world.pro({ deposit: false })
})

const submit = (changes: Partial<NewReview> = {}, as = key) =>
  world.app.send('/api/v1/reviews', { key: as, json: newReview(pro.id, { customer, ...changes }) })
const problemOf = async (response: Response) => (await response.json()) as Record<string, unknown>
const act = (id: string, action: string) =>
  world.app.send(`/api/v1/pro/bookings/${id}`, { key: pro.key, json: { action } })

async function published(changes: Partial<NewReview> = {}): Promise<string> {
  const response = await submit(changes)
  expect(response.status).toBe(201)
  const { review } = (await response.json()) as { review: { id: string } }
  await approveReview(ctxOf(world.app.deps), { id: review.id })
  return review.id
}

/** The id and end of a confirmed booking. */
async function booked() {
  const { booking } = await book(world, pro)
  const [row] = await world.sql<{ endsAt: string }[]>`select ends_at from bookings where id = ${booking.id}`
  return { id: booking.id, endsAt: new Date(row?.endsAt ?? '') }
}

const shown = async (id: string) => {
  const { reviews } = await reviewsOf(world.app, pro.id)
  return reviews.find((review) => review.id === id) as
    | (ReviewsPage['reviews'][number] & { isVerified: boolean })
    | undefined
}

describe('a review that names a booking', () => {
  test('is accepted as soon as the visit is over, not a second earlier, and says when to come back', async () => {
    const { id, endsAt } = await booked()
    world.clock.set(new Date(endsAt.getTime() - 1000).toISOString())
    expect(await problemOf(await submit({ bookingId: id }))).toMatchObject({
      status: 400,
      code: 'review_too_early',
      reviewableAt: endsAt.toISOString(),
    })
    world.clock.set(endsAt.toISOString())
    expect((await submit({ bookingId: id })).status).toBe(201)
  })

  test('is verified from the moment at which the pro completes the booking, if its author has confirmed it', async () => {
    const { id, endsAt } = await booked()
    world.clock.set(endsAt.toISOString())
    const review = await published({ bookingId: id })
    await confirmByMail(world.app, review)
    expect(await shown(review)).toMatchObject({ isVerified: false })
    expect((await act(id, 'complete')).status).toBe(200)
    expect(await shown(review)).toMatchObject({ isVerified: true })
    world.clock.set(STARTED_AT)
    const { booking } = await book(world, pro, 3)
    world.clock.set('2026-11-25T00:00:00.000Z')
    const unconfirmed = await published({ bookingId: booking.id })
    expect((await act(booking.id, 'complete')).status).toBe(200)
    expect(await shown(unconfirmed)).toMatchObject({ isVerified: false })
  })

  test('is not verified before its author has confirmed it by the link in the mail, and no key does that', async () => {
    const { id, endsAt } = await booked()
    world.clock.set(endsAt.toISOString())
    await act(id, 'complete')
    const review = await published({ bookingId: id })
    expect(await shown(review)).toMatchObject({ isVerified: false })
    const [mail] = await world.sql`select recipient from messages where key = ${`review-confirmation:${review}`}`
    expect(mail).toEqual({ recipient: 'home@example.com' })
    await confirmByMail(world.app, review)
    expect(await shown(review)).toMatchObject({ isVerified: true })
  })

  test('is never verified when the pro’s own account booked the visit', async () => {
    const { booking } = await book(world, pro, 3, await world.app.key(['bookings:write'], pro.email))
    world.clock.set('2026-11-25T00:00:00.000Z')
    await act(booking.id, 'complete')
    const review = await published({ bookingId: booking.id })
    await confirmByMail(world.app, review)
    expect(await shown(review)).toMatchObject({ isVerified: false })
  })

  test('by another person does not stand in the way of the customer’s own', async () => {
    const { id, endsAt } = await booked()
    world.clock.set(endsAt.toISOString())
    await act(id, 'complete')
    const false5 = await published({ bookingId: id })
    const link = new URL(manageUrl(ctxOf(world.app.deps), { isMailed: true, bookingId: id })).pathname
    const visitor = new Visitor(world.app)
    const form = { rating: '1', content: 'It leaks again.', name: 'Homeowner in Austin' }
    expect((await visitor.postRaw(`${link}/review`, form)).status).toBe(303)
    const rows = await world.sql`
      select rating, verified from reviews where booking_id = ${id} and customer_email = 'home@example.com'`
    expect([...rows]).toEqual([{ rating: 1, verified: true }])
    // The link in the mail about the other one proves nothing any more that would count for this customer.
    expect(await shown(false5)).toMatchObject({ isVerified: false })
  })

  test('by a manage link that an API gave is verified once it is confirmed, by a mailed one at once', async () => {
    for (const isMailed of [false, true]) {
      world.clock.set(STARTED_AT)
      const { booking } = await book(world, pro, isMailed ? 1 : 2)
      world.clock.set('2026-11-25T00:00:00.000Z')
      await act(booking.id, 'complete')
      const path = `${new URL(manageUrl(ctxOf(world.app.deps), { isMailed, bookingId: booking.id })).pathname}/review`
      const form = { rating: '5', content: 'Fine.', name: 'Homeowner in Austin' }
      expect((await new Visitor(world.app).postRaw(path, form)).status).toBe(303)
      const rows = await world.sql<{ id: string; verified: boolean }[]>`
        select id, verified from reviews where booking_id = ${booking.id}`
      expect(rows[0]?.verified).toBe(isMailed)
      if (isMailed) continue
      await confirmByMail(world.app, rows[0]?.id ?? '')
      const [after] = await world.sql`select verified from reviews where booking_id = ${booking.id}`
      expect(after).toEqual({ verified: true })
    }
  })

  test('is never lost between unverified and verified when it is confirmed while the pro completes the booking', async () => {
    for (let hours = 0; hours < 6; hours++) {
      world.clock.set(STARTED_AT)
      const { booking } = await book(world, pro, hours % 6)
      world.clock.set('2026-11-25T00:00:00.000Z')
      const response = await submit({ bookingId: booking.id })
      const { review } = (await response.json()) as { review: { id: string } }
      await Promise.all([confirmByMail(world.app, review.id), act(booking.id, 'complete')])
      const [row] = await world.sql`select verified from reviews where booking_id = ${booking.id}`
      expect(row).toEqual({ verified: true })
    }
  })

  test('is refused for good when the visit did not take place', async () => {
    const { id, endsAt } = await booked()
    world.clock.set(endsAt.toISOString())
    await act(id, 'no_show')
    const refused = { status: 400, code: 'no_visit_to_review' }
    expect(await problemOf(await submit({ bookingId: id }))).toMatchObject(refused)
    world.clock.set(STARTED_AT)
    const { booking } = await book(world, pro, 5)
    await world.app.send(`/api/v1/bookings/${booking.id}/cancel`, { key: world.key, json: {} })
    expect(await problemOf(await submit({ bookingId: booking.id }))).toMatchObject(refused)
    // A review of the pro in general is possible, unverified.
    expect(await shown(await published())).toMatchObject({ isVerified: false })
  })

  test('is refused for a booking that the pro rejected or never confirmed', async () => {
    pro = await world.pro({ deposit: false, requiresApproval: true })
    const [rejected, unanswered] = [await book(world, pro), await book(world, pro, 5)]
    expect(await problemOf(await submit({ bookingId: unanswered.booking.id }))).toMatchObject({
      code: 'review_too_early',
    })
    await act(rejected.booking.id, 'reject')
    world.clock.set('2026-12-01T00:00:00.000Z')
    for (const { booking } of [rejected, unanswered])
      expect(await problemOf(await submit({ bookingId: booking.id }))).toMatchObject({ code: 'no_visit_to_review' })
  })
})

test('a review of a job is accepted once the pro has completed the job, and not verified if the pro asked for it', async () => {
  const { deps } = world.app
  const quoting = { ...pro, professionalId: pro.id, slug: '' }
  const agreed = async () =>
    (await acceptQuote(ctxOf(deps, ANONYMOUS), { token: (await sentQuote(deps, quoting)).token })).quote.jobId ?? ''
  const move = (id: string, action: string) =>
    world.app.send(`/api/v1/pro/jobs/${id}`, { key: pro.key, json: { action } })
  const [job, cancelled] = [await agreed(), await agreed()]
  const early = { status: 400, code: 'review_too_early', reviewableAt: null }
  expect(await problemOf(await submit({ projectId: job, customer: HOMEOWNER }))).toMatchObject(early)
  await move(job, 'start')
  expect(await problemOf(await submit({ projectId: job, customer: HOMEOWNER }))).toMatchObject(early)
  expect((await move(job, 'complete')).status).toBe(200)
  const review = await published({ projectId: job, customer: HOMEOWNER })
  await confirmByMail(world.app, review)
  // The request was made with the pro's own key.
  expect(await shown(review)).toMatchObject({ isVerified: false })
  await move(cancelled, 'cancel')
  expect(await problemOf(await submit({ projectId: cancelled, customer: HOMEOWNER }))).toMatchObject({
    code: 'no_visit_to_review',
  })
})

describe('scores', () => {
  test('that were not given do not enter the averages', async () => {
    const other = { name: 'Ann', email: 'ann@example.com' }
    await published({ rating: 1, scores: { quality: 5 } })
    await published({ rating: 2, scores: { quality: 4, value: 3 }, customer: other })
    const { stats, reviews } = await reviewsOf(world.app, pro.id)
    expect(stats.breakdown).toEqual({ punctuality: 0, communication: 0, quality: 4.5, value: 3 })
    expect(stats.scored).toEqual({ punctuality: 0, communication: 0, quality: 2, value: 1 })
    expect(reviews.map((review) => 'scoresGiven' in review && review.scoresGiven)).toContainAllValues([
      ['quality'],
      ['quality', 'value'],
    ])
    expect(await findMiscounted(world.app)).toEqual([])
  })
})

describe('the author', () => {
  test.each([
    ['Maria Garza', 'Maria G.'],
    ['  maria   de la garza ', 'maria G.'],
    ['Maria G.', 'Maria G.'],
    ['Maria', 'Maria'],
    ['Émile Ångström', 'Émile Å.'],
    ['Garza, Maria', 'Garza M.'],
    ['Maria (Austin)', 'Maria A.'],
    ['Maria -', 'Maria'],
    ['home@example.com', 'Customer'],
    [', ,', 'Customer'],
  ])('%p is published as %p', async (name, expected) => {
    const [row] = await world.sql<{ name: string }[]>`select published_name(${name}) as name`
    expect(row?.name).toBe(expected)
  })

  test('is public by first name and initial; the pro reads the full name', async () => {
    const id = await published()
    expect((await shown(id))?.author).toBe('Maria G.')
    for (const path of [
      `/api/v1/profile/public/${pro.id}`,
      `/api/v1/pros/${pro.id}`,
      `/api/v1/reviews?professionalId=${pro.id}`,
    ])
      expect(await (await world.app.send(path)).text()).not.toContain('Garza')
    const { reviews } = (await (await world.app.send('/api/v1/pro/reviews', { key: pro.key })).json()) as ReviewsPage
    expect(reviews[0]?.author).toBe('Maria Garza')
  })
})

test('a business cannot review itself: not its owner, a user or a key of its account', async () => {
  const named = (email: string) => ({ customer: { name: 'Happy Customer', email } })
  await world.sql`
    insert into users (id, email, password_hash, role, account_id, created_at)
    values (${randomUUID()}, ${`user-${pro.id}@example.com`}, '$argon2id$', 'pro', ${pro.accountId}, now())`
  const ownKey = await world.app.key(['reviews:write'], pro.email)
  const attempts = {
    owner: submit(named(pro.email.toUpperCase())),
    user: submit(named(`user-${pro.id}@example.com`)),
    'key of the account': submit({}, ownKey),
  }
  for (const [who, attempt] of Object.entries(attempts))
    expect({ who, ...(await problemOf(await attempt)) }).toMatchObject({ who, status: 403, code: 'own_business' })
  const other = await world.pro()
  expect((await submit({ professionalId: other.id }, ownKey)).status).toBe(201)
})

test('a pro cannot keep a customer from reviewing by naming the customer’s address as a team member’s; the moderator sees it', async () => {
  const email = `named-${pro.id}@example.com`
  const added = await world.app.send('/api/v1/pro/team', { key: pro.key, json: { name: 'Crew', email, role: 'crew' } })
  expect(added.status).toBe(201)
  const byMember = await world.app.key(['reviews:write'], email)
  const sent = await submit({ customer: { name: 'Homeowner', email } })
  expect(sent.status).toBe(201)
  const { review } = (await sent.json()) as { review: { id: string } }
  expect(
    (await submit({ customer: { name: 'Neighbor', email: `other-${pro.id}@example.com` } }, byMember)).status,
  ).toBe(201)
  const { reviews } = await searchReviews(ctxOf(world.app.deps), { pro: pro.id, status: 'pending' })
  expect(reviews.filter(({ isOfTeam }) => isOfTeam).map(({ id }) => id)).toEqual([review.id])
})

test('a rejected review does not keep the customer’s next one out; a pending or published one does', async () => {
  const duplicate = { status: 400, code: 'duplicate_review' }
  for (const named of [{}, { bookingId: (await booked()).id }]) {
    world.clock.set('2026-12-01T00:00:00.000Z')
    const { review } = (await (await submit(named)).json()) as { review: { id: string } }
    expect(await problemOf(await submit(named))).toMatchObject(duplicate)
    await rejectReview(ctxOf(world.app.deps), { id: review.id, reason: 'It is not by this customer.' })
    await published(named)
    expect(await problemOf(await submit(named))).toMatchObject(duplicate)
  }
})
