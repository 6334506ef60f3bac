// The history and calendar of a demo pro.
import { makeBookings, type Booking } from './bookings.ts'
import { Customers } from './customers.ts'
import { timeOrderedId } from './ids.ts'
import { dayNumber, localInstant } from './local-time.ts'
import type { Pro } from './pros.ts'
import { makeRfqs, type Rfq } from './quotes.ts'
import { Random } from './random.ts'
import { addModeration, makeReviews, type Review } from './reviews.ts'

export interface Block {
  id: string
  startMs: number
  endMs: number
  reason: string
  createdMs: number
}

export interface History {
  bookings: readonly Booking[]
  rfqs: readonly Rfq[]
  reviews: readonly Review[]
  blocks: readonly Block[]
}

const stream = 2
/** A separate stream for moderation and responses to reviews, so that it does not change other data. */
const moderationStream = 3
const dayMs = 86_400_000

/** The pro's history up to `nowMs`. It depends only on the seed and the pro. */
export const makeHistory = (seed: number, pro: Pro, nowMs: number): History => {
  const random = new Random(seed, stream, pro.index)
  const customers = new Customers(random, pro)
  const bookings = makeBookings(random, pro, customers, nowMs)
  const rfqs = makeRfqs(random, pro, customers, nowMs)
  const published = makeReviews(random, pro, customers, { bookings, rfqs }, nowMs)
  const blocks = makeBlocks(random, pro, nowMs)
  // `customers` also draws from `random`, so no draw may follow this line.
  const reviews = addModeration(new Random(seed, moderationStream, pro.index), pro, customers, published, nowMs)
  return { bookings, rfqs, reviews, blocks }
}

/** Some pros are away for a few days, after the two weeks with demo bookings. */
const makeBlocks = (random: Random, pro: Pro, nowMs: number): Block[] => {
  if (!random.chance(0.15)) return []
  const firstDay = dayNumber(nowMs) + random.integer(15, 45)
  const createdMs = nowMs - Math.floor(random.between(1, 10) * dayMs)
  return [
    {
      id: timeOrderedId(createdMs, random),
      startMs: localInstant(pro.city.timeZone, firstDay, 6 * 60),
      endMs: localInstant(pro.city.timeZone, firstDay + random.integer(0, 7), 20 * 60),
      reason: random.pick(['Vacation', 'Training', 'Large project', 'Shop closed', 'Family time']),
      createdMs,
    },
  ]
}
