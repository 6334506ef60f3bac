// Concurrent changes of a quote have one outcome and consistent rows.
import { expect, test } from 'bun:test'

import { ANONYMOUS } from '../../../../src/auth/accounts/verbs.ts'
import { acceptQuote, declineQuote } from '../../../../src/features/quoting/quotes/verbs/customer-link.ts'
import { expireQuotes, sendQuote } from '../../../../src/features/quoting/quotes/verbs/quotes.ts'
import { openTestApp } from '../../../support/app.ts'
import { depsAfter, outcomeOf, quotingPro, sentQuote, tokenOf } from '../../../support/quotes.ts'
import { opened } from '../../../support/fixture.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const ROUNDS = 200
const ROUND_MS = 60_000

const app = await opened(openTestApp())
const sql = app.sql
const pro = await quotingPro(app)

/** Checks that the rows of a request are consistent. */
async function settled(rfqId: string): Promise<string[]> {
  const quotes = await sql<{ id: string; status: string; jobs: number; events: string[]; sequences: number[] }[]>`
    select q.id, q.status, (select count(*)::int from jobs j where j.quote_id = q.id) as jobs,
      (select json_agg(e.type order by e.sequence) from outbox_events e where e.aggregate_id = q.id) as events,
      (select json_agg(e.sequence order by e.sequence) from outbox_events e where e.aggregate_id = q.id) as sequences
    from quotes q where q.rfq_id = ${rfqId} order by q.created_at, q.id`
  for (const { status, jobs, events, sequences } of quotes) {
    expect(jobs).toBe(status === 'accepted' ? 1 : 0)
    expect(events).toEqual(['quote.sent', ...(status === 'sent' || status === 'superseded' ? [] : [`quote.${status}`])])
    expect(sequences).toEqual(events.map((_, index) => index + 1))
  }
  expect(quotes.filter(({ status }) => ['sent', 'viewed', 'accepted'].includes(status)).length).toBeLessThan(2)
  return quotes.map(({ status }) => status)
}

/** Prints the number of each outcome, which shows whether the race took place. Both outcomes are correct. */
const note = (what: string, counts: Record<string, number>) =>
  process.stdout.write(`${what}: ${JSON.stringify(counts)}\n`)

/** The number of rounds with each outcome. */
async function tally(round: () => Promise<string>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (let n = 0; n < ROUNDS; n++) {
    const ended = await round()
    counts[ended] = (counts[ended] ?? 0) + 1
  }
  return counts
}

test(
  'a quote that is accepted twice at once is accepted once',
  async () => {
    const counts = await tally(async () => {
      const { rfqId, token } = await sentQuote(app.deps, pro)
      const outcomes = await Promise.all(
        [1, 2].map(() => outcomeOf(acceptQuote(ctxOf(app.deps, ANONYMOUS), { token }))),
      )
      expect(outcomes.sort()).toEqual(['accepted', 'done'])
      return (await settled(rfqId)).join()
    })
    expect(counts).toEqual({ accepted: ROUNDS })
  },
  ROUND_MS,
)

test(
  'one of two quotes for a request becomes a job when both are accepted at once',
  async () => {
    const counts = await tally(async () => {
      const { rfqId, token } = await sentQuote(app.deps, pro)
      const acceptNewer = async () => {
        const { quote } = await sendQuote(ctxOf(app.deps, pro), { rfqId, amount: 450 })
        return await acceptQuote(ctxOf(app.deps, ANONYMOUS), { token: tokenOf(app.deps, quote.id) })
      }
      const outcomes = await Promise.all([
        outcomeOf(acceptQuote(ctxOf(app.deps, ANONYMOUS), { token })),
        outcomeOf(acceptNewer()),
      ])
      const states = (await settled(rfqId)).join()
      expect([outcomes.join(), states]).toBeOneOf([
        ['done,accepted', 'accepted'],
        ['superseded,done', 'superseded,accepted'],
      ])
      return states
    })
    note('first accepted or superseded', counts)
  },
  ROUND_MS,
)

test(
  'a quote that is accepted as it expires is either accepted or expired',
  async () => {
    const validMs = 86_400_000
    const justBefore = depsAfter(app.deps, validMs - 1)
    const atEnd = depsAfter(app.deps, validMs)
    const counts = await tally(async () => {
      const { rfqId, token } = await sentQuote(app.deps, pro, { validForDays: 1 })
      const sweep = expireQuotes(ctxOf(atEnd), { limit: 10 })
      const [accepted] = await Promise.all([outcomeOf(acceptQuote(ctxOf(justBefore, ANONYMOUS), { token })), sweep])
      const states = await settled(rfqId)
      expect([accepted, ...states]).toBeOneOf([
        ['done', 'accepted'],
        ['expired', 'expired'],
      ])
      return states.join()
    })
    note('accepted or expired', counts)
  },
  ROUND_MS,
)

test('a quote that expires while it is accepted is either expired or accepted', async () => {
  const validMs = 86_400_000
  // Each reading of the clock is a millisecond later, so the quote ends before, at or after each reading.
  for (let first = validMs - 12; first <= validMs; first++) {
    const { rfqId, token } = await sentQuote(app.deps, pro, { validForDays: 1 })
    let ms = first
    const ticking = { ...app.deps, clock: { now: () => depsAfter(app.deps, ms++).clock.now() } }
    const accepted = await outcomeOf(acceptQuote(ctxOf(ticking, ANONYMOUS), { token }))
    const [state = ''] = await settled(rfqId)
    expect([first - validMs, accepted, state]).toBeOneOf([
      [first - validMs, 'done', 'accepted'],
      [first - validMs, 'expired', 'sent'],
    ])
  }
})

test(
  'a quote that is accepted and declined at once is either accepted or declined',
  async () => {
    const counts = await tally(async () => {
      const { rfqId, token } = await sentQuote(app.deps, pro)
      const [accepted, declined] = await Promise.all([
        outcomeOf(acceptQuote(ctxOf(app.deps, ANONYMOUS), { token })),
        outcomeOf(declineQuote(ctxOf(app.deps, ANONYMOUS), { token })),
      ])
      const [state = ''] = await settled(rfqId)
      expect([accepted, declined, state]).toBeOneOf([
        ['done', 'accepted', 'accepted'],
        ['declined', 'done', 'declined'],
      ])
      return state
    })
    note('accepted or declined', counts)
  },
  ROUND_MS,
)
