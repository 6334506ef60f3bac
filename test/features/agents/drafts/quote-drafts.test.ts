// Draft quotes from the pro's own prices and history, with verifiable sources, and the cost of drafts.
import { describe, expect, test } from 'bun:test'

import type { QuoteBasis } from '../../../../src/features/agents/drafts/schemas.ts'
import type { Quote } from '../../../../src/features/quoting/quotes/schemas.ts'
import { openTestApp } from '../../../support/app.ts'
import { openProAgentFixture } from '../../../support/pro-agent-fixture.ts'
import { HOMEOWNER } from '../../../support/quotes.ts'
import { opened } from '../../../support/fixture.ts'

const app = await opened(openTestApp())
const sql = app.sql
const pro = await openProAgentFixture(app)

const patchOffer = (json: object) =>
  app.send('/api/pro/services', { method: 'PATCH', key: pro.key, json: { serviceId: pro.serviceId, ...json } })
const countEvents = async () => (await sql<{ n: number }[]>`select count(*)::int as n from outbox_events`)[0]?.n

describe('a draft quote', () => {
  const prepare = async (args: object) =>
    (await pro.tool('prepare_quote_draft', args)).structured as unknown as { draft: Quote; basis: QuoteBasis }

  test('follows accepted and paid prices within the listed range, and names its sources', async () => {
    await patchOffer({ basePrice: 500, minPrice: 300, maxPrice: 600 })
    // Accepted work counts at the quoted price, completed work at its cost.
    for (const [quoted, paid] of [
      [400, 420],
      [420, 441],
      [460, 480],
    ] as const)
      await pro.createCompletedJob(quoted, paid)
    await pro.createAcceptedJob(430)
    await pro.createAcceptedJob(455)
    const leadId = await pro.lead({ budget: '$300 to $400' })
    const { draft, basis } = await prepare({ leadId })
    // Of 420, 430, 441, 455 and 480.
    expect(draft).toMatchObject({ status: 'draft', amount: 441, estimatedDays: 1, validForDays: 30 })
    expect(draft.lineItems).toMatchObject([{ quantity: 1, unitPrice: 441, amount: 441 }])
    expect(basis.confidence).toBe('high')
    expect(basis.sources[0]).toEqual({
      figure: 'unitPrice',
      value: 441,
      from: 'the median of 5 accepted quotes and completed jobs, US dollars for the whole work',
    })
    expect(basis.assumptions).toContain('This is over the customer’s budget ($300 to $400).')
    // 441 ÷ 420 is 1.05, 480 ÷ 460 is 1.043, 420 ÷ 400 is 1.05.
    expect(basis.assumptions).toContain('Your last 3 jobs of this kind cost 5% more than quoted.')

    expect(await pro.rest(`/pro/quotes/${draft.id}`)).toMatchObject({ quote: { status: 'draft', amount: 441 } })
    const read = await pro.tool('get_quote', { quoteId: draft.id })
    expect(read.structured).toMatchObject({ quote: { id: draft.id }, basis })
    const { lead } = (await pro.tool('get_lead', { leadId })).structured as { lead: object }
    expect(lead).toMatchObject({ status: 'new', quotes: [{ id: draft.id, status: 'draft' }] })
  })

  test('uses the pro’s usual terms and deposit', async () => {
    await sql`
      update professionals set deposit_required = true, deposit_percentage = 25 where id = ${pro.professionalId}`
    const rfqId = await pro.lead()
    const terms = 'Half before, half after.'
    await app.send('/api/v1/pro/quotes', { key: pro.key, json: { rfqId, amount: 100, paymentTerms: terms } })
    const { draft, basis } = await prepare({ leadId: await pro.lead() })
    expect(draft).toMatchObject({ depositPercentage: 25, paymentTerms: terms })
    expect(basis.sources.map(({ figure }) => figure)).toContain('depositPercentage')
    expect(draft.message).toContain(`Hello ${HOMEOWNER.name}`)
  })

  test('is for the service that the customer’s words say when the lead names none, and says so', async () => {
    const [service] = await sql<{ name: string }[]>`select name from services where id = ${pro.serviceId}`
    const description = `We need ${service?.name} before winter.`
    const { draft, basis } = await prepare({ leadId: await pro.lead({ serviceId: null, description }) })
    expect(draft).toMatchObject({
      status: 'draft',
      lineItems: [{ description: expect.stringContaining(service?.name ?? '?') }],
    })
    expect(basis.assumptions).toContain(
      `The request names no service; ${service?.name} was read from the customer’s words.`,
    )
  })

  test('needs a named service for a lead whose words say none either', async () => {
    const leadId = await pro.lead({ serviceId: null, description: 'Please call me about the house.' })
    const { problem } = await pro.tool('prepare_quote_draft', { leadId })
    expect(problem).toMatchObject({ code: 'validation_failed', errors: [{ path: 'serviceId' }] })
    const { draft } = await prepare({ leadId, serviceId: pro.serviceId })
    expect(draft.status).toBe('draft')
  })

  test('is refused when no source has a price', async () => {
    const [unpriced] = await sql<{ id: string }[]>`
      insert into services (id, ordinal, category_id, name, slug, price_type, duration_minutes)
      select gen_random_uuid(), max(ordinal) + 1, (select id from categories limit 1), 'Rare Work', 'rare-work', 'flat', 60
      from services returning id`
    await sql`
      insert into professional_services (professional_id, service_id, price_type)
      values (${pro.professionalId}, ${unpriced?.id ?? ''}, 'flat')`
    const leadId = await pro.lead({ serviceId: unpriced?.id ?? '' })
    const used = await pro.tasksUsed()
    // The new service is visible after a delay.
    const { waitUntil } = await import('../../../../src/platform/clock/deadlines.ts')
    const isKnown = async () => (await pro.outcome('prepare_quote_draft', { leadId })) === 'unknown_price'
    expect(await waitUntil(isKnown, 5000)).toBe(true)
    expect(await pro.tasksUsed()).toBe(used)
  })
})

describe('a task', () => {
  test('is charged once for each prepared result, and not for refusals and replays', async () => {
    const leadId = await pro.lead()
    const { jobId } = await pro.createAcceptedJob(100)
    const used = await pro.tasksUsed()
    const events = await countEvents()
    const idempotencyKey = crypto.randomUUID()
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => pro.tool('prepare_quote_draft', { leadId, idempotencyKey })),
    )
    expect(new Set(replies.map(({ texts }) => texts[0])).size).toBe(1)
    expect(await pro.tasksUsed()).toBe(used + 1)
    for (const [tool, args] of [
      ['prepare_assessment_notes', { leadId }],
      ['prepare_day_brief', {}],
      ['prepare_job_spec', { jobId }],
      ['prepare_customer_message', { leadId, purpose: 'answer' }],
    ] as const)
      expect([tool, await pro.outcome(tool, args)]).toEqual([tool, 'done'])
    expect(await pro.tasksUsed()).toBe(used + 5)
    expect(await pro.outcome('prepare_customer_message', { leadId, purpose: 'thank_you' })).toBe('validation_failed')
    expect(await pro.outcome('prepare_job_spec', { jobId: crypto.randomUUID() })).toBe('job_not_found')
    expect(await pro.tasksUsed()).toBe(used + 5)
    // No notification was sent.
    expect(await countEvents()).toBe(events)
  })
})
