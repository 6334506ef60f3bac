// The states of a review: every state × every action, by verb and by SQL, and concurrent actions.
import { describe, expect, test } from 'bun:test'

import {
  approveReview,
  rejectReview,
  respondToReview,
  submitReview,
  takeDownReview,
  voteOnReview,
} from '../../../../src/features/reviews/reviews/verbs/reviews.ts'
import { listActions } from '../../../../src/features/upkeep/audit/verbs.ts'
import { transition } from '../../../../src/transition.ts'
import { withdrawReview } from '../../../../src/features/reviews/reviews/verbs/proof.ts'
import { REVIEW, type ReviewAction, type ReviewState } from '../../../../src/features/reviews/reviews/states.ts'
import { openTestApp } from '../../../support/app.ts'
import { eventsOf, reviewRowsOf, findMiscounted, findPros, createAuthor, newReview } from '../../../support/reviews.ts'
import { opened } from '../../../support/fixture.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const STATES = Object.keys(REVIEW) as ReviewState[]
const ROUNDS = 200

const app = await opened(openTestApp())
const [row] = await findPros(app, 1)
if (!row) throw new Error('The seed has no pros.')
const pro = row
const author = await createAuthor(app)

const actions: Record<ReviewAction, (id: string) => Promise<unknown>> = {
  approve: (id) => approveReview(ctxOf(app.deps), { id }),
  reject: (id) => rejectReview(ctxOf(app.deps), { id, reason: 'It names a person.' }),
  take_down: (id) => takeDownReview(ctxOf(app.deps), { id, reason: 'It names a person.' }),
  disown: (id) =>
    ctxOf(app.deps).transaction('disown', async (ctx) => {
      const [review] = await ctx.tx.run<{ id: string; status: ReviewState }>(
        'lock',
        (sql) => sql`select id, status from reviews where id = ${id}`,
      )
      if (review) transition(REVIEW, 'review', review.status, 'disown')
      if (review) await withdrawReview(ctx, review)
    }),
  respond: (id) =>
    respondToReview(ctxOf(app.deps, { accountId: author.accountId, professionalId: pro.id }), {
      id,
      content: 'Thank you.',
    }),
}
const ACTIONS = Object.keys(actions) as ReviewAction[]

/** The event of each action. Spec §6 has none for the others. */
const EVENTS: Partial<Record<ReviewAction, string>> = { approve: 'review.approved' }

async function reviewThatIs(state: ReviewState): Promise<string> {
  const { review } = await submitReview(ctxOf(app.deps, { ...author, isProven: true }), newReview(pro.id))
  if (state === 'approved') await actions.approve(review.id)
  if (state === 'rejected') await actions.reject(review.id)
  return review.id
}

const statusOf = async (id: string) => {
  const { review } = (await reviewRowsOf(app, id)) as { review: { status: string } }
  return review.status
}

describe.each(STATES)('a review that is %s', (state) => {
  test.each(ACTIONS)(`follows the transition table on %s`, async (action) => {
    const id = await reviewThatIs(state)
    const [before, events] = [await reviewRowsOf(app, id), await eventsOf(app, id)]
    const next = REVIEW[state][action]
    const outcome = await actions[action](id).then(
      () => 'moved',
      (error: unknown) => error,
    )
    if (next === undefined) {
      expect(outcome).toMatchObject({ code: 'invalid_transition', status: 409, extensions: { state, action } })
      expect(await reviewRowsOf(app, id)).toEqual(before)
    } else {
      expect(outcome).toBe('moved')
      expect(await statusOf(id)).toBe(next)
      expect(await eventsOf(app, id)).toEqual([...events, ...(EVENTS[action] ? [EVENTS[action]] : [])])
    }
  })

  test.each(STATES.filter((other) => other !== state))(
    'can become %s in SQL only if an action allows it',
    async (next) => {
      const id = await reviewThatIs(state)
      const fields = {
        approved_at: next === 'approved' ? app.deps.clock.now().toISOString() : null,
        rejected_at: next === 'rejected' ? app.deps.clock.now().toISOString() : null,
        rejection_reason: next === 'rejected' ? 'Because.' : null,
      }
      const outcome = await app.deps.write
        .run('moveBySql', (sql) => sql`update reviews set status = ${next}, ${sql(fields)} where id = ${id}`)
        .then(
          () => 'moved',
          (error: unknown) => error,
        )
      if (Object.values(REVIEW[state]).includes(next)) expect(outcome).toBe('moved')
      else expect(outcome).toMatchObject({ code: '23514', constraint_name: 'review_transition' })
    },
  )
})

test('a review that is taken down counts no more, and leaves room for another', async () => {
  const id = await reviewThatIs('approved')
  const before = (await reviewRowsOf(app, id)) as { count: number }
  await actions.take_down(id)
  const after = (await reviewRowsOf(app, id)) as { count: number; review: { status: string; rejection_reason: string } }
  expect(after.count).toBe(before.count - 1)
  expect(after.review).toMatchObject({ status: 'rejected', rejection_reason: 'It names a person.' })
  expect(await findMiscounted(app)).toEqual([])
  expect(await listActions(ctxOf(app.deps), { subjectId: id })).toMatchObject([
    { action: 'review.rejected', reason: 'It names a person.', details: { wasPublished: true } },
    { action: 'review.approved' },
  ])
})

test('a review is taken down with a reason only', async () => {
  const id = await reviewThatIs('approved')
  const withoutReason = takeDownReview(ctxOf(app.deps), { id, reason: ' ' })
  expect(await withoutReason.catch((error: unknown) => error)).toMatchObject({ code: 'validation_failed' })
  expect(await statusOf(id)).toBe('approved')
})

test('the database allows inserts of pending reviews only', async () => {
  for (const state of STATES.filter((other) => other !== 'pending')) {
    const insert = app.deps.write.run(
      'insertBySql',
      (sql) => sql`
        insert into reviews (id, professional_id, status, rating, content, customer_name, customer_email, created_at,
          approved_at, rejected_at, rejection_reason)
        values (gen_random_uuid(), ${pro.id}, ${state}, 5, 'Fine.', 'Homeowner', ${`${state}@sql.test.example`}, '2026-01-01',
          ${state === 'approved' ? '2026-01-01' : null}, ${state === 'rejected' ? '2026-01-01' : null},
          ${state === 'rejected' ? 'Because.' : null})`,
    )
    expect(await insert.catch((error: unknown) => error)).toMatchObject({ constraint_name: 'review_transition' })
  }
})

test('the database refuses inconsistent states', async () => {
  const approved = await reviewThatIs('approved')
  const pending = await reviewThatIs('pending')
  const changes = {
    'approved without a moment': [approved, { approved_at: null }],
    'rejected without a reason': [pending, { rejected_at: '2026-01-01' }],
    'answered before it is published': [pending, { response: 'Hm.', responded_at: '2026-01-01' }],
    'verified without work': [pending, { verified: true }],
  } as const
  for (const [what, [id, fields]] of Object.entries(changes)) {
    const change = app.deps.write.run(what, (sql) => sql`update reviews set ${sql(fields)} where id = ${id}`)
    const code = await change.catch((error: { code?: string }) => error.code)
    expect([what, code]).toEqual([what, '23514'])
  }
})

const fresh = () => reviewThatIs('pending')

/** Runs the actions at once. Returns how many succeeded; the others must fail on the state that the first one left. */
async function race(...attempts: Promise<unknown>[]): Promise<number> {
  const outcomes = await Promise.allSettled(attempts)
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'invalid_transition' })
  return outcomes.filter(({ status }) => status === 'fulfilled').length
}

test(`a review approved twice at once, ${ROUNDS} times, is approved and counted once and emits one event`, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const id = await fresh()
    expect(await race(actions.approve(id), actions.approve(id))).toBe(1)
    expect(await eventsOf(app, id)).toEqual(['review.submitted', 'review.approved'])
  }
  expect(await findMiscounted(app)).toEqual([])
}, 60_000)

test(`a review approved and rejected at once, ${ROUNDS} times, ends in one of the two, with consistent statistics`, async () => {
  const seen = new Set<string>()
  for (let round = 0; round < ROUNDS; round++) {
    const id = await fresh()
    const [first, second] = round % 2 === 0 ? (['approve', 'reject'] as const) : (['reject', 'approve'] as const)
    expect(await race(actions[first](id), actions[second](id))).toBe(1)
    const status = await statusOf(id)
    seen.add(status)
    expect(await eventsOf(app, id)).toEqual(['review.submitted', ...(status === 'approved' ? ['review.approved'] : [])])
  }
  expect([...seen].sort()).toEqual(['approved', 'rejected'])
  expect(await findMiscounted(app)).toEqual([])
}, 60_000)

test('the same review submitted eight times at once is stored once', async () => {
  const input = newReview(pro.id)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 8 }, () => submitReview(ctxOf(app.deps, { ...author, isProven: true }), input)),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'duplicate_review' })
})

test('concurrent votes count once per account, with the account’s last vote', async () => {
  const id = await reviewThatIs('approved')
  const voters = await Promise.all(Array.from({ length: 5 }, () => createAuthor(app)))
  const votes = voters.flatMap((voter) => [true, false, true].map((helpful) => ({ voter, helpful })))
  await Promise.all(votes.map(({ voter, helpful }) => voteOnReview(ctxOf(app.deps, voter), { reviewId: id, helpful })))
  const [row] = await app.deps.write.run<{ kept: object; counted: object }>(
    'countVotes',
    (sql) => sql`
      select json_build_object('yes', r.helpful_yes, 'no', r.helpful_no) as kept, (
        select json_build_object('yes', count(*) filter (where helpful), 'no', count(*) filter (where not helpful))
        from review_votes v where v.review_id = r.id) as counted
      from reviews r where r.id = ${id}`,
  )
  expect(row?.kept).toEqual(row?.counted ?? {})
  const value = await voteOnReview(ctxOf(app.deps, voters[0] ?? author), { reviewId: id, helpful: true })
  expect(value.helpful.yes + value.helpful.no).toBe(voters.length)
})
