// Tools of the pro server return the same data as REST, propose edits, and do not find other pros' data.
import { describe, expect, test } from 'bun:test'

import type { Quote } from '../../src/features/quoting/quotes/schemas.ts'
import { PRO_SERVER, type ToolReply, callTool, setPlan } from '../support/agents.ts'
import { openTestApp } from '../support/app.ts'
import { type QuotingPro, newDraft, quotingPro, sentQuote } from '../support/quotes.ts'
import { opened } from '../support/fixture.ts'

/** A pro, and a key for their agent. */
interface Tenant extends QuotingPro {
  agentKey: string
  leadId: string
  quoteId: string
  draft: Quote
  jobId: string
}

const app = await opened(openTestApp())
const [mine, theirs] = [await createTenant(0), await createTenant(1)]

async function createTenant(n: number): Promise<Tenant> {
  const pro = await quotingPro(app, n)
  await setPlan(app, pro.professionalId, 'business')
  const agentKey = await app.key(['mcp:read', 'mcp:write'], pro.email)
  const { rfqId: leadId, quoteId, token } = await sentQuote(app.deps, pro)
  const accepted = await app.send(`/api/v1/quotes/${token}/accept`, { method: 'POST' })
  const { quote } = (await accepted.json()) as { quote: Quote }
  const draft = await newDraft(app.deps, pro)
  return { ...pro, agentKey, leadId, quoteId, draft, jobId: quote.jobId ?? '' }
}

const ask = (name: string, args: object = {}, tenant = mine) => callTool(app, PRO_SERVER, tenant.agentKey, name, args)
const get = async (path: string) => (await (await app.send(`/api/v1${path}`, { key: mine.key })).json()) as object
const codeOf = ({ isError, problem }: ToolReply) => (isError ? problem?.code : 'done')

describe('a read tool returns the same data as REST', () => {
  test('for leads', async () => {
    const { structured } = await ask('list_leads', { limit: 3 })
    const { rfqs, meta } = (await get('/pro/leads?limit=3')) as { rfqs: object[]; meta: object }
    const { leads } = structured as { leads: object[] }
    expect(structured).toMatchObject({ meta })
    expect(leads.length).toBe(rfqs.length)
    for (const [index, lead] of leads.entries()) expect(rfqs[index]).toMatchObject(lead)
    const { structured: one } = await ask('get_lead', { leadId: mine.leadId })
    expect(one).toMatchObject({
      lead: { id: mine.leadId, customer: { name: 'Homeowner in Austin' }, quotes: [{ id: mine.quoteId }] },
    })
  })

  test('for quotes and drafts', async () => {
    const { structured } = await ask('list_quotes', { leadId: mine.draft.rfqId })
    expect(structured).toMatchObject({
      quotes: [{ id: mine.draft.id, status: 'draft', amount: 300 }],
      meta: { total: 1 },
    })
    const { structured: one, texts } = await ask('get_quote', { quoteId: mine.draft.id })
    const { quote } = (await get(`/pro/quotes/${mine.draft.id}`)) as { quote: object }
    expect(quote).toMatchObject((one as { quote: object }).quote)
    expect(texts[1]).toContain('Only the pro can send it')
  })

  test('for jobs', async () => {
    const { structured } = await ask('list_jobs', { status: 'scheduled', limit: 20 })
    expect((structured as { jobs: { id: string }[] }).jobs.map(({ id }) => id)).toContain(mine.jobId)
    const { structured: one } = await ask('get_job', { jobId: mine.jobId })
    expect(one).toMatchObject({ job: { id: mine.jobId, quoteId: mine.quoteId, leadId: mine.leadId } })
  })

  test('for bookings, most recently created first, or for one day in its order', async () => {
    const hours = [{ start: '08:00', end: '18:00' }]
    const settings = { instantBookingEnabled: true, bookingLeadTimeHours: 0, businessHours: { wednesday: hours } }
    await app.send('/api/v1/pro/availability', { method: 'PATCH', key: mine.key, json: settings })
    const key = await app.key()
    for (const time of ['13:00', '08:00']) {
      const visit = { professionalId: mine.professionalId, serviceId: mine.serviceId, date: '2026-06-10', time }
      const address = { street: '1 Main Street', zipCode: '78701' }
      const customer = { name: 'Customer', email: 'customer@test.example', phone: '555-0100' }
      expect((await app.send('/api/v1/bookings', { key, json: { ...visit, address, customer } })).status).toBe(201)
    }
    const of = async (query: object) => {
      const { bookings } = (await ask('list_bookings', query)).structured as { bookings: { scheduledTime: string }[] }
      return bookings
    }
    expect((await of({ limit: 2 })).map(({ scheduledTime }) => scheduledTime)).toEqual(['08:00', '13:00'])
    expect(await of({ date: '2026-06-10' })).toMatchObject([
      { scheduledTime: '08:00', customerPhone: '555-0100', address: { street: '1 Main Street', zipCode: '78701' } },
      { scheduledTime: '13:00' },
    ])
    expect(await of({ date: '2026-06-11' })).toEqual([])
    expect(await get('/pro/bookings?date=2026-06-10')).toMatchObject({ meta: { total: 2 } })
  })

  test('for services, availability and analytics', async () => {
    const { services } = (await get('/pro/services')) as { services: { serviceId: string }[] }
    const { structured } = await ask('list_services')
    expect(structured).toMatchObject({ services: services.map(({ serviceId }) => ({ serviceId })) })
    const { settings } = (await get('/pro/availability')) as { settings: object }
    const { structured: times } = await ask('get_availability', { days: 2 })
    expect(times).toMatchObject({
      settings,
      service: null,
      openTimes: [{ date: '2026-06-01' }, { date: '2026-06-02' }],
    })
    const { serviceId } = mine
    const { structured: own } = await ask('get_availability', { date: '2026-06-02', serviceId })
    const query = new URLSearchParams({ professionalId: mine.professionalId, serviceId, date: '2026-06-02' }).toString()
    const listed = (await get(`/availability/query?${query}`)) as { durationMinutes: number; slots: OpenSlot[] }
    expect(own).toMatchObject({
      slotDurationMinutes: listed.durationMinutes,
      service: { id: serviceId, bookable: true, obstacle: null },
      openTimes: [{ starts: listed.slots.filter(({ available }) => available).map(({ start }) => start) }],
    })
    const { structured: figures } = await ask('view_analytics', { period: 'all' })
    const { revenue, quotes } = (await get('/pro/analytics?period=all')) as { revenue: object; quotes: object }
    expect(figures).toMatchObject({ analytics: { period: 'all', revenue, quotes } })
  })
})

interface OpenSlot {
  start: string
  available: boolean
}

describe('an editing tool', () => {
  test('makes a proposal that a tool confirms, and REST shows the change', async () => {
    const before = await get('/pro/services')
    const { structured } = await ask('update_service_pricing', { serviceId: mine.serviceId, basePrice: 123.45 })
    const { proposal } = structured as { proposal: { id: string } }
    expect(await get('/pro/services')).toEqual(before)
    expect((await ask('get_proposal_status')).structured).toMatchObject({
      proposals: [{ id: proposal.id, status: 'open' }],
    })
    expect(await get(`/pro/proposals/${proposal.id}`)).toMatchObject({
      proposal: { madeBy: { keyId: expect.any(String) } },
    })
    const confirmed = await ask('confirm_action', { proposalId: proposal.id })
    expect(confirmed.structured).toMatchObject({ proposal: { status: 'confirmed' } })
    const { services } = (await get('/pro/services')) as { services: { serviceId: string; basePrice: number }[] }
    expect(services.find(({ serviceId }) => serviceId === mine.serviceId)?.basePrice).toBe(123.45)
    expect(codeOf(await ask('confirm_action', { proposalId: proposal.id }))).toBe('invalid_transition')
  })

  test('exists for each editor, and its proposal can be dismissed', async () => {
    const before = await get('/pro/proposals?status=confirmed')
    for (const [tool, args] of [
      ['update_quote_content', { quoteId: mine.draft.id, message: 'Hello.' }],
      ['update_business_profile', { description: 'Gutters.' }],
      ['update_public_profile', { headline: 'Gutters' }],
      ['update_business_entity', { legalName: 'Gutters LLC' }],
      ['update_site_config', { heroTitle: 'Gutters' }],
      ['update_service_content', { serviceId: mine.serviceId, description: 'All of it.' }],
    ] as const) {
      const { structured, texts } = await ask(tool, args)
      const { proposal } = structured as { proposal: { id: string; differences: object[] } }
      expect([tool, proposal.differences.length, texts[1]?.includes('Nothing has changed')]).toEqual([tool, 1, true])
      const dismissed = await ask('dismiss_action', { proposalId: proposal.id })
      expect(dismissed.structured).toMatchObject({ proposal: { status: 'dismissed' } })
    }
    expect(await get('/pro/proposals?status=confirmed')).toEqual(before)
  })

  test('names the field to correct and how', async () => {
    const wrong = await ask('update_service_pricing', { serviceId: mine.serviceId, minPrice: 10, maxPrice: 5 })
    expect(wrong.problem).toMatchObject({ code: 'validation_failed', errors: [{ path: 'maxPrice' }] })
    expect(codeOf(await ask('update_business_profile', { plan: 'business' }))).toBe('validation_failed')
    expect(codeOf(await ask('update_business_profile', {}))).toBe('validation_failed')
    expect(codeOf(await ask('update_quote_content', { quoteId: mine.quoteId, amount: 5 }))).toBe('invalid_transition')
  })

  test('makes one proposal per idempotency key', async () => {
    const args = { description: crypto.randomUUID(), idempotencyKey: crypto.randomUUID() }
    const results = await Promise.all(Array.from({ length: 20 }, () => ask('update_business_profile', args)))
    expect(
      new Set(results.map(({ structured }) => (structured as { proposal: { id: string } }).proposal.id)).size,
    ).toBe(1)
    expect(codeOf(await ask('update_business_profile', { ...args, description: 'Another.' }))).toBe(
      'idempotency_mismatch',
    )
  })
})

test('concurrent confirmations by tool and REST under one key confirm once', async () => {
  const { structured } = await ask('update_business_profile', { description: crypto.randomUUID() })
  const { proposal } = structured as { proposal: { id: string } }
  const idempotencyKey = crypto.randomUUID()
  const path = `/api/v1/pro/proposals/${proposal.id}/confirm`
  const headers = { 'idempotency-key': idempotencyKey }
  const answers = await Promise.all(
    Array.from({ length: 50 }, async (_, n) =>
      n % 2 === 0
        ? codeOf(await ask('confirm_action', { proposalId: proposal.id, idempotencyKey }))
        : (await app.send(path, { method: 'POST', key: mine.key, headers })).status,
    ),
  )
  expect(new Set(answers)).toEqual(new Set(['done', 200]))
  expect(codeOf(await ask('confirm_action', { proposalId: proposal.id }))).toBe('invalid_transition')
})

test('no tool finds or changes another pro’s data', async () => {
  const { structured } = await ask('update_business_profile', { description: 'Theirs.' }, theirs)
  const { proposal } = structured as { proposal: { id: string } }
  for (const [tool, args, code] of [
    ['get_lead', { leadId: theirs.leadId }, 'rfq_not_found'],
    ['get_quote', { quoteId: theirs.quoteId }, 'quote_not_found'],
    ['get_quote', { quoteId: theirs.draft.id }, 'quote_not_found'],
    ['get_job', { jobId: theirs.jobId }, 'job_not_found'],
    ['get_proposal_status', { proposalId: proposal.id }, 'proposal_not_found'],
    ['update_quote_content', { quoteId: theirs.draft.id, amount: 1 }, 'quote_not_found'],
    ['confirm_action', { proposalId: proposal.id }, 'proposal_not_found'],
    ['dismiss_action', { proposalId: proposal.id }, 'proposal_not_found'],
  ] as const)
    expect([tool, codeOf(await ask(tool, args))]).toEqual([tool, code])
  expect((await ask('list_quotes', { leadId: theirs.leadId })).structured).toMatchObject({
    quotes: [],
    meta: { total: 0 },
  })
  expect((await ask('get_proposal_status', { proposalId: proposal.id }, theirs)).structured).toMatchObject({
    proposals: [{ status: 'open' }],
  })
})
