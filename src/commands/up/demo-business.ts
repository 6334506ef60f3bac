// The demo pro's business: completed jobs, an open quote, new leads, reviewed visits, an upcoming one and packages.
import { ANONYMOUS } from '../../auth/accounts/verbs.ts'
import { PUBLIC } from '../../auth/caller.ts'
import { type Ctx, ctxOf } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import { getOpenSlots } from '../../features/calendar/availability/verbs.ts'
import { createBooking } from '../../features/booking/bookings/verbs/create-booking.ts'
import { actOnBooking } from '../../features/booking/bookings/verbs/pro-actions.ts'
import { progressJob } from '../../features/booking/jobs/verbs/progress-job.ts'
import { changeOffer, listOffers } from '../../features/business/offers/verbs.ts'
import { listLocations } from '../../features/business/profile/verbs.ts'
import { acceptQuote, viewQuote } from '../../features/quoting/quotes/verbs/customer-link.ts'
import { customerUrl } from '../../features/quoting/quotes/verbs/link-tokens.ts'
import { sendQuote } from '../../features/quoting/quotes/verbs/quotes.ts'
import { approveReview, submitReview } from '../../features/reviews/reviews/verbs/reviews.ts'
import type { NewRfq } from '../../features/quoting/rfqs/schemas.ts'
import { type ActingPro, createRfq, listLeads } from '../../features/quoting/rfqs/verbs/rfqs.ts'

const DAY_MS = 86_400_000
/** With fewer leads the pro's agent would have little to do. */
const ENOUGH_LEADS = 3

interface DemoPro {
  deps: Deps
  pro: ActingPro
  /** The account that sends the customers' requests. */
  accountId: string
  services: { serviceId: string; name: string; price: number }[]
  address: { street: string; city: string; state: string }
}

/** Creates the demo business through the ordinary verbs, unless it exists. */
export async function createDemoBusiness(ctx: Ctx, professionalId: string, accountId: string): Promise<void> {
  const pro = { professionalId, accountId }
  const { meta } = await listLeads(ctx.as(pro), { status: 'new', limit: 1 })
  if (meta.total >= ENOUGH_LEADS) return
  const { services: offers } = await listOffers(ctx.as(pro))
  const services = offers.slice(0, 3).map(({ serviceId, name, basePrice, minPrice, maxPrice }) => ({
    serviceId,
    name,
    price: Math.round(basePrice ?? maxPrice ?? minPrice ?? 200) || 200,
  }))
  const { locations } = await listLocations(ctx.as(pro))
  const { city = '', state = '' } = locations[0] ?? {}
  const demo = { deps: ctx, pro, accountId, services, address: { street: '1 Main Street', city, state } }
  for (const [index, change] of [0.96, 1.04, 1, 1.1, 0.98].entries())
    await createCompletedJob(demo, 90 - index * 12, change)
  await createAgreedJob(demo, 6)
  await createSentQuote(demo, 3, 1)
  await createNewLeads(demo)
  for (const [index, review] of REVIEWS.entries()) await createReviewedVisit(demo, 40 - index * 12, review)
  await createVisit(ctx, demo)
  if (ctx.config.features.has('FEATURE_OFFER_PACKAGES')) await createPackages(demo)
}

/** Makes packages of up to three offers that can be booked at once. */
async function createPackages({ deps, pro }: DemoPro): Promise<void> {
  const { services } = await listOffers(ctxOf(deps, pro))
  const offers = services.filter(
    ({ instantBookEnabled, basePrice, priceType }) =>
      instantBookEnabled && basePrice !== null && priceType !== 'per_unit',
  )
  for (const { serviceId, name, basePrice, priceType, durationMinutes } of offers.slice(0, 3))
    await changeOffer(ctxOf(deps, pro), {
      serviceId,
      packageKind: 'standard',
      packageName: `${name}, all in`,
      packagePrice: Math.ceil((basePrice ?? 0) * (priceType === 'hourly' ? durationMinutes / 60 : 1)),
      includes: ['One visit', 'Labor and travel', 'Small parts', 'Cleaning up afterwards'],
      cadence: 'once',
    })
}

const REVIEWS = [
  { rating: 5, title: 'Quick and tidy', content: 'Came on time, explained the problem and left the place clean.' },
  { rating: 4, title: 'Good work', content: 'The work is good. The visit took a little longer than planned.' },
  { rating: 5, title: 'Will book again', content: 'A fair price, agreed before the start, and it stayed at that.' },
]

/** A visit `days` ago that was completed and reviewed. */
async function createReviewedVisit(demo: DemoPro, days: number, review: (typeof REVIEWS)[number]): Promise<void> {
  const { deps, pro, accountId } = demo
  const visit = await createVisit(ctxOf(daysAgo(deps, days)), demo)
  if (!visit) return
  const later = daysAgo(deps, days - 16)
  await actOnBooking(ctxOf(later, pro), { action: 'complete', id: visit.id })
  const value = await submitReview(ctxOf(later, { accountId, isProven: true }), {
    professionalId: pro.professionalId,
    bookingId: visit.id,
    customer: visit.customer,
    source: 'web',
    ...review,
  })
  await approveReview(ctxOf(later), { id: value.review.id })
}

/** The dependencies with a clock some days in the past. */
const daysAgo = (deps: Deps, days: number): Deps => {
  const nowMs = deps.clock.now().getTime() - days * DAY_MS
  return { ...deps, clock: { now: () => new Date(nowMs) } }
}

const serviceOf = ({ services }: DemoPro, index = 0) => services[index % services.length] ?? services[0]

const customer = (number: number) => ({ name: 'Demo Customer', email: `customer-${number}@demo.example` })

async function createLead(demo: DemoPro, days: number, input: Partial<NewRfq>): Promise<string> {
  const value = await createRfq(ctxOf(daysAgo(demo.deps, days), { accountId: demo.accountId }), {
    professionalId: demo.pro.professionalId,
    serviceId: serviceOf(demo)?.serviceId ?? null,
    customer: customer(Math.ceil(days) + 1),
    description: 'The same as last year, please.',
    source: 'web',
    ...input,
  })
  return value.rfq.id
}

/** Sends a quote `days` ago and returns the token of its link. */
async function createSentQuote(demo: DemoPro, days: number, index = 0, change = 1): Promise<string> {
  const service = serviceOf(demo, index)
  const amount = Math.round((service?.price ?? 200) * change)
  const rfqId = await createLead(demo, days + 1, { serviceId: service?.serviceId ?? null })
  const past = daysAgo(demo.deps, days)
  const lineItems = [{ description: service?.name ?? 'Work', quantity: 1, unitPrice: amount, amount }]
  // Valid beyond today, because the workers could expire the quote before it is accepted here.
  const terms = { estimatedDays: 1, paymentTerms: 'Due when the work is done.', validForDays: days + 30 }
  const value = await sendQuote(ctxOf(past, demo.pro), { rfqId, amount, lineItems, ...terms })
  const until = new Date(value.quote.validUntil ?? past.clock.now())
  const token = customerUrl(ctxOf(past), { quoteId: value.quote.id, validUntil: until }).split('/').at(-1) ?? ''
  await viewQuote(ctxOf(past), { token })
  return token
}

async function createAgreedJob(demo: DemoPro, days: number, change = 1): Promise<string> {
  const { quote } = await acceptQuote(ctxOf(daysAgo(demo.deps, days), ANONYMOUS), {
    token: await createSentQuote(demo, days + 1, 0, change),
  })
  return quote.jobId ?? ''
}

async function createCompletedJob(demo: DemoPro, days: number, change: number): Promise<void> {
  const jobId = await createAgreedJob(demo, days, change)
  await progressJob(ctxOf(daysAgo(demo.deps, days - 2), demo.pro), { id: jobId, progress: { action: 'start' } })
  await progressJob(ctxOf(daysAgo(demo.deps, days - 3), demo.pro), { id: jobId, progress: { action: 'complete' } })
}

async function createNewLeads(demo: DemoPro): Promise<void> {
  const { serviceId = null, price = 200 } = serviceOf(demo) ?? {}
  const { address } = demo
  const leads: Partial<NewRfq>[] = [
    { description: 'As soon as you can: it got worse over the weekend.', timeline: 'As soon as possible' },
    { description: 'No hurry. What would it cost, and when could you come?', budget: `$${price} to $${price * 2}` },
    {
      description: 'For my mother’s house; she is there every morning.',
      address,
      customer: { ...customer(3), phone: '555-0103' },
    },
    { serviceId: null, description: 'Could you have a look at a few small things at once?' },
  ]
  for (const [index, lead] of leads.entries())
    await createLead(demo, (leads.length - index) / 2, { serviceId, customer: customer(index + 1), ...lead })
}

/** Books the next open time for the first service that can be booked; undefined if all times are taken. */
async function createVisit(ctx: Ctx, { pro, accountId, address }: DemoPro) {
  const { services } = await listOffers(ctx.as(pro))
  for (const { serviceId, durationMinutes } of services) {
    const { nextAvailable } = await getOpenSlots(ctx.as(PUBLIC), { serviceId, pro: pro.professionalId })
    if (!nextAvailable) continue
    const { date, time } = nextAvailable
    const visitor = { ...customer(1), phone: '555-0101' }
    const visit = { professionalId: pro.professionalId, serviceId, date, time, duration: durationMinutes }
    const value = await createBooking(ctx.as({ accountId }), { ...visit, customer: visitor, address, source: 'web' })
    return { id: value.booking.id, customer: { name: visitor.name, email: visitor.email } }
  }
  return undefined
}
