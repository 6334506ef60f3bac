// Proposals: refused when their change is invalid, created and decided once, and private to their pro.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import type { Proposal } from '../../../../src/features/agents/proposals/schemas.ts'
import { type ProposalInput, propose } from '../../../../src/features/agents/proposals/verbs/proposals.ts'
import type { Sql } from '../../../../src/platform/postgres/database.ts'
import type { TestApp } from '../../../support/app.ts'
import { type ProposalActions, proposalActions, openProposalFixture } from '../../../support/proposals.ts'
import { type QuotingPro, newDraft, quotingPro, sentQuote } from '../../../support/quotes.ts'
import { ctxOf } from '../../../../src/ctx.ts'

let app: TestApp
let sql: Sql
let pro: QuotingPro
let stranger: QuotingPro
let actions: ProposalActions

beforeAll(async () => {
  ;({ app, sql, pro, actions } = await openProposalFixture())
  stranger = await quotingPro(app, 1)
})
afterAll(async () => {
  await sql.end()
  await app.close()
})

const get = async (path: string, key = pro.key) => (await (await app.send(`/api/v1${path}`, { key })).json()) as object

describe('a change that its verb refuses', () => {
  const refused = (input: ProposalInput) => propose(ctxOf(app.deps, pro), input).catch((error: unknown) => error)

  test('is refused as a proposal with the same error', async () => {
    const price = { kind: 'service_pricing', targetId: pro.serviceId } as const
    expect(await refused({ ...price, change: { minPrice: 10, maxPrice: 5 } })).toMatchObject({
      code: 'validation_failed',
      errors: [{ path: 'body.maxPrice' }],
    })
    expect(await refused({ ...price, change: { basePrice: 1.234 } })).toMatchObject({ code: 'validation_failed' })
    const { quoteId } = await sentQuote(app.deps, pro)
    expect(await refused({ kind: 'quote_content', targetId: quoteId, change: { amount: 5 } })).toMatchObject({
      code: 'invalid_transition',
      extensions: { state: 'sent' },
    })
    const [{ count } = { count: -1 }] = await sql<{ count: number }[]>`
      select count(*)::int from proposals where target_id = ${quoteId}`
    expect(count).toBe(0)
  })

  test('is not found for another pro’s quote or a service that is not offered', async () => {
    const { id } = await newDraft(app.deps, stranger)
    expect(await refused({ kind: 'quote_content', targetId: id, change: { amount: 5 } })).toMatchObject({
      code: 'quote_not_found',
    })
    for (const targetId of [crypto.randomUUID(), await notOffered()])
      expect(await refused({ kind: 'service_pricing', targetId, change: { basePrice: 5 } })).toMatchObject({
        code: 'service_not_found',
      })
    // Content of the pro has no target id.
    expect(
      await refused({ kind: 'business_profile', targetId: stranger.professionalId, change: { description: 'Mine.' } }),
    ).toMatchObject({ code: 'validation_failed' })
  })

  const notOffered = async () => {
    const [row] = await sql<{ id: string }[]>`
      select id from services s where not exists (
        select from professional_services o where o.service_id = s.id and o.professional_id = ${pro.professionalId}) limit 1`
    return row?.id ?? ''
  }
})

describe('proposals', () => {
  test('of another pro cannot be found or decided', async () => {
    const { id } = await actions.proposePrice()
    for (const [path, method] of [
      ['', 'GET'],
      ['/confirm', 'POST'],
      ['/dismiss', 'POST'],
    ])
      expect(
        (await app.send(`/api/v1/pro/proposals/${id}${path}`, { key: stranger.key, method: method ?? '' })).status,
      ).toBe(404)
    expect(await get('/pro/proposals', stranger.key)).toMatchObject({ proposals: [], meta: { total: 0 } })
    expect((await actions.read(id)).status).toBe('open')
  })

  test('are listed newest first, by state and kind', async () => {
    const { id } = await actions.proposePrice()
    const { id: dismissed } = await actions.proposePrice()
    await actions.decide(dismissed, 'dismiss')
    const list = async (query: string) => {
      const { proposals } = (await get(`/pro/proposals?limit=50&${query}`)) as { proposals: Proposal[] }
      return proposals.map((proposal) => proposal.id)
    }
    expect((await list('status=open')).slice(0, 1)).toEqual([id])
    expect(await list('status=dismissed')).toEqual([dismissed])
    expect(await list('status=open&kind=site_config')).toEqual([])
    expect((await list('kind=service_pricing')).slice(0, 2)).toEqual([dismissed, id])
  })

  test('are created once per idempotency key and confirmed once', async () => {
    const input = { kind: 'business_profile', change: { description: crypto.randomUUID() } } as const
    const key = crypto.randomUUID()
    const results = await Promise.all(Array.from({ length: 10 }, () => propose(ctxOf(app.deps, pro, { key }), input)))
    expect(new Set(results.map(({ id }) => id)).size).toBe(1)
    const other = propose(ctxOf(app.deps, pro, { key }), { ...input, change: { description: 'Other.' } })
    expect(other).rejects.toMatchObject({ code: 'idempotency_mismatch' })

    const headers = { 'idempotency-key': crypto.randomUUID() }
    const id = results[0]?.id ?? ''
    const confirmed = await Promise.all(Array.from({ length: 5 }, () => actions.decide(id, 'confirm', headers)))
    expect(confirmed.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect((await actions.decide(id, 'confirm')).status).toBe(409)
  })

  test('that conflict return the same conflict under the same key', async () => {
    const { id } = await actions.proposePrice()
    await app.send('/api/pro/services', {
      method: 'PATCH',
      key: pro.key,
      json: { serviceId: pro.serviceId, basePrice: 3.21 },
    })
    const headers = { 'idempotency-key': crypto.randomUUID() }
    for (let n = 0; n < 2; n++) {
      const response = await actions.decide(id, 'confirm', headers)
      expect([response.status, await response.json()]).toMatchObject([409, { code: 'proposal_conflict' }])
    }
  })

  test('name their author', async () => {
    const [key] = await sql<{ id: string }[]>`select id from api_keys where account_id = ${pro.accountId} limit 1`
    const change = { description: 'By a run of the agent.' }
    const run = { runId: crypto.randomUUID(), threadId: crypto.randomUUID() }
    const created = await propose(ctxOf(app.deps, { ...pro, keyId: key?.id ?? null, run }), {
      kind: 'business_profile',
      change,
    })
    expect(created.madeBy).toEqual({ keyId: key?.id ?? '', ...run })
  })

  test('are limited to a hundred open ones', async () => {
    const crowd = proposalActions(app, stranger)
    for (let n = 0; n < 100; n++) await crowd.proposePrice()
    expect(crowd.proposePrice()).rejects.toMatchObject({ code: 'too_many_proposals' })
    const { proposals } = (await get('/pro/proposals?limit=1', stranger.key)) as { proposals: Proposal[] }
    await crowd.decide(proposals[0]?.id ?? '', 'dismiss')
    expect((await crowd.proposePrice()).status).toBe('open')
  })
})
