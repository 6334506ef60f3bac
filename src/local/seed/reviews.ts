// Reviews of a demo pro, one for each rating the pro has.
import { tradeOf, type Trade } from '../../features/catalog/entries/starter-set.ts'
import type { Booking } from './bookings.ts'
import type { Customer, Customers } from './customers.ts'
import { timeOrderedId } from './ids.ts'
import type { Offer } from './offers.ts'
import { fill, nameInSentence } from './phrases.ts'
import type { Pro } from './pros.ts'
import type { Rfq } from './quotes.ts'
import type { Random } from './random.ts'
import { negative, neutral, positive, responses } from './review-phrases.ts'

export interface Review {
  id: string
  bookingId: string | null
  jobId: string | null
  rating: number
  title: string | null
  content: string
  /** Punctuality, communication, quality, value. */
  scores: readonly [number, number, number, number]
  customer: Customer
  createdMs: number
  /** Null while the review awaits moderation. */
  approvedMs: number | null
  response: { content: string; atMs: number } | null
}

/** The bookings and requests of a pro's customers. */
interface Requests {
  bookings: readonly Booking[]
  rfqs: readonly Rfq[]
}

/** Completed work that its customer may review. */
interface Work {
  bookingId: string | null
  jobId: string | null
  offer: Offer
  customer: Customer
  completedMs: number
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** One review per rating of the pro: of completed bookings and jobs, or of work outside Hearth. */
export const makeReviews = (
  random: Random,
  pro: Pro,
  customers: Customers,
  history: Requests,
  nowMs: number,
): Review[] => {
  const works = completedWorks(history).filter(({ completedMs }) => completedMs < nowMs - 12 * dayMs)
  return pro.ratings.map((rating) => {
    const work = random.chance(0.7) ? works.pop() : undefined
    return makeReview(random, pro, rating, work ?? otherWork(random, pro, customers, nowMs), nowMs)
  })
}

/** Adds responses of the pro to some reviews, and sometimes one more review that awaits moderation. */
export const addModeration = (
  random: Random,
  pro: Pro,
  customers: Customers,
  reviews: readonly Review[],
  nowMs: number,
): Review[] => {
  const withResponses = reviews.map((review) => ({ ...review, response: responseTo(random, review, nowMs) }))
  if (!random.chance(0.04)) return withResponses
  const work = {
    ...otherWork(random, pro, customers, nowMs),
    completedMs: nowMs - Math.floor(random.between(3, 5) * dayMs),
  }
  const createdMs = nowMs - Math.floor(random.between(1, 40) * hourMs)
  const pending = {
    ...makeReview(random, pro, random.integer(1, 5), work, nowMs),
    id: timeOrderedId(createdMs, random),
  }
  return [...withResponses, { ...pending, createdMs, approvedMs: null }]
}

const responseTo = (random: Random, { rating, approvedMs }: Review, nowMs: number): Review['response'] => {
  if (approvedMs === null || !random.chance(rating < 4 ? 0.35 : 0.12)) return null
  const atMs = Math.min(nowMs, Math.floor(approvedMs + random.between(0.1, 6) * dayMs))
  return { content: random.pick(rating < 4 ? responses.apologies : responses.thanks), atMs }
}

const completedWorks = ({ bookings, rfqs }: Requests): Work[] => [
  ...bookings.flatMap(({ id, offer, customer, completedMs }) =>
    completedMs === null ? [] : { bookingId: id, jobId: null, offer, customer, completedMs },
  ),
  ...rfqs.flatMap(({ offer, customer, quote }) =>
    quote?.job?.completedMs
      ? { bookingId: null, jobId: quote.job.id, offer, customer, completedMs: quote.job.completedMs }
      : [],
  ),
]

/** Work outside Hearth since the pro joined, with more of it recently. */
const otherWork = (random: Random, pro: Pro, customers: Customers, nowMs: number): Work => {
  const age = (nowMs - 12 * dayMs - pro.createdMs) * Math.pow(random.float(), 1.6)
  return {
    bookingId: null,
    jobId: null,
    offer: random.pick(pro.offers),
    customer: customers.next(),
    completedMs: Math.floor(nowMs - 12 * dayMs - age),
  }
}

const makeReview = (random: Random, pro: Pro, rating: number, work: Work, nowMs: number): Review => {
  const createdMs = Math.floor(work.completedMs + random.between(0.1, 9) * dayMs)
  const { bookingId, jobId, customer } = work
  return {
    id: timeOrderedId(createdMs, random),
    bookingId,
    jobId,
    customer,
    rating,
    ...textFor(random, rating, pro, work.offer),
    scores: [
      scoreNear(random, rating),
      scoreNear(random, rating),
      scoreNear(random, rating),
      scoreNear(random, rating),
    ],
    createdMs,
    approvedMs: Math.min(nowMs, Math.floor(createdMs + random.between(0.5, 30) * hourMs)),
    response: null,
  }
}

const scoreNear = (random: Random, rating: number): number =>
  Math.min(5, Math.max(1, rating + (random.chance(0.72) ? 0 : random.chance(0.5) ? 1 : -1)))

const textFor = (random: Random, rating: number, pro: Pro, offer: Offer): Pick<Review, 'title' | 'content'> => {
  const tone = rating > 3 ? positive : rating === 3 ? neutral : negative
  const values = { service: nameInSentence(offer.service.name) ?? 'work', city: pro.city.name }
  const sentences = [
    random.pick(tone.openings),
    ...detailsFor(random, rating, tradeOf(offer.service)),
    ...(random.chance(0.6) ? [random.pick(tone.closings)] : []),
  ]
  return {
    title: random.chance(0.7) ? fill(random.pick(tone.titles), values) : null,
    content: sentences.map((sentence) => fill(sentence, values)).join(' '),
  }
}

/** High ratings get praise, medium ratings praise and a complaint, low ratings a complaint. */
const detailsFor = (random: Random, rating: number, trade: Trade): string[] => {
  if (rating === 5) return random.sample(trade.praise, random.integer(1, 2))
  if (rating === 4) return [random.pick(trade.praise)]
  if (rating === 3) return [random.pick(trade.praise), random.pick(trade.complaints)]
  return [random.pick(trade.complaints)]
}
