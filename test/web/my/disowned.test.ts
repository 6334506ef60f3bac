// What follows when the owner of an address disowns something: reviews are unpublished, nothing is sent, and operators see it.
import { describe, expect, test } from 'bun:test'

import { approveReview, respondToReview, submitReview } from '../../../src/features/reviews/reviews/verbs/reviews.ts'
import { createRfq } from '../../../src/features/quoting/rfqs/verbs/rfqs.ts'
import { type FixturePro, openBookingFixture } from '../../support/booking-fixture.ts'
import { bookFor, complete, newAddress, signedInCustomer } from '../../support/customers.ts'
import { readCopy } from '../../support/customer-copy.ts'
import { opened } from '../../support/fixture.ts'
import { createAuthor, findMiscounted, newReview, reviewsOf } from '../../support/reviews.ts'
import { type Visitor, loggedInVisitor } from '../../support/visitor.ts'
import { ctxOf } from '../../../src/ctx.ts'

const world = await opened(openBookingFixture({ INSTANT_BOOKING_FEE_CENTS: '0' }))
const freePro = () => world.pro({ deposit: false })

const notMine = (visitor: Visitor, kind: string, id: string) => visitor.post(`/my/${kind}/${id}/not-mine`)

async function sendReview(pro: FixturePro, email: string, isProven = false) {
  const { deps } = world.app
  const author = await createAuthor(world.app)
  const scores = { punctuality: 1, value: 2 }
  const input = newReview(pro.id, { rating: 1, content: 'A forged text.', scores, customer: { name: 'Demo', email } })
  return { id: (await submitReview(ctxOf(deps, { ...author, isProven }), input)).review.id, author }
}

async function publishedReview(pro: FixturePro, email: string) {
  const sent = await sendReview(pro, email)
  await approveReview(ctxOf(world.app.deps), { id: sent.id })
  return sent
}

const statusOf = async (id: string) =>
  (await world.sql<{ status: string }[]>`select status from reviews where id = ${id}`)[0]?.status
const actionsOn = async (id: string) =>
  (await world.sql<{ action: string }[]>`select action from operator_actions where subject_id = ${id}`).map(
    ({ action }) => action,
  )

describe('a review that others sent with the address of another person', () => {
  test('is marked in the list of the owner, and one of their own is not', async () => {
    const [pro, other, email] = [await freePro(), await freePro(), newAddress()]
    const { id } = await sendReview(pro, email)
    const own = await sendReview(other, email, true)
    const visitor = await signedInCustomer(world.app, email)
    for (const path of ['/my', '/my/reviews']) {
      const { text } = await visitor.get(path)
      expect(text).toContain('Made through another website or app, not by you')
      expect(text).toContain(`action="/my/reviews/${id}/not-mine"`)
      expect(text).not.toContain(`/my/reviews/${own.id}/not-mine`)
    }
    expect((await notMine(visitor, 'reviews', own.id)).location).toBe('/my')
    expect((await visitor.get('/my')).text).toContain('You made this review while you were signed in.')
    expect(await statusOf(own.id)).toBe('pending')
  })

  test('is unpublished when the owner disowns it: the stars and the pro’s answer go in the same transaction', async () => {
    const [pro, email] = [await freePro(), newAddress()]
    const kept = await publishedReview(pro, newAddress())
    const before = (await reviewsOf(world.app, pro.id)).stats
    const { id } = await publishedReview(pro, email)
    await respondToReview(ctxOf(world.app.deps, { accountId: pro.accountId, professionalId: pro.id }), {
      id,
      content: 'We never met.',
    })
    const visitor = await signedInCustomer(world.app, email)
    expect((await notMine(visitor, 'reviews', id)).location).toBe('/my')
    expect((await visitor.get('/my')).text).toContain('It is not published')
    const { reviews, stats } = await reviewsOf(world.app, pro.id)
    expect(reviews.map((review) => review.id)).toEqual([kept.id])
    expect(stats).toEqual(before)
    expect(await findMiscounted(world.app)).toEqual([])
    expect([await statusOf(id), await actionsOn(id)]).toEqual(['rejected', ['review.approved', 'review.disowned']])
    expect((await visitor.get('/my/reviews')).text).not.toContain(id)
    const console = await loggedInVisitor(world.app, 'pro', { pro: pro.id })
    expect((await console.get('/console')).text).toContain('says that they did not write it')
  })

  test('is not moderated any more, and does not stand in the way of the owner’s own', async () => {
    const [pro, email] = [await freePro(), newAddress()]
    const { id } = await sendReview(pro, email)
    await notMine(await signedInCustomer(world.app, email), 'reviews', id)
    const outcome = await approveReview(ctxOf(world.app.deps), { id }).catch((error: unknown) => error)
    expect(outcome).toMatchObject({ code: 'invalid_transition' })
    expect(await statusOf((await sendReview(pro, email, true)).id)).toBe('pending')
  })

  test('is left alone by a stranger', async () => {
    const { id } = await publishedReview(await freePro(), newAddress())
    expect((await notMine(await signedInCustomer(world.app), 'reviews', id)).status).toBe(404)
    expect([await statusOf(id), await actionsOn(id)]).toEqual(['approved', ['review.approved']])
  })
})

describe('what is disowned', () => {
  const made = async (pro: FixturePro, email: string) => {
    const { booking } = await bookFor(world, email, pro)
    const asked = { professionalId: pro.id, customer: { name: 'A customer', email }, description: 'A leak.' }
    const { rfq } = await createRfq(ctxOf(world.app.deps, { accountId: pro.accountId }), asked)
    const review = await publishedReview(pro, email)
    return { bookings: booking.id, requests: rfq.id, reviews: review.id }
  }

  test('stays so when the form is sent again, with the same answer and one entry for operators', async () => {
    const [pro, email] = [await freePro(), newAddress()]
    const visitor = await signedInCustomer(world.app, email)
    for (const [kind, id] of Object.entries(await made(pro, email))) {
      const answers = [await notMine(visitor, kind, id), await notMine(visitor, kind, id)]
      expect(answers.map(({ status, location }) => [status, location])).toEqual([
        [303, '/my'],
        [303, '/my'],
      ])
      expect((await visitor.get('/my')).text).toContain('It is off your list.')
      expect((await actionsOn(id)).filter((action) => action.endsWith('.disowned'))).toHaveLength(1)
      const both = await Promise.all([notMine(visitor, kind, id), notMine(visitor, kind, id)])
      expect(both.map(({ status }) => status)).toEqual([303, 303])
    }
  })

  test('is not in the copy of the customer’s data', async () => {
    const [pro, email] = [await freePro(), newAddress()]
    const ids = await made(pro, email)
    const own = await sendReview(await freePro(), email, true)
    const visitor = await signedInCustomer(world.app, email)
    for (const [kind, id] of Object.entries(ids)) await notMine(visitor, kind, id)
    const copy = JSON.stringify((await readCopy(world.app.deps, email)).copy)
    for (const id of Object.values(ids)) expect(copy).not.toContain(id)
    expect(copy).toContain(own.id)
    expect(copy).toContain('What you said was not you is left out')
  })

  test('brings no invitation to review it, when it had begun', async () => {
    const [pro, email] = [await freePro(), newAddress()]
    const [early, late] = [(await bookFor(world, email, pro, 0)).booking, (await bookFor(world, email, pro, 3)).booking]
    const visitor = await signedInCustomer(world.app, email)
    const invited = async () =>
      (
        await world.sql<{ id: string }[]>`
      select m.booking_id as id from messages m
      where m.kind = 'review-invitation' and m.recipient = ${email}
        and current_message_data(m, now()) is not null`
      ).map(({ id }) => id)
    const plan = () => world.sql`
      select plan_messages(array(select id from outbox_events where type = 'booking.completed'), now())`
    await complete(world, pro, late)
    await plan()
    expect(await invited()).toEqual([late.id])
    // Also the one that is planned already.
    await notMine(visitor, 'bookings', late.id)
    expect(await invited()).toEqual([])
    await world.sql`update bookings set disowned_at = now() where id = ${early.id}`
    await complete(world, pro, early)
    await plan()
    const planned = await world.sql`
      select from messages where booking_id = ${early.id} and kind = 'review-invitation'`
    expect(planned).toHaveLength(0)
  })

  test('is listed for operators, with the account that made it', async () => {
    const [pro, email] = [await freePro(), newAddress()]
    const ids = await made(pro, email)
    const visitor = await signedInCustomer(world.app, email)
    for (const [kind, id] of Object.entries(ids)) await notMine(visitor, kind, id)
    const operator = await loggedInVisitor(world.app, 'operator')
    expect((await operator.get('/console')).text).toContain('href="/console/disowned"')
    const { text } = await operator.get('/console/disowned')
    for (const part of [...Object.values(ids), email, pro.email]) expect(text).toContain(part)
    for (const role of ['pro', 'developer'] as const)
      expect(
        (await (await loggedInVisitor(world.app, role, role === 'pro' ? { pro: pro.id } : {})).get('/console/disowned'))
          .status,
      ).toBe(403)
  })
})
