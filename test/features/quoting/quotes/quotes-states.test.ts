// Requests, quotes and jobs follow their transition tables: every state × every action over HTTP, and every pair of states
// in SQL.
import { describe, expect, test } from 'bun:test'

import { JOB, type JobAction, type JobState } from '../../../../src/features/booking/jobs/states.ts'
import { expireQuotes } from '../../../../src/features/quoting/quotes/verbs/quotes.ts'
import { QUOTE, type QuoteAction, type QuoteState } from '../../../../src/features/quoting/quotes/states.ts'
import { RFQ, type RfqAction, type RfqState } from '../../../../src/features/quoting/rfqs/states.ts'
import { openTestApp } from '../../../support/app.ts'
import { eventsOf, depsAfter, quotingPro, sentQuote } from '../../../support/quotes.ts'
import { opened } from '../../../support/fixture.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const app = await opened(openTestApp())
const sql = app.sql
const pro = await quotingPro(app)

const YEAR_MS = 365 * 86_400_000

/** Puts a row into a state, bypassing triggers but not constraints. */
async function force(table: 'rfqs' | 'quotes' | 'jobs', id: string, status: string): Promise<void> {
  const columns = columnsIn(table, status)
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`update ${tx(table)} set ${tx(columns)} where id = ${id}`
  })
}

/** The columns that the constraints require in a state. */
function columnsIn(table: 'rfqs' | 'quotes' | 'jobs', status: string): Record<string, string | null> {
  const now = app.deps.clock.now()
  const at = (...states: string[]) => (states.includes(status) ? now.toISOString() : null)
  const monthAhead = new Date(now.getTime() + 30 * 86_400_000).toISOString()
  if (table === 'rfqs') return { status }
  if (table === 'jobs')
    return {
      status,
      started_at: at('in_progress'),
      completed_at: at('completed'),
      cancelled_at: at('cancelled'),
    }
  return {
    status,
    sent_at: status === 'draft' ? null : now.toISOString(),
    valid_until: status === 'draft' ? null : status === 'expired' ? now.toISOString() : monthAhead,
    viewed_at: at('viewed'),
    accepted_at: at('accepted'),
    declined_at: at('declined'),
    expired_at: at('expired'),
    superseded_at: at('superseded'),
  }
}

const rowOf = async (table: 'rfqs' | 'quotes' | 'jobs', id: string) => {
  const [row] = await sql<{ status: string }[]>`select * from ${sql(table)} where id = ${id}`
  return row
}

const post = (path: string, json: object = {}) => app.send(path, { key: pro.key, json })
const problemOf = async (response: Response) => ({
  status: response.status,
  code: ((await response.json()) as { code?: string }).code,
})
const REFUSED = { status: 409, code: 'invalid_transition' }

const cases = <S extends string, A extends string>(
  table: Record<S, { readonly [K in A]?: S }>,
  actions: readonly A[],
) =>
  (Object.keys(table) as S[]).flatMap((state) =>
    actions.map((action): [S, A, S | undefined] => [state, action, table[state][action]]),
  )

describe('a request for a quote', () => {
  test.each(cases<RfqState, RfqAction>(RFQ, ['respond', 'archive']))(
    'that is %s and gets the action %s becomes %s',
    async (state, action, next) => {
      const { rfqId, quoteId } = await sentQuote(app.deps, pro)
      // Without the open quote, which would be superseded.
      await force('quotes', quoteId, 'declined')
      await force('rfqs', rfqId, state)
      const before = await rowOf('rfqs', rfqId)
      const response =
        action === 'archive'
          ? await post(`/api/v1/pro/leads/${rfqId}/archive`)
          : await post('/api/v1/pro/quotes', { rfqId, amount: 100 })
      if (next === undefined) {
        expect(await problemOf(response)).toEqual(REFUSED)
        expect(await rowOf('rfqs', rfqId)).toEqual(before)
      } else {
        expect(response.status).toBe(action === 'archive' ? 200 : 201)
        expect((await rowOf('rfqs', rfqId))?.status).toBe(next)
      }
      // Requests have one event only, rfq.created.
      expect((await eventsOf(app.deps, rfqId)).map(({ type }) => type)).toEqual(['rfq.created'])
    },
  )
})

describe('a quote', () => {
  /** The event of each state. Superseding has none of its own; the newer quote's quote.sent implies it. */
  const EVENT: Partial<Record<QuoteState, string>> = {
    viewed: 'quote.viewed',
    accepted: 'quote.accepted',
    declined: 'quote.declined',
    expired: 'quote.expired',
  }
  const ACT: Record<
    Exclude<QuoteAction, 'edit' | 'send'>,
    (ids: { token: string; rfqId: string }) => Promise<Response | void>
  > = {
    view: ({ token }) => app.send(`/api/v1/quotes/${token}`),
    accept: ({ token }) => app.send(`/api/v1/quotes/${token}/accept`, { method: 'POST' }),
    decline: ({ token }) => app.send(`/api/v1/quotes/${token}/decline`, { json: { reason: 'Too late.' } }),
    expire: async () => void (await expireQuotes(ctxOf(depsAfter(app.deps, YEAR_MS)), { limit: 1000 })),
    supersede: ({ rfqId }) => post('/api/v1/pro/quotes', { rfqId, amount: 100 }),
  }
  /** Actions that succeed without effect where the table does not allow them: views, expiry and superseding. */
  const isHarmless = (state: QuoteState, action: QuoteAction) =>
    action === 'view' || action === 'expire' || (action === 'supersede' && state !== 'accepted')

  test.each(
    cases<QuoteState, Exclude<QuoteAction, 'edit' | 'send'>>(QUOTE, [
      'view',
      'accept',
      'decline',
      'expire',
      'supersede',
    ]),
  )('that is %s and gets the action %s becomes %s', async (state, action, next) => {
    const { quoteId, ...ids } = await sentQuote(app.deps, pro)
    await force('quotes', quoteId, state)
    const before = await rowOf('quotes', quoteId)
    const response = await ACT[action](ids)
    const eventTypes = (await eventsOf(app.deps, quoteId)).map(({ type }) => type).slice(1)
    if (next === undefined) {
      if (!isHarmless(state, action) && response) expect(await problemOf(response)).toEqual(REFUSED)
      else expect(response?.ok ?? true).toBe(true)
      expect([await rowOf('quotes', quoteId), eventTypes]).toEqual([before, []])
    } else {
      expect(response?.ok ?? true).toBe(true)
      const event = EVENT[next]
      expect([(await rowOf('quotes', quoteId))?.status, eventTypes]).toEqual([next, event ? [event] : []])
    }
    const jobs = await sql`select from jobs where quote_id = ${quoteId}`
    expect(jobs.length).toBe(action === 'accept' && next ? 1 : 0)
  })

  test('past its end is expired at once, before the sweep updates the row', async () => {
    for (const state of ['sent', 'viewed']) {
      const { quoteId, token } = await sentQuote(app.deps, pro)
      await force('quotes', quoteId, state)
      const overdue = new Date(app.deps.clock.now().getTime() - 1).toISOString()
      await sql`update quotes set valid_until = ${overdue} where id = ${quoteId}`
      const viewed = (await (await app.send(`/api/v1/quotes/${token}`)).json()) as { quote: { status: string } }
      expect(viewed.quote.status).toBe('expired')
      for (const action of ['accept', 'decline'])
        expect(await problemOf(await app.send(`/api/v1/quotes/${token}/${action}`, { json: {} }))).toEqual(REFUSED)
      expect((await rowOf('quotes', quoteId))?.status).toBe(state)
      expect(await expireQuotes(ctxOf(app.deps), { limit: 1000 })).toBe(1)
      expect((await rowOf('quotes', quoteId))?.status).toBe('expired')
      expect((await eventsOf(app.deps, quoteId)).map(({ type }) => type)).toEqual(['quote.sent', 'quote.expired'])
    }
  })
})

describe('a job', () => {
  test.each(cases<JobState, JobAction>(JOB, ['start', 'complete', 'cancel']))(
    'that is %s and gets the action %s becomes %s',
    async (state, action, next) => {
      const { quoteId, token } = await sentQuote(app.deps, pro)
      await app.send(`/api/v1/quotes/${token}/accept`, { method: 'POST' })
      const [job] = await sql<{ id: string }[]>`select id from jobs where quote_id = ${quoteId}`
      const id = job?.id ?? ''
      await force('jobs', id, state)
      const before = await rowOf('jobs', id)
      const response = await post(`/api/v1/pro/jobs/${id}`, { action })
      if (next === undefined) {
        expect(await problemOf(response)).toEqual(REFUSED)
        expect(await rowOf('jobs', id)).toEqual(before)
      } else {
        expect(response.status).toBe(200)
        expect((await rowOf('jobs', id))?.status).toBe(next)
      }
      // Jobs have no events (spec §6).
      expect(await eventsOf(app.deps, id)).toEqual([])
    },
  )
})

const AGGREGATES = [
  { name: 'rfq', table: 'rfqs', states: RFQ, first: ['new'] },
  { name: 'quote', table: 'quotes', states: QUOTE, first: ['draft', 'sent'] },
  { name: 'job', table: 'jobs', states: JOB, first: ['scheduled'] },
] as const

describe.each(AGGREGATES)('the database, for a $name', ({ name, table, states, first }) => {
  const moves = Object.entries(states).flatMap(([from, to]: [string, object]) =>
    (Object.values(to) as string[]).filter((next) => next !== from).map((next) => `${from} → ${next}`),
  )
  const all = Object.keys(states)

  test('has exactly the transitions of the code', async () => {
    const rows = await sql<{ fromState: string; toState: string }[]>`
      select from_state, to_state from state_transitions where aggregate = ${name}`
    expect(rows.map(({ fromState, toState }) => `${fromState} → ${toState}`).sort()).toEqual(
      [...moves, ...first.map((state) => ` → ${state}`)].sort(),
    )
  })

  test('refuses every other transition', async () => {
    const { rfqId, quoteId, token } = await sentQuote(app.deps, pro)
    await app.send(`/api/v1/quotes/${token}/accept`, { method: 'POST' })
    const [job] = await sql<{ id: string }[]>`select id from jobs where quote_id = ${quoteId}`
    const id = { rfqs: rfqId, quotes: quoteId, jobs: job?.id ?? '' }[table]
    for (const from of all)
      for (const to of all.filter((state) => state !== from)) {
        await force(table, id, from)
        const attempt = sql`update ${sql(table)} set ${sql(columnsIn(table, to))} where id = ${id}`.then(
          () => 'moved',
          (error: { constraint_name?: string }) => error.constraint_name,
        )
        const expected = moves.includes(`${from} → ${to}`) ? 'moved' : `${name}_transition`
        expect([from, to, await attempt]).toEqual([from, to, expected])
      }
  })
})

test('the database allows one open and one accepted quote per request, and one job per quote', async () => {
  const { rfqId, quoteId, token } = await sentQuote(app.deps, pro)
  const copy = (status: string) =>
    sql`
      insert into quotes (id, rfq_id, professional_id, status, amount_cents, created_at, sent_at, valid_until, accepted_at)
      select gen_random_uuid(), rfq_id, professional_id, 'sent', 1, created_at, sent_at, valid_until, null
      from quotes where id = ${quoteId} and ${status} = 'sent'`.then(
      () => 'made',
      (error: { constraint_name?: string }) => error.constraint_name,
    )
  expect(await copy('sent')).toBe('quotes_one_open')
  await app.send(`/api/v1/quotes/${token}/accept`, { method: 'POST' })
  expect(await copy('sent')).toBe('made')
  const [other] = await sql<{ id: string }[]>`select id from quotes where rfq_id = ${rfqId} and status = 'sent'`
  const accepted = sql`
    update quotes set status = 'accepted', accepted_at = sent_at where id = ${other?.id ?? ''}`.then(
    () => 'moved',
    (error: { constraint_name?: string }) => error.constraint_name,
  )
  expect(await accepted).toBe('quotes_one_accepted')
  const job = sql`
    insert into jobs (id, professional_id, quote_id, status, amount_cents, created_at)
    select gen_random_uuid(), professional_id, quote_id, 'scheduled', 1, created_at from jobs where quote_id = ${quoteId}`
  expect(job.then(() => 'made')).rejects.toMatchObject({ constraint_name: 'jobs_quote' })
})
