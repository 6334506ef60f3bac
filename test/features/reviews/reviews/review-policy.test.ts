// When reviews are published: after an operator has read them, or at once if they are verified; and what pages say of it.
import { beforeAll, describe, expect, test } from 'bun:test'

import { Visitor } from '../../../support/visitor.ts'
import { ctxOf } from '../../../../src/ctx.ts'
import type { ReviewPolicy } from '../../../../src/features/upkeep/marketplace/schemas.ts'
import { getDefaults, getMarketplace, updateMarketplace } from '../../../../src/features/upkeep/marketplace/verbs.ts'
import { takeDownReview } from '../../../../src/features/reviews/reviews/verbs/reviews.ts'
import { waitUntil } from '../../../../src/platform/clock/deadlines.ts'
import { STARTED_AT, book, openBookingFixture } from '../../../support/booking-fixture.ts'
import { opened } from '../../../support/fixture.ts'
import { confirmByMail, eventsOf, newReview, reviewsOf } from '../../../support/reviews.ts'

const world = await opened(openBookingFixture())
const key = await world.app.key(['reviews:write'])
const ctx = ctxOf(world.app.deps)
const AFTER = '2026-11-25T00:00:00.000Z'

async function choose(reviewPolicy: ReviewPolicy): Promise<void> {
  const { version } = await getMarketplace(ctx)
  await updateMarketplace(ctx, { reviewPolicy, version, by: null })
  expect(await waitUntil(async () => (await getDefaults(ctx)).reviewPolicy === reviewPolicy, 10_000)).toBe(true)
}

/** A review of a visit that is over. */
async function reviewed() {
  world.clock.set(STARTED_AT)
  const pro = await world.pro({ deposit: false })
  const { booking } = await book(world, pro)
  world.clock.set(AFTER)
  const customer = { name: 'Homeowner in Austin', email: 'home@example.com' }
  const json = newReview(pro.id, { customer, bookingId: booking.id })
  const response = await world.app.send('/api/v1/reviews', { key, json })
  expect(response.status).toBe(201)
  const { review } = (await response.json()) as { review: { id: string } }
  const complete = async () => {
    const done = await world.app.send(`/api/v1/pro/bookings/${booking.id}`, {
      key: pro.key,
      json: { action: 'complete' },
    })
    expect(done.status).toBe(200)
  }
  return { id: review.id, pro, complete }
}

const statusOf = async (id: string) =>
  (await world.sql<{ status: string }[]>`select status from reviews where id = ${id}`)[0]?.status
const textAt = async (path: string) => (await new Visitor(world.app).get(path)).text.replace(/\s+/g, ' ')
const PAGES = ['/about', '/for-pros', '/terms']
const AT_ONCE = 'A verified review is published at once.'

describe('while an operator reads each review first', () => {
  test('a verified one waits, and pages say so', async () => {
    const { id, complete } = await reviewed()
    await complete()
    await confirmByMail(world.app, id)
    expect([await statusOf(id), await eventsOf(world.app, id)]).toEqual(['pending', ['review.submitted']])
    for (const path of PAGES) {
      expect(await textAt(path)).toContain('A moderator reads each review before it is published.')
      expect(await textAt(path)).not.toContain(AT_ONCE)
    }
  })
})

describe('while verified reviews are published at once', () => {
  beforeAll(() => choose('verified_at_once'))

  test('pages say so, and none says that each is read first', async () => {
    for (const path of PAGES) {
      expect(await textAt(path)).toContain(AT_ONCE)
      expect(await textAt(path)).not.toMatch(/each review before|[Ee]very review is read|are read before/)
    }
  })

  test('one is published when its author confirms it, with its event and in the statistics', async () => {
    const { id, pro, complete } = await reviewed()
    await complete()
    expect(await statusOf(id)).toBe('pending')
    await confirmByMail(world.app, id)
    expect([await statusOf(id), await eventsOf(world.app, id)]).toEqual([
      'approved',
      ['review.submitted', 'review.approved'],
    ])
    expect((await reviewsOf(world.app, pro.id)).stats.total).toBe(1)
    await confirmByMail(world.app, id)
    expect(await eventsOf(world.app, id)).toHaveLength(2)
  })

  test('one is published when the pro completes the work, if its author has confirmed it', async () => {
    const [confirmed, unconfirmed] = [await reviewed(), await reviewed()]
    await confirmByMail(world.app, confirmed.id)
    expect(await statusOf(confirmed.id)).toBe('pending')
    await confirmed.complete()
    await unconfirmed.complete()
    expect([await statusOf(confirmed.id), await statusOf(unconfirmed.id)]).toEqual(['approved', 'pending'])
  })

  test('one by the address of a team member waits for an operator', async () => {
    const { id, pro, complete } = await reviewed()
    await world.sql`insert into members (id, professional_id, name, email, role, active, created_at)
      values (${crypto.randomUUID()}, ${pro.id}, 'Helper', 'home@example.com', 'crew', true, ${AFTER})`
    await complete()
    await confirmByMail(world.app, id)
    expect(await statusOf(id)).toBe('pending')
  })

  test('an operator takes one down: it counts no more, in the statistics and in search', async () => {
    const { id, pro, complete } = await reviewed()
    await complete()
    await confirmByMail(world.app, id)
    const docOf = async () =>
      (await world.sql<{ doc: string }[]>`select doc from pro_search where professional_id = ${pro.id}`)[0]?.doc
    expect(await docOf()).toContain('"reviewCount":1')
    await takeDownReview(ctx, { id, reason: 'It names a neighbor.' })
    expect(await docOf()).toContain('"reviewCount":0')
    expect((await reviewsOf(world.app, pro.id)).stats.total).toBe(0)
    expect(await eventsOf(world.app, id)).toEqual(['review.submitted', 'review.approved'])
  })
})
