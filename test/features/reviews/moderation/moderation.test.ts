// A moderator's search, and decisions about several reviews at once.
import { expect, test } from 'bun:test'

import { listActions } from '../../../../src/features/upkeep/audit/verbs.ts'
import type { ModerationQuery } from '../../../../src/features/reviews/moderation/schemas.ts'
import { moderateReviews, searchReviews } from '../../../../src/features/reviews/moderation/verbs.ts'
import { approveReview, submitReview } from '../../../../src/features/reviews/reviews/verbs/reviews.ts'
import { openTestApp } from '../../../support/app.ts'
import { opened } from '../../../support/fixture.ts'
import { createAuthor, findPros, newReview, reviewRowsOf } from '../../../support/reviews.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const app = await opened(openTestApp())

async function submitted(...contents: string[]) {
  const [pro] = await findPros(app, 1)
  const author = await createAuthor(app)
  const ids: string[] = []
  for (const [index, content] of contents.entries()) {
    const customer = { name: `Reviewer ${content}`, email: `${crypto.randomUUID()}@customers.test.example` }
    const review = newReview(pro?.id ?? '', { content, customer, rating: (index % 5) + 1 })
    ids.push((await submitReview(ctxOf(app.deps, { ...author, isProven: true }), review)).review.id)
  }
  return { ids, pro }
}

const statusOf = async (id: string) => ((await reviewRowsOf(app, id)) as { review: { status: string } }).review.status

test('each review is decided by itself: those that another moderator decided are named and left', async () => {
  const { ids } = await submitted('one', 'two', 'three')
  const [first = '', second = '', third = ''] = ids
  await approveReview(ctxOf(app.deps), { id: second })
  const unknown = crypto.randomUUID()
  const decision = { decision: 'reject', reason: 'Advertising.', by: null } as const
  const { done, failed } = await moderateReviews(ctxOf(app.deps), {
    ids: [first, first, second, third, unknown],
    ...decision,
  })
  expect([done, failed.map(({ id }) => id)]).toEqual([2, [second, unknown]])
  expect(await Promise.all(ids.map(statusOf))).toEqual(['rejected', 'approved', 'rejected'])
  expect(await listActions(ctxOf(app.deps), { subjectId: first })).toMatchObject([
    { action: 'review.rejected', reason: 'Advertising.' },
  ])
})

test('a rejection needs a reason, and decides nothing without one', async () => {
  const { ids } = await submitted('four')
  const rejection = moderateReviews(ctxOf(app.deps), { ids, decision: 'reject', reason: ' ', by: null })
  expect(await rejection.catch((error: unknown) => error)).toMatchObject({ code: 'validation_failed' })
  expect(await statusOf(ids[0] ?? '')).toBe('pending')
})

test('a search finds by text, author, pro, rating, verification and age, in every order', async () => {
  const { ids, pro } = await submitted('zebra crossing', 'a Zebra 100%', 'nothing of the kind')
  const find = async (query: ModerationQuery) =>
    (await searchReviews(ctxOf(app.deps), query)).reviews.map(({ id }) => id)
  const [first = '', second = ''] = ids
  expect(await find({ q: 'zebra', sort: 'oldest' })).toEqual([first, second])
  expect(await find({ q: 'zebra', sort: 'rating_high' })).toEqual([second, first])
  expect(await find({ q: '100%' })).toEqual([second])
  expect(await find({ q: 'reviewer zebra c' })).toEqual([first])
  expect(await find({ q: 'zebra', rating: '2' })).toEqual([second])
  expect(await find({ q: 'zebra', verified: 'yes' })).toEqual([])
  expect(await find({ q: 'zebra', pro: pro?.slug ?? '', age: '1', status: 'all' })).toHaveLength(2)
  expect(await find({ q: 'zebra', age: 'older' })).toEqual([])
  expect(await searchReviews(ctxOf(app.deps), { q: 'zebra', limit: 1, offset: 1 })).toMatchObject({
    total: 2,
    reviews: [{ id: first }],
  })
})
