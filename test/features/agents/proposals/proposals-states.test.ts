// Proposals follow their transition table under concurrency: every state and action, every pair of states in SQL, expiry,
// conflicts and races.
import { describe, expect, test } from 'bun:test'

import { AppError } from '../../../../src/errors/app-error.ts'
import {
  confirmProposal,
  dismissProposal,
  expireProposals,
} from '../../../../src/features/agents/proposals/verbs/proposals.ts'
import {
  PROPOSAL,
  PROPOSAL_STATES,
  type ProposalAction,
  type ProposalState,
} from '../../../../src/features/agents/proposals/states.ts'
import { openTestApp } from '../../../support/app.ts'
import { proposalActions } from '../../../support/proposals.ts'
import { depsAfter, quotingPro } from '../../../support/quotes.ts'
import { opened } from '../../../support/fixture.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const WEEK_MS = 7 * 86_400_000
const ACTIONS = ['confirm', 'dismiss', 'conflict', 'expire'] as const

const app = await opened(openTestApp())
const sql = app.sql
const pro = await quotingPro(app)
const actions = proposalActions(app, pro)

const change = (json: object) =>
  app.send('/api/pro/services', { method: 'PATCH', key: pro.key, json: { serviceId: pro.serviceId, ...json } })
const rowOf = async (id: string) => (await sql`select * from proposals where id = ${id}`)[0]
const problemOf = async (response: Response) => [response.status, ((await response.json()) as { code?: string }).code]

/** The columns that the constraints require for a state. */
function columnsIn(status: string) {
  const now = app.deps.clock.now()
  const at = (state: string) => (state === status ? now.toISOString() : null)
  return {
    status,
    confirmed_at: at('confirmed'),
    dismissed_at: at('dismissed'),
    conflicted_at: at('conflict'),
    conflict: status === 'conflict' ? sql.json({ reason: 'Changed.', fields: [] }) : null,
    expired_at: at('expired'),
    created_at: new Date(now.getTime() - 2 * WEEK_MS).toISOString(),
    expires_at: new Date(now.getTime() + (status === 'expired' ? 0 : WEEK_MS)).toISOString(),
  }
}

/** Puts a proposal into a state, bypassing triggers but not constraints. */
const force = (id: string, status: ProposalState) =>
  sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`update proposals set ${tx(columnsIn(status))} where id = ${id}`
  })

const ACT: Record<ProposalAction, (id: string) => Promise<Response | void>> = {
  confirm: (id) => actions.decide(id, 'confirm'),
  dismiss: (id) => actions.decide(id, 'dismiss'),
  // A confirmation after the content changed.
  conflict: async (id) => {
    await change({ basePrice: 7.77 })
    return await actions.decide(id, 'confirm')
  },
  expire: async () => void (await expireProposals(ctxOf(depsAfter(app.deps, WEEK_MS)), { limit: 1000 })),
}

test.each(
  PROPOSAL_STATES.flatMap((state) => ACTIONS.map((action) => [state, action, PROPOSAL[state][action]] as const)),
)('a proposal that is %s and gets the action %s becomes %s', async (state, action, next) => {
  const { id, price } = await actions.proposePrice()
  if (state !== 'open') await force(id, state)
  const before = await rowOf(id)
  const response = await ACT[action](id)
  const { basePrice } = await actions.offer()
  if (next === undefined) {
    if (response) expect(await problemOf(response)).toEqual([409, 'invalid_transition'])
    expect(await rowOf(id)).toEqual(before)
  } else if (response) {
    expect(await problemOf(response)).toEqual(next === 'conflict' ? [409, 'proposal_conflict'] : [200, undefined])
  }
  expect((await actions.read(id)).status).toBe(next ?? state)
  expect(basePrice === price).toBe(next === 'confirmed')
})

describe('the database', () => {
  const moves = Object.values(PROPOSAL.open).map((next) => `open → ${next}`)

  test('has the same transitions as the code', async () => {
    const rows = await sql<{ fromState: string; toState: string }[]>`
      select from_state, to_state from state_transitions where aggregate = 'proposal'`
    expect(rows.map(({ fromState, toState }) => `${fromState} → ${toState}`).sort()).toEqual(
      [...moves, ' → open'].sort(),
    )
  })

  test('refuses every other transition', async () => {
    const { id } = await actions.proposePrice()
    for (const from of PROPOSAL_STATES)
      for (const to of PROPOSAL_STATES.filter((state) => state !== from)) {
        await force(id, from)
        const attempt = sql`update proposals set ${sql(columnsIn(to))} where id = ${id}`.then(
          () => 'moved',
          (error: { constraint_name?: string }) => error.constraint_name,
        )
        const expected = moves.includes(`${from} → ${to}`) ? 'moved' : 'proposal_transition'
        expect([from, to, await attempt]).toEqual([from, to, expected])
      }
  })

  test('refuses a state without its timestamps', async () => {
    const { id } = await actions.proposePrice()
    for (const status of PROPOSAL_STATES.filter((state) => state !== 'open'))
      expect(sql`update proposals set status = ${status} where id = ${id}`.then(() => 'moved')).rejects.toMatchObject({
        constraint_name: 'proposals_state',
      })
  })
})

describe('after seven days', () => {
  test('a proposal reads as expired at once, and the row says so after the sweep', async () => {
    const { id, price } = await actions.proposePrice()
    const overdue = new Date(app.deps.clock.now().getTime() - WEEK_MS).toISOString()
    await sql`
      update proposals set created_at = created_at - interval '7 days', expires_at = ${app.deps.clock.now().toISOString()}
      where id = ${id}`
    expect((await actions.read(id)).status).toBe('expired')
    expect(await rowOf(id)).toMatchObject({ status: 'open', createdAt: overdue })
    const list = await app.send('/api/v1/pro/proposals?status=expired&limit=50', { key: pro.key })
    const { proposals } = (await list.json()) as { proposals: { id: string }[] }
    expect(proposals.map((proposal) => proposal.id)).toContain(id)
    for (const action of ['confirm', 'dismiss'] as const)
      expect(await problemOf(await actions.decide(id, action))).toEqual([409, 'invalid_transition'])
    expect(await expireProposals(ctxOf(app.deps), { limit: 1000 })).toBe(1)
    expect(await expireProposals(ctxOf(app.deps), { limit: 1000 })).toBe(0)
    expect(await rowOf(id)).toMatchObject({ status: 'expired' })
    expect((await actions.offer()).basePrice).not.toBe(price)
  })

  test('a full batch leaves the rest for the next one', async () => {
    for (let n = 0; n < 5; n++) await actions.proposePrice()
    const later = depsAfter(app.deps, WEEK_MS)
    const swept = [
      await expireProposals(ctxOf(later), { limit: 3 }),
      await expireProposals(ctxOf(later), { limit: 3 }),
      await expireProposals(ctxOf(later), { limit: 3 }),
    ]
    expect(swept.reduce((sum, batch) => sum + batch)).toBeGreaterThanOrEqual(5)
    expect(swept[0]).toBe(3)
    await expireProposals(ctxOf(later), { limit: 1000 })
  })
})

describe('a conflict', () => {
  test('names the changed fields and has no effect', async () => {
    const { id } = await actions.proposePrice()
    await change({ basePrice: 12.34 })
    const before = await actions.offer()
    const response = await actions.decide(id, 'confirm')
    expect(response.status).toBe(409)
    expect(await response.json()).toMatchObject({ code: 'proposal_conflict', conflict: { fields: ['basePrice'] } })
    expect(await actions.offer()).toEqual(before)
    expect(await actions.read(id)).toMatchObject({ status: 'conflict', conflict: { fields: ['basePrice'] } })
  })

  test('does not occur when other fields changed, or the same field was changed back', async () => {
    const { id, price } = await actions.proposePrice()
    const { basePrice } = await actions.offer()
    await change({ durationMinutes: 95, basePrice: 55.55 })
    await change({ basePrice })
    expect((await actions.decide(id, 'confirm')).status).toBe(200)
    expect(await actions.offer()).toMatchObject({ basePrice: price, durationMinutes: 95 })
  })

  test('occurs when the change would do something else than what was shown, and nothing is changed', async () => {
    const { id } = await actions.proposePrice()
    const before = await actions.offer()
    await sql`update proposals set change = change || '{"basePrice": 1.23}' where id = ${id}`
    expect(await problemOf(await actions.decide(id, 'confirm'))).toEqual([409, 'proposal_conflict'])
    expect(await actions.offer()).toEqual(before)
    expect(await actions.read(id)).toMatchObject({ status: 'conflict' })
  })

  test('occurs when the verb refuses the change now', async () => {
    await change({ basePrice: null, minPrice: 10, maxPrice: 100 })
    const input = { kind: 'service_pricing', targetId: pro.serviceId, change: { minPrice: 90 } } as const
    const { id } = await actions.propose(input)
    await change({ maxPrice: 80 })
    expect(await problemOf(await actions.decide(id, 'confirm'))).toEqual([409, 'proposal_conflict'])
    expect((await actions.offer()).minPrice).toBe(10)
  })
})

/** `done`, or the state that prevented the action. */
const outcomeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => {
      if (!(error instanceof AppError && error.status === 409)) throw error
      const state = error.extensions?.['state']
      return typeof state === 'string' ? state : error.code
    },
  )

describe('under concurrency', () => {
  const ROUNDS = 40

  test('many confirmations apply a proposal once', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id, price } = await actions.proposePrice()
      const outcomes = await Promise.all(
        Array.from({ length: 6 }, () => outcomeOf(confirmProposal(ctxOf(app.deps, pro), { id }))),
      )
      expect(outcomes.sort()).toEqual([...Array.from({ length: 5 }, () => 'confirmed'), 'done'])
      expect((await actions.offer()).basePrice).toBe(price)
    }
  })

  test('a confirmation and a dismissal end in one of the two', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id, price } = await actions.proposePrice()
      const [confirmed, dismissed] = await Promise.all([
        outcomeOf(confirmProposal(ctxOf(app.deps, pro), { id })),
        outcomeOf(dismissProposal(ctxOf(app.deps, pro), { id })),
      ])
      const applied = (await actions.offer()).basePrice === price
      expect([confirmed, dismissed, (await actions.read(id)).status, applied]).toBeOneOf([
        ['done', 'confirmed', 'confirmed', true],
        ['dismissed', 'done', 'dismissed', false],
      ])
    }
  })

  test('of two proposals for the same content one is applied and the other conflicts', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const two = [await actions.proposePrice(), await actions.proposePrice()]
      const outcomes = await Promise.all(two.map(({ id }) => outcomeOf(confirmProposal(ctxOf(app.deps, pro), { id }))))
      expect(outcomes.toSorted()).toEqual(['done', 'proposal_conflict'])
      expect((await actions.offer()).basePrice).toBe(two[outcomes.indexOf('done')]?.price ?? 0)
    }
  })

  test('a confirmation at the moment of expiry ends in one of the two', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id, price } = await actions.proposePrice()
      const justBefore = depsAfter(app.deps, WEEK_MS - 1)
      const [confirmed] = await Promise.all([
        outcomeOf(confirmProposal(ctxOf(justBefore, pro), { id })),
        expireProposals(ctxOf(depsAfter(app.deps, WEEK_MS)), { limit: 10 }),
      ])
      const applied = (await actions.offer()).basePrice === price
      expect([confirmed, (await actions.read(id)).status, applied]).toBeOneOf([
        ['done', 'confirmed', true],
        ['expired', 'expired', false],
      ])
    }
  })

  test('a confirmation and a REST change happen in either order, and no change is lost', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await actions.proposePrice()
      const mine = 20_000 + round
      const [confirmed] = await Promise.all([
        outcomeOf(confirmProposal(ctxOf(app.deps, pro), { id })),
        change({ basePrice: mine }),
      ])
      // REST may overwrite the confirmation, but never the reverse.
      expect([confirmed, (await actions.offer()).basePrice]).toBeOneOf([
        ['done', mine],
        ['proposal_conflict', mine],
      ])
    }
  })
})
