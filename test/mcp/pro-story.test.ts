// A pro's agent that knows only tools/list reads leads, drafts a quote and proposes changes; the pro confirms, and REST shows
// the result. Every call and result matches the listed schemas.
import { expect, test } from 'bun:test'

import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

import type { Proposal } from '../../src/features/agents/proposals/schemas.ts'
import { PRO_SERVER, rpc } from '../support/agents.ts'
import { openTestApp } from '../support/app.ts'
import { openProAgentFixture } from '../support/pro-agent-fixture.ts'
import { eventsOf } from '../support/quotes.ts'
import { opened } from '../support/fixture.ts'

interface Listed {
  name: string
  description: string
  inputSchema: object
  outputSchema: object
}

const app = await opened(openTestApp())
const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }))
const pro = await openProAgentFixture(app)
const { reply } = await rpc(app, PRO_SERVER, pro.agentKey, 'tools/list')
const tools = new Map(((reply.result?.['tools'] ?? []) as Listed[]).map((tool) => [tool.name, tool]))

/** Calls a tool and checks input and output against the listed schemas. */
async function callListedTool<T>(name: string, args: object): Promise<T> {
  const tool = tools.get(name)
  if (!tool) throw new Error(`${name} is not in tools/list.`)
  expect([name, ajv.validate(tool.inputSchema, args), ajv.errors ?? []]).toEqual([name, true, []])
  const { isError, structured, texts } = await pro.tool(name, args)
  expect([name, isError, isError ? texts[0] : '']).toEqual([name, false, ''])
  expect([name, ajv.validate(tool.outputSchema, structured), ajv.errors ?? []]).toEqual([name, true, []])
  expect(JSON.parse(texts[0] ?? '')).toEqual(structured)
  return structured as T
}

/** The tool that the description names as the next one. */
function nextOf(name: string): string {
  const [, next] = /Next: (\w+)/.exec(tools.get(name)?.description ?? '') ?? []
  if (!next || !tools.has(next)) throw new Error(`${name} says no next tool that is listed.`)
  return next
}

test('an agent drafts a quote and proposes changes, the pro confirms, and REST shows the result', async () => {
  await pro.lead({ description: 'The gutter leaks at the corner, about 3 m of it.', budget: '$300 to $400' })

  // The agent reads the open work.
  const { leads } = await callListedTool<{ leads: { id: string; status: string; description: string }[] }>(
    'list_leads',
    {
      status: 'new',
      limit: 5,
    },
  )
  const lead = leads.find(({ description }) => description.includes('gutter'))
  const read = await callListedTool<{ lead: { id: string; customer: { name: string }; quotes: object[] } }>(
    nextOf('list_leads'),
    {
      leadId: lead?.id,
    },
  )
  expect(read.lead.quotes).toEqual([])

  // A draft quote, and a proposed change of it.
  const { draft, basis } = await callListedTool<{
    draft: { id: string; amount: number }
    basis: { assumptions: string[] }
  }>(nextOf('get_lead'), { leadId: lead?.id, idempotencyKey: crypto.randomUUID() })
  expect(basis.assumptions.length).toBeGreaterThan(0)
  const lineItems = [
    { description: 'Gutter, 3 m', quantity: 3, unitPrice: 90 },
    { description: 'Call-out', quantity: 1, unitPrice: 60 },
  ]
  const { proposal } = await callListedTool<{ proposal: Proposal }>(nextOf('prepare_quote_draft'), {
    quoteId: draft.id,
    lineItems,
    message: `Hello ${read.lead.customer.name}, we can come on Thursday.`,
    idempotencyKey: crypto.randomUUID(),
  })
  expect(proposal.differences.map(({ field }) => field)).toEqual(['amount', 'lineItems', 'message'])
  expect(await pro.rest(`/pro/quotes/${draft.id}`)).toMatchObject({ quote: { amount: draft.amount } })

  // A proposed price.
  const { services } = await callListedTool<{ services: { serviceId: string; basePrice: number | null }[] }>(
    'list_services',
    {},
  )
  const priced = await callListedTool<{ proposal: Proposal }>(nextOf('list_services'), {
    serviceId: services[0]?.serviceId,
    basePrice: 199,
    minPrice: 150,
    maxPrice: 400,
  })
  const open = await callListedTool<{ proposals: Proposal[] }>('get_proposal_status', {})
  expect(open.proposals.map(({ id }) => id)).toEqual([priced.proposal.id, proposal.id])

  // The pro confirms one proposal and dismisses the other.
  await callListedTool('confirm_action', { proposalId: proposal.id, idempotencyKey: crypto.randomUUID() })
  await callListedTool('dismiss_action', { proposalId: priced.proposal.id })
  expect(await pro.rest(`/pro/quotes/${draft.id}`)).toMatchObject({
    quote: { status: 'draft', amount: 330, lineItems: [{ amount: 270 }, { amount: 60 }] },
  })
  expect(await pro.rest(`/pro/proposals/${proposal.id}`)).toMatchObject({ proposal: { status: 'confirmed' } })
  expect(await pro.rest('/pro/services')).toMatchObject({ services })

  // Only the pro sends a quote, in their app; until then the customer is not notified.
  expect([...tools.keys()].filter((name) => /send|refund|pay|team|role|key|subscri/.test(name))).toEqual([])
  expect((await eventsOf(app.deps, draft.id)).length).toBe(0)
  const sent = await app.send(`/api/v1/pro/quotes/${draft.id}/send`, { key: pro.key, method: 'POST' })
  expect(await sent.json()).toMatchObject({ quote: { status: 'sent', amount: 330 } })
  expect((await eventsOf(app.deps, draft.id)).map(({ type }) => type)).toEqual(['quote.sent'])
})

test('an agent prepares a day: its brief, the questions before it, the agreed work', async () => {
  const { jobId } = await pro.createAcceptedJob(400)
  await callListedTool('prepare_day_brief', {})
  const { job } = await callListedTool<{ job: { id: string; leadId: string } }>('get_job', { jobId })
  await callListedTool(nextOf('get_job'), { jobId: job.id })
  await callListedTool('list_job_media', { jobId: job.id })
  const { assessment } = await callListedTool<{ assessment: { id: string; toAsk: string[] } }>(
    'prepare_assessment_notes',
    {
      jobId: job.id,
    },
  )
  expect(await callListedTool('get_assessment', { jobId: job.id })).toEqual({ assessment })
  const { message } = await callListedTool<{ message: { body: string } }>('prepare_customer_message', {
    jobId: job.id,
    purpose: 'ask_details',
  })
  for (const question of assessment.toAsk) expect(message.body).toContain(question)
  for (const [tool, args] of [
    ['list_quotes', { leadId: job.leadId }],
    ['list_jobs', { status: 'scheduled' }],
    ['list_bookings', {}],
    ['get_availability', { days: 2 }],
    ['view_analytics', { period: '90d' }],
  ] as const)
    await callListedTool(tool, args)
})
