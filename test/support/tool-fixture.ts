// For every tool of both MCP servers a call that succeeds, also when repeated. Tests that call all tools fail until a new
// tool has a call here.
import { randomUUID } from 'node:crypto'

import { createBooking } from '../../src/features/booking/bookings/verbs/create-booking.ts'
import { manageUrl } from '../../src/features/booking/bookings/verbs/manage-link.ts'
import { requestUrl } from '../../src/features/quoting/rfqs/verbs/follow-link.ts'
import { listPackages } from '../../src/features/business/packages/verbs/packages.ts'
import { prepareAssessment } from '../../src/features/agents/drafts/verbs/assessments.ts'
import { propose } from '../../src/features/agents/proposals/verbs/proposals.ts'
import type { Quote } from '../../src/features/quoting/quotes/schemas.ts'
import { createThread } from '../../src/features/agents/threads/verbs/threads.ts'
import { agentKey, setPlan } from './agents.ts'
import type { TestApp } from './app.ts'
import { VISIT } from './booking-fixture.ts'
import { customerToken } from './connected-app.ts'
import { newAddress } from './customers.ts'
import { type QuotingPro, newDraft, quotingPro, sentQuote } from './quotes.ts'
import { ctxOf } from '../../src/ctx.ts'

export interface ToolFixture {
  readonly app: TestApp
  readonly pro: QuotingPro
  /** Keys of the pro's agent, a customer's agent and a client's agent, and the token of an app of the signed-in customer. */
  readonly keys: { pro: string; customer: string; client: string; signedIn: string }
  /** The customer who makes the bookings and the request. */
  readonly customer: { name: string; email: string }
  readonly leadId: string
  readonly quoteId: string
  readonly jobId: string
  readonly draftId: string
  readonly propertyId: string
  readonly packages: readonly [string, string]
  /** The number of days ahead of the next day without a booking. */
  nextDay: number
}

/**
 * Creates the data of the tool calls for the `n`th seeded pro. The app's clock must be that of the server that gets the
 * calls.
 */
export async function createToolFixture(app: TestApp, n = 0): Promise<ToolFixture> {
  const pro = await quotingPro(app, n)
  await setPlan(app, pro.professionalId, 'business')
  await app.deps.write.run(
    'openForTools',
    (sql) => sql`
      update professionals set instant_booking_enabled = true, requires_approval = false, deposit_required = false,
        deposit_percentage = null, business_hours = (
          select jsonb_object_agg(day, '[{"start":"08:00","end":"18:00"}]'::jsonb)
          from unnest(array['monday','tuesday','wednesday','thursday','friday','saturday','sunday']) as day)
      where id = ${pro.professionalId}`,
  )
  await app.deps.write.run(
    'bookAtOnce',
    (sql) => sql`
      update professional_services set instant_book_enabled = true where professional_id = ${pro.professionalId}`,
  )
  const customer = { name: 'Homeowner in Austin', email: newAddress() }
  const { rfqId: leadId, quoteId, token } = await sentQuote(app.deps, pro, {}, customer)
  const accepted = await app.send(`/api/v1/quotes/${token}/accept`, { method: 'POST' })
  const { quote } = (await accepted.json()) as { quote: Quote }
  await prepareAssessment(ctxOf(app.deps, pro), { leadId })
  const draft = await newDraft(app.deps, pro)
  const client = await app.key(['mcp:read', 'mcp:write'], await app.client())
  const address = { street: '1 Main Street', city: 'Austin', state: 'TX', zipCode: '78701' }
  const property = await app.send('/api/v1/properties', { key: client, json: { name: 'Unit 4B', address } })
  return {
    app,
    pro,
    keys: {
      pro: await app.key(['mcp:read', 'mcp:write'], pro.email),
      customer: await agentKey(app, ['mcp:read', 'mcp:write', 'packages:read', 'packages:book']),
      client,
      signedIn: await signedInToken(app, customer.email),
    },
    customer,
    leadId,
    quoteId,
    jobId: quote.jobId ?? '',
    draftId: draft.id,
    propertyId: ((await property.json()) as { id: string }).id,
    packages: await createPackages(app, [pro, await quotingPro(app, n + 1)]),
    nextDay: 20,
  }
}

/** The access token of an app that the customer has connected, with the limits of test keys. */
async function signedInToken(app: TestApp, email: string): Promise<string> {
  const token = await customerToken(app, email)
  await app.sql`
    update api_keys set rate_multiplier = 10000 where account_id = (select account_id from customers where email = ${email})`
  return token
}

async function createPackages(app: TestApp, pros: readonly QuotingPro[]): Promise<[string, string]> {
  for (const { serviceId, key } of pros) {
    const json = { serviceId, packageKind: 'standard', packageName: 'Standard', packagePrice: 99 }
    await app.send('/api/pro/services', { method: 'PATCH', key, json })
  }
  const { packages } = await listPackages(ctxOf(app.deps), { kind: 'standard' })
  const [one, two] = packages
  if (!one || !two) throw new Error('Fewer than two packages exist.')
  return [one.sku, two.sku]
}

type Call = (fixture: ToolFixture) => object | Promise<object>

const openProposal: Call = async ({ app, pro }) => {
  const change = { description: `Drains, day and night. ${randomUUID()}` }
  return { proposalId: (await propose(ctxOf(app.deps, pro), { kind: 'business_profile', change })).id }
}

/** The next day without a booking, at 18:00 UTC. */
function nextStart(fixture: ToolFixture): string {
  const day = new Date(fixture.app.deps.clock.now().getTime() + fixture.nextDay++ * 86_400_000)
  return `${day.toISOString().slice(0, 10)}T18:00:00Z`
}

/** A confirmed booking of the customer, without a fee. */
async function newVisit(fixture: ToolFixture): Promise<{ id: string; manageUrl: string }> {
  const { app, pro, customer } = fixture
  const value = await createBooking(ctxOf(app.deps, pro), {
    professionalId: pro.professionalId,
    serviceId: pro.serviceId,
    date: nextStart(fixture).slice(0, 10),
    time: '12:00',
    customer,
  })
  return { id: value.booking.id, manageUrl: manageUrl(ctxOf(app.deps), { bookingId: value.booking.id }) }
}

/** A visit that the pro has completed. */
async function finishedVisit(fixture: ToolFixture): Promise<{ manageUrl: string }> {
  const { id, manageUrl } = await newVisit(fixture)
  const days = fixture.nextDay + 30
  await fixture.app.sql`
    update bookings set starts_at = starts_at - ${days} * interval '1 day', ends_at = ends_at - ${days} * interval '1 day',
      holds = tstzrange(lower(holds) - ${days} * interval '1 day', upper(holds) - ${days} * interval '1 day'),
      status = 'completed', completed_at = now()
    where id = ${id}`
  return { manageUrl }
}

const manageUrlOf = async (visit: Promise<{ manageUrl: string }>) => ({ manageUrl: (await visit).manageUrl })

export const CUSTOMER_CALLS: Record<string, Call> = {
  search_pros: () => ({ service: 'plumber', state: 'TX', limit: 3 }),
  list_services: () => ({ limit: 3 }),
  get_pro: ({ pro: { professionalId, serviceId } }) => ({ professionalId, serviceId }),
  get_booking: (fixture) => manageUrlOf(newVisit(fixture)),
  reschedule_booking: async (fixture) => ({
    ...(await manageUrlOf(newVisit(fixture))),
    startDateTime: nextStart(fixture),
  }),
  cancel_booking: (fixture) => manageUrlOf(newVisit(fixture)),
  get_quote_request: ({ app, leadId }) => ({ requestUrl: requestUrl(ctxOf(app.deps), { rfqId: leadId }) }),
  submit_review: async (fixture) => ({
    ...(await finishedVisit(fixture)),
    rating: 5,
    content: 'On time and careful.',
  }),
  query_availability: ({ pro: { professionalId, serviceId } }) => ({ professionalId, serviceId, days: 2 }),
  book_appointment: (fixture) => ({
    professionalId: fixture.pro.professionalId,
    serviceId: fixture.pro.serviceId,
    startDateTime: nextStart(fixture),
    guestName: 'Homeowner in Austin',
    guestEmail: fixture.customer.email,
    ...VISIT,
    idempotencyKey: randomUUID(),
  }),
  request_quote: ({ pro: { professionalId, serviceId } }) => ({
    professionalId,
    serviceId,
    customer: { name: 'Homeowner in Austin', email: 'homeowner@test.example' },
    description: 'The gutter leaks at the corner.',
    idempotencyKey: randomUUID(),
  }),
  get_reviews: ({ pro: { professionalId } }) => ({ professionalId }),
  list_packages: () => ({ kind: 'standard' }),
  get_package: ({ packages: [id] }) => ({ id }),
  compare_packages: ({ packages }) => ({ ids: packages }),
  list_properties: () => ({}),
  get_property: ({ propertyId }) => ({ id: propertyId }),
}

/** Tools of the customer server that only a client's key may call. */
export const CLIENT_TOOLS = new Set(['list_properties', 'get_property'])

export const PRO_CALLS: Record<string, Call> = {
  list_leads: () => ({ limit: 3 }),
  get_lead: ({ leadId }) => ({ leadId }),
  list_quotes: () => ({ limit: 3 }),
  get_quote: ({ quoteId }) => ({ quoteId }),
  list_jobs: () => ({}),
  get_job: ({ jobId }) => ({ jobId }),
  get_assessment: ({ leadId }) => ({ leadId }),
  list_job_media: ({ jobId }) => ({ jobId }),
  list_bookings: () => ({}),
  list_services: () => ({}),
  get_availability: () => ({}),
  list_reviews: () => ({ limit: 3 }),
  view_analytics: () => ({ period: '30d' }),
  get_tasks: () => ({}),
  get_proposal_status: () => ({}),
  prepare_quote_draft: ({ leadId }) => ({ leadId }),
  prepare_assessment_notes: ({ leadId }) => ({ leadId }),
  prepare_day_brief: () => ({}),
  prepare_job_spec: ({ jobId }) => ({ jobId }),
  prepare_customer_message: ({ leadId }) => ({ leadId, purpose: 'ask_details' }),
  update_quote_content: ({ draftId }) => ({ quoteId: draftId, message: `Thank you. ${randomUUID()}` }),
  update_service_pricing: ({ pro: { serviceId } }) => ({ serviceId, basePrice: somePrice() }),
  update_availability: () => ({ bookingBufferMinutes: 5 + Math.floor(Math.random() * 200) }),
  update_business_profile: () => ({ description: `Drains, day and night. ${randomUUID()}` }),
  update_public_profile: () => ({ headline: `Drains. ${randomUUID().slice(0, 8)}` }),
  update_business_entity: () => ({ legalName: `Drains ${randomUUID().slice(0, 8)} LLC` }),
  update_site_config: () => ({ heroTitle: `Drains. ${randomUUID().slice(0, 8)}` }),
  update_service_content: ({ pro: { serviceId } }) => ({ serviceId, description: `Clean. ${randomUUID()}` }),
  confirm_action: openProposal,
  dismiss_action: openProposal,
  run_agent: () => ({ goal: 'Give me an overview.', waitSeconds: 0 }),
  create_thread: () => ({ title: 'New leads' }),
  list_threads: () => ({}),
  get_thread: async (fixture) => ({ threadId: await newThread(fixture) }),
  chat_on_thread: async (fixture) => ({
    threadId: await newThread(fixture),
    message: 'Which lead is worth most?',
    waitSeconds: 0,
  }),
}

const somePrice = () => 100 + Math.floor(Math.random() * 10_000) / 100

async function newThread({ app, pro }: ToolFixture): Promise<string> {
  const { id } = await createThread(ctxOf(app.deps, pro), { title: 'New leads' })
  return id
}
