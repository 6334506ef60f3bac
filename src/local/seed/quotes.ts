// Quote requests of a demo pro, with their quotes and jobs.
import { VALID_FOR_DAYS } from '../../features/quoting/quotes/rules/validity.ts'
import { tradeOf } from '../../features/catalog/entries/starter-set.ts'
import { sources, type Customer, type Customers, type Source } from './customers.ts'
import { timeOrderedId } from './ids.ts'
import type { Offer } from './offers.ts'
import type { Pro } from './pros.ts'
import type { Random } from './random.ts'

export interface Rfq {
  id: string
  status: 'new' | 'responded' | 'archived'
  offer: Offer
  customer: Customer
  description: string
  source: Source
  budget: string | null
  timeline: string | null
  createdMs: number
  quote: Quote | null
}

export interface Quote {
  id: string
  status: 'sent' | 'viewed' | 'accepted' | 'declined' | 'expired'
  amountCents: number
  units: number
  createdMs: number
  validUntilMs: number
  viewedMs: number | null
  acceptedMs: number | null
  declinedMs: number | null
  expiredMs: number | null
  job: Job | null
}

export interface Job {
  id: string
  status: 'scheduled' | 'in_progress' | 'completed' | 'cancelled'
  amountCents: number
  createdMs: number
  startedMs: number | null
  completedMs: number | null
  cancelledMs: number | null
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const validMs = VALID_FOR_DAYS * dayMs
const timelines = ['As soon as possible', 'Within a week', 'Within a month', 'This season', 'Flexible']

/** Requests of the last 400 days. Pros without instant booking get more of them. */
export const makeRfqs = (random: Random, pro: Pro, customers: Customers, nowMs: number): Rfq[] =>
  Array.from({ length: random.poisson(pro.instantBooking ? 0.6 : 1.3) }, () => {
    const windowMs = random.chance(0.3) ? 30 * dayMs : 400 * dayMs
    const createdMs = Math.floor(random.between(Math.max(pro.createdMs, nowMs - windowMs), nowMs - hourMs))
    return makeRfq(random, random.pick(pro.offers), customers.next(), createdMs, nowMs)
  })

const makeRfq = (random: Random, offer: Offer, customer: Customer, createdMs: number, nowMs: number): Rfq => {
  const id = timeOrderedId(createdMs, random)
  const units = unitsOf(random, offer)
  const amountCents = roundedCents(offer.typicalCents * units * random.between(0.88, 1.18))
  const quotedMs = createdMs + Math.floor(random.between(1, 60) * hourMs)
  const hasQuote = quotedMs < nowMs && !random.chance(0.15)
  const quote = hasQuote ? makeQuote(random, amountCents, units, quotedMs, nowMs) : null
  const old = nowMs - createdMs > 45 * dayMs
  const closed = quote === null ? old : old && quote.status !== 'sent' && random.chance(0.5)
  return {
    id,
    status: closed ? 'archived' : quote ? 'responded' : 'new',
    offer,
    customer,
    description: random.pick(tradeOf(offer.service).requests),
    source: random.weighted<Source>(sources),
    budget: random.chance(0.4) ? budgetAround(amountCents) : null,
    timeline: random.chance(0.7) ? random.pick(timelines) : null,
    createdMs,
    quote,
  }
}

const makeQuote = (random: Random, amountCents: number, units: number, createdMs: number, nowMs: number): Quote => {
  const id = timeOrderedId(createdMs, random)
  const decidedMs = createdMs + Math.floor(random.between(2, 120) * hourMs)
  const decided = random.weighted<Quote['status'] | 'open'>([
    ['accepted', 55],
    ['declined', 22],
    ['open', 23],
  ])
  const open = nowMs - createdMs > validMs ? 'expired' : random.chance(0.5) ? 'viewed' : 'sent'
  const status = decided === 'open' || decidedMs > nowMs ? open : decided
  const acceptedMs = status === 'accepted' ? decidedMs : null
  const job = acceptedMs === null ? null : makeJob(random, amountCents, acceptedMs, nowMs)
  const validUntilMs = createdMs + validMs
  return {
    id,
    status,
    amountCents,
    units,
    createdMs,
    validUntilMs,
    // Customers view a quote within an hour, before they decide.
    viewedMs: status === 'sent' || status === 'expired' ? null : Math.min(createdMs + hourMs, nowMs),
    acceptedMs,
    declinedMs: status === 'declined' ? decidedMs : null,
    expiredMs: status === 'expired' ? validUntilMs : null,
    job,
  }
}

const makeJob = (random: Random, quotedCents: number, createdMs: number, nowMs: number): Job => {
  const id = timeOrderedId(createdMs, random)
  const startMs = createdMs + Math.floor(random.between(1, 14) * dayMs)
  const endMs = startMs + Math.floor(random.between(0.1, 6) * dayMs)
  // The final amount is the quoted one, or slightly more or less.
  const amountCents = random.chance(0.6) ? quotedCents : roundedCents(quotedCents * random.between(0.95, 1.15))
  const job = { id, amountCents, createdMs, startedMs: null, completedMs: null, cancelledMs: null }
  if (startMs > nowMs) return { ...job, status: 'scheduled' }
  if (random.chance(0.05)) return { ...job, status: 'cancelled', cancelledMs: startMs }
  if (endMs > nowMs) return { ...job, status: 'in_progress', startedMs: startMs }
  return { ...job, status: 'completed', startedMs: startMs, completedMs: endMs }
}

/** The number of units of a typical job; 1 for a flat price. */
const unitsOf = (random: Random, { service, typicalCents }: Offer): number => {
  if (service.unit === null) return 1
  if (service.unit === 'hour') return random.integer(2, 16) / 2
  if (service.unit === 'linear foot') return random.integer(4, 40) * 5
  if (service.unit !== 'square foot') return typicalCents < 3000 ? random.integer(4, 24) : random.integer(1, 6)
  if (typicalCents < 1000) return random.integer(15, 120) * 20
  return typicalCents < 4000 ? random.integer(8, 50) * 10 : random.integer(4, 20) * 10
}

/** Rounds to $5 from $100, else to $1. */
const roundedCents = (cents: number): number => {
  const step = cents >= 10_000 ? 500 : 100
  return Math.max(1, Math.round(cents / step)) * step
}

const budgetAround = (cents: number): string => {
  const step = cents >= 200_000 ? 1000 : cents >= 50_000 ? 250 : 50
  const low = Math.floor(cents / 100 / step) * step
  return low === 0 ? `Under $${step}` : `$${low.toLocaleString('en-US')} to $${(low + step).toLocaleString('en-US')}`
}
