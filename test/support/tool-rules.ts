// For every tool of the MCP servers: the owner of each id in its input. The rest of the input is in tool-fixture.ts.
import { randomUUID } from 'node:crypto'

import { prepareAssessment } from '../../src/features/agents/drafts/verbs/assessments.ts'
import { createThread } from '../../src/features/agents/threads/verbs/threads.ts'
import { startRun } from '../../src/features/agents/threads/verbs/runs.ts'
import { createBlock } from '../../src/features/calendar/schedule/verbs.ts'
import { CUSTOMER_SERVER, callTool } from './agents.ts'
import { CUSTOMER_CALLS, PRO_CALLS, type ToolFixture } from './tool-fixture.ts'
import { ctxOf } from '../../src/ctx.ts'

/** The owned ids that tools accept. */
export interface OwnedIds {
  lead: string
  quote: string
  draft: string
  job: string
  booking: string
  assessment: string
  proposal: string
  thread: string
  run: string
  /** A service that only this fixture's pro offers. */
  offer: string
  property: string
  /** A blocked time of the pro. */
  block: string
}
export type OwnedName = keyof OwnedIds

export interface ToolRule {
  /** The kind of each id of the input: something owned; `public`, an id that anyone may use; `new`, a value to store. */
  readonly ids?: Readonly<Record<string, OwnedName | 'public' | 'new'>>
  /** The input has exactly one of these fields. */
  readonly oneOf?: readonly string[]
  /** A list filtered by an id. A stranger's list has no items of the owner. */
  readonly isList?: boolean
}

const SUBJECT: ToolRule = {
  ids: { leadId: 'lead', bookingId: 'booking', jobId: 'job' },
  oneOf: ['leadId', 'bookingId', 'jobId'],
}
const PROPOSAL: ToolRule = { ids: { proposalId: 'proposal' } }
const OFFER: ToolRule = { ids: { serviceId: 'offer' } }
const THREAD: ToolRule = { ids: { threadId: 'thread' } }

export const PRO_RULES: Readonly<Record<string, ToolRule>> = {
  list_leads: {},
  get_lead: { ids: { leadId: 'lead' } },
  list_quotes: { ids: { leadId: 'lead' }, isList: true },
  get_quote: { ids: { quoteId: 'quote' } },
  list_jobs: {},
  get_job: { ids: { jobId: 'job' } },
  get_assessment: {
    ids: { ...SUBJECT.ids, assessmentId: 'assessment' },
    oneOf: [...(SUBJECT.oneOf ?? []), 'assessmentId'],
  },
  list_job_media: { ids: { jobId: 'job', leadId: 'lead' }, oneOf: ['jobId', 'leadId'] },
  list_bookings: {},
  list_services: {},
  get_availability: { ids: { serviceId: 'public' } },
  list_reviews: {},
  view_analytics: {},
  get_tasks: {},
  get_proposal_status: { ids: { proposalId: 'proposal', runId: 'run' }, oneOf: ['proposalId', 'runId'] },
  // It reads only public prices of the service.
  prepare_quote_draft: { ids: { leadId: 'lead', serviceId: 'public' } },
  prepare_assessment_notes: SUBJECT,
  prepare_day_brief: {},
  prepare_job_spec: SUBJECT,
  prepare_customer_message: SUBJECT,
  update_quote_content: { ids: { quoteId: 'draft' } },
  update_service_pricing: OFFER,
  update_availability: { ids: { unblockId: 'block' } },
  update_business_profile: {},
  update_public_profile: {},
  update_business_entity: {},
  update_site_config: {},
  update_service_content: OFFER,
  confirm_action: PROPOSAL,
  dismiss_action: PROPOSAL,
  run_agent: THREAD,
  create_thread: {},
  list_threads: {},
  get_thread: THREAD,
  chat_on_thread: THREAD,
}

const OFFERED: ToolRule = { ids: { professionalId: 'public', serviceId: 'public' } }

const OWN_BOOKING: ToolRule = { ids: { bookingId: 'booking' }, oneOf: ['manageUrl', 'bookingId'] }

/** Tools that give a signed-in customer what is theirs by its id. */
export const SIGNED_IN_TOOLS = new Set([
  'get_booking',
  'reschedule_booking',
  'cancel_booking',
  'get_quote_request',
  'submit_review',
])

export const CUSTOMER_RULES: Readonly<Record<string, ToolRule>> = {
  search_pros: {},
  list_services: {},
  get_pro: OFFERED,
  // A code only reads, for all who have it.
  get_booking: {
    ids: { bookingId: 'booking', confirmationCode: 'public' },
    oneOf: ['manageUrl', 'bookingId', 'confirmationCode'],
  },
  reschedule_booking: OWN_BOOKING,
  get_quote_request: { ids: { rfqId: 'lead' }, oneOf: ['requestUrl', 'rfqId'] },
  submit_review: {
    ids: { bookingId: 'booking', rfqId: 'lead' },
    oneOf: ['manageUrl', 'bookingId', 'requestUrl', 'rfqId'],
  },
  cancel_booking: OWN_BOOKING,
  query_availability: { ids: { ...OFFERED.ids, packageId: 'public' } },
  book_appointment: { ids: { ...OFFERED.ids, packageId: 'public', notifyEmail: 'new', guestEmail: 'new' } },
  request_quote: OFFERED,
  get_reviews: { ids: { professionalId: 'public' } },
  list_packages: {},
  get_package: { ids: { id: 'public' } },
  compare_packages: { ids: { ids: 'public' } },
  list_properties: {},
  get_property: { ids: { id: 'property' } },
}

/** Creates one row of each owned kind. The fixture's customer makes the booking. */
export async function ownedIdsOf(fixture: ToolFixture): Promise<OwnedIds> {
  const { app, pro, keys } = fixture
  const booked = await callTool(
    app,
    CUSTOMER_SERVER,
    keys.customer,
    'book_appointment',
    (await CUSTOMER_CALLS['book_appointment']?.(fixture)) ?? {},
  )
  const { proposalId } = { proposalId: '', ...(await PRO_CALLS['confirm_action']?.(fixture)) }
  const { bookingId } = booked.structured as { bookingId: string }
  await prepareAssessment(ctxOf(app.deps, pro), { bookingId })
  const [startDateTime, endDateTime] = ['2031-05-01T00:00:00Z', '2031-05-02T00:00:00Z']
  return {
    lead: fixture.leadId,
    quote: fixture.quoteId,
    draft: fixture.draftId,
    job: fixture.jobId,
    booking: bookingId,
    assessment: (await prepareAssessment(ctxOf(app.deps, pro), { jobId: fixture.jobId })).id,
    proposal: proposalId,
    thread: (await createThread(ctxOf(app.deps, pro), { title: `Leads of ${randomUUID()}` })).id,
    run: (await startRun(ctxOf(app.deps, pro), { kind: 'run_agent', goal: 'Give me an overview.' })).runId,
    offer: pro.serviceId,
    property: fixture.propertyId,
    block: (await createBlock(ctxOf(app.deps, pro), { startDateTime, endDateTime })).block.id,
  }
}
