// The subject of prepared work: a lead, a booking or a job, in one shape.
import type { Static } from '@sinclair/typebox'

import type { Ctx } from '../../../../ctx.ts'
import { invalidField } from '../../../../errors/app-error.ts'
import { getProBooking } from '../../../booking/bookings/verbs/find-booking.ts'
import { getJob } from '../../../booking/jobs/verbs/jobs.ts'
import { getCatalogNames } from '../../../catalog/services/verbs/names.ts'
import { readTerms } from '../../../catalog/services/verbs/search-terms.ts'
import { firstCharacters } from '../../../../platform/text/plain.ts'
import type { Quote } from '../../../quoting/quotes/schemas.ts'
import { getQuote } from '../../../quoting/quotes/verbs/quotes.ts'
import type { KnownAddress } from '../../../quoting/rfqs/schemas.ts'
import { type ActingPro, getLead } from '../../../quoting/rfqs/verbs/rfqs.ts'
import type { About, SubjectRef } from '../schemas.ts'
import { findService } from '../queries/quote-sources.sql.ts'

export interface Subject {
  about: About
  /** The request, also the one that a job came from. */
  rfqId: string | null
  status: string
  service: { id: string; name: string; unit: string | null } | null
  /** Whether the service was read from the customer's words: the request names none. */
  isServiceRead: boolean
  customer: { name: string; email: string; phone: string | null }
  address: Static<typeof KnownAddress>
  description: string | null
  budget: string | null
  timeline: string | null
  preferredDate: string | null
  photos: string[]
  /** The time of a booking, in the pro's time zone. */
  visit: { date: string; time: string; durationMinutes: number } | null
  /** The quote of a job, or the latest sent quote of a lead. */
  quote: Quote | null
}

/**
 * The lead, booking or job. Throws validation_failed unless exactly one is named, rfq_not_found, booking_not_found and
 * job_not_found.
 */
export async function getSubject(ctx: Ctx<ActingPro>, ref: SubjectRef): Promise<Subject> {
  const { leadId, bookingId, jobId } = ref
  if ([leadId, bookingId, jobId].filter((id) => id !== undefined).length !== 1)
    throw invalidField('body.leadId', 'give exactly one of leadId, bookingId and jobId')
  if (leadId !== undefined) return await getLeadSubject(ctx, leadId)
  if (bookingId !== undefined) return await getBookingSubject(ctx, bookingId)
  return await getJobSubject(ctx, jobId ?? '')
}

/** The columns that store the subject. */
export const subjectColumns = ({ about: { type, id } }: Pick<Subject, 'about'>) =>
  type === 'lead' ? { rfqId: id } : type === 'booking' ? { bookingId: id } : { jobId: id }

async function getLeadSubject(ctx: Ctx<ActingPro>, id: string): Promise<Subject> {
  const lead = await getLead(ctx, { id })
  const read = lead.service ? undefined : await serviceInWords(ctx, lead.description)
  return {
    about: { type: 'lead', id },
    rfqId: id,
    status: lead.status,
    service: lead.service ? await serviceOf(ctx, lead.service) : (read ?? null),
    isServiceRead: read !== undefined,
    customer: lead.customer,
    address: lead.address,
    description: lead.description,
    budget: lead.budget,
    timeline: lead.timeline,
    preferredDate: lead.preferredDate,
    photos: lead.photos,
    visit: null,
    quote: lead.quotes.find(({ status }) => status !== 'draft') ?? null,
  }
}

async function getBookingSubject(ctx: Ctx<ActingPro>, id: string): Promise<Subject> {
  const booking = await getProBooking(ctx, { professionalId: ctx.actor.professionalId, id })
  return {
    about: { type: 'booking', id },
    rfqId: null,
    status: booking.status,
    service: await serviceOf(ctx, booking.service),
    isServiceRead: false,
    customer: { ...booking.customer, phone: booking.customerPhone },
    address: booking.address,
    description: booking.description,
    budget: null,
    timeline: null,
    preferredDate: booking.scheduledDate,
    photos: [],
    visit: {
      date: booking.scheduledDate,
      time: booking.scheduledTime,
      durationMinutes: booking.durationMinutes,
    },
    quote: null,
  }
}

async function getJobSubject(ctx: Ctx<ActingPro>, id: string): Promise<Subject> {
  const job = await getJob(ctx, { id })
  if (job.rfqId === null || job.quoteId === null)
    throw invalidField('body.jobId', 'must be a job that came from a request; this job has no customer')
  const request = await getLeadSubject(ctx, job.rfqId)
  const quote = await getQuote(ctx, { id: job.quoteId })
  const service = job.service ? await serviceOf(ctx, job.service) : request.service
  return { ...request, about: { type: 'job', id }, status: job.status, service, quote }
}

const MAX_WORDS_READ = 200

/** The service that a request without one describes: “the kitchen drain is blocked”. */
async function serviceInWords(ctx: Ctx, description: string) {
  const q = firstCharacters(description.replaceAll(/\s+/g, ' ').trim(), MAX_WORDS_READ)
  if (q === '') return undefined
  const service = readTerms(await getCatalogNames(ctx), { q }).offering?.service
  return service && (await findService(ctx, { id: service.id }))
}

/** Adds the unit. A service that left the catalog keeps its name. */
const serviceOf = async (ctx: Ctx, { id, name }: { id: string; name: string }) =>
  (await findService(ctx, { id })) ?? { id, name, unit: null }
