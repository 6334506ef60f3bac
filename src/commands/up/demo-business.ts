// What the demo pro has on their desk: work that was done, quotes that are out, leads that wait, and a visit to come.
import type { Deps } from '../../deps.ts'
import type { Availability } from '../../features/availability/schemas.ts'
import { listOpenSlots } from '../../features/availability/verbs.ts'
import { createBooking } from '../../features/bookings/verbs/create-booking.ts'
import { moveJob } from '../../features/jobs/verbs.ts'
import { changeOffer, listOffers } from '../../features/offers/verbs.ts'
import { listLocations } from '../../features/profile/verbs.ts'
import { acceptQuote, viewQuote } from '../../features/quotes/verbs/customer-link.ts'
import { sendQuote } from '../../features/quotes/verbs/quotes.ts'
import type { NewRfq } from '../../features/rfqs/schemas.ts'
import { type ActingPro, createRfq, listLeads } from '../../features/rfqs/verbs/rfqs.ts'

const DAY_MS = 86_400_000
/** Fewer leads than this, and the pro's agent would find little to do. */
const ENOUGH_LEADS = 3

interface DemoPro {
  deps: Deps
  pro: ActingPro
  /** Who asks in the customers' names. */
  accountId: string
  services: { serviceId: string; name: string; price: number }[]
  address: { street: string; city: string; state: string }
}

/** Gives the pro some business, by the verbs that everyone else's goes through, unless they have it. */
export async function createDemoBusiness(deps: Deps, professionalId: string, accountId: string): Promise<void> {
  const pro = { professionalId, accountId }
  const { meta } = await listLeads(deps, pro, { status: 'new', limit: 1 })
  if (meta.total >= ENOUGH_LEADS) return
  const { services: offers } = await listOffers(deps, pro)
  const services = offers.slice(0, 3).map(({ serviceId, name, basePrice, minPrice, maxPrice }) => ({
    serviceId,
    name,
    price: Math.round(basePrice ?? maxPrice ?? minPrice ?? 200) || 200,
  }))
  const { locations } = await listLocations(deps, pro)
  const { city = '', state = '' } = locations[0] ?? {}
  const desk = { deps, pro, accountId, services, address: { street: '1 Main Street', city, state } }
  for (const [index, change] of [0.96, 1.04, 1, 1.1, 0.98].entries()) await finishedJob(desk, 90 - index * 12, change)
  await agreedJob(desk, 6)
  await quoteSent(desk, 3, 1)
  await waitingLeads(desk)
  await comingVisit(desk)
  await fixedPrice(desk)
}

/** Something at a fixed price, to look at and to book. */
async function fixedPrice(desk: DemoPro): Promise<void> {
  const service = serviceOf(desk)
  if (!service) return
  await changeOffer(desk.deps, desk.pro, {
    serviceId: service.serviceId,
    packageKind: 'standard',
    packageName: `${service.name}, all in`,
    packagePrice: service.price,
    includes: ['One visit', 'Labor and the way there', 'Small parts', 'Cleaning up afterwards'],
    cadence: 'once',
  })
}

/** The same, some days ago. */
const daysAgo = (deps: Deps, days: number): Deps => {
  const nowMs = deps.clock.now().getTime() - days * DAY_MS
  return { ...deps, clock: { now: () => new Date(nowMs) } }
}

const serviceOf = ({ services }: DemoPro, index = 0) => services[index % services.length] ?? services[0]

const customer = (number: number) => ({ name: 'Demo Customer', email: `customer-${number}@demo.example` })

async function createLead(desk: DemoPro, days: number, wish: Partial<NewRfq>): Promise<string> {
  const { value } = await createRfq(
    daysAgo(desk.deps, days),
    { accountId: desk.accountId },
    {
      professionalId: desk.pro.professionalId,
      serviceId: serviceOf(desk)?.serviceId ?? null,
      customer: customer(Math.ceil(days) + 1),
      description: 'The same as last year, please.',
      source: 'web',
      ...wish,
    },
  )
  return value.rfq.id
}

/** A quote that is out for `days`; the token of its link. */
async function quoteSent(desk: DemoPro, days: number, index = 0, change = 1): Promise<string> {
  const service = serviceOf(desk, index)
  const amount = Math.round((service?.price ?? 200) * change)
  const rfqId = await createLead(desk, days + 1, { serviceId: service?.serviceId ?? null })
  const past = daysAgo(desk.deps, days)
  const lineItems = [{ description: service?.name ?? 'Work', quantity: 1, unitPrice: amount, amount }]
  // Good until after today: the workers expire what is not, perhaps before it is accepted here.
  const terms = { estimatedDays: 1, paymentTerms: 'Due when the work is done.', validForDays: days + 30 }
  const { value } = await sendQuote(past, desk.pro, { rfqId, amount, lineItems, ...terms })
  const token = value.customerUrl.split('/').at(-1) ?? ''
  await viewQuote(past, token)
  return token
}

async function agreedJob(desk: DemoPro, days: number, change = 1): Promise<string> {
  const { jobId } = await acceptQuote(daysAgo(desk.deps, days), await quoteSent(desk, days + 1, 0, change))
  return jobId ?? ''
}

async function finishedJob(desk: DemoPro, days: number, change: number): Promise<void> {
  const jobId = await agreedJob(desk, days, change)
  await moveJob(daysAgo(desk.deps, days - 2), desk.pro, jobId, { action: 'start' })
  await moveJob(daysAgo(desk.deps, days - 3), desk.pro, jobId, { action: 'complete' })
}

async function waitingLeads(desk: DemoPro): Promise<void> {
  const { serviceId = null, price = 200 } = serviceOf(desk) ?? {}
  const { address } = desk
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
    await createLead(desk, (leads.length - index) / 2, { serviceId, customer: customer(index + 1), ...lead })
}

/** The next open time is taken, if there is one within two weeks. */
async function comingVisit(desk: DemoPro): Promise<void> {
  const { deps, pro, accountId, address } = desk
  const slots = JSON.parse(await listOpenSlots(deps, pro.professionalId, { days: 14 })) as Availability
  const [, ...coming] = slots.availability
  const first = coming.find((day) => day.slots.some(({ available }) => available))
  const time = first?.slots.find(({ available }) => available)?.start
  const { services } = await listOffers(deps, pro)
  const bookable = services.find(({ instantBookEnabled }) => instantBookEnabled)
  if (!first || !time || !bookable) return
  const wish = { professionalId: pro.professionalId, serviceId: bookable.serviceId, date: first.date, time }
  await createBooking(deps, { accountId }, { ...wish, customer: { ...customer(1), phone: '555-0101' }, address })
}
