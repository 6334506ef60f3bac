// Converts a demo pro and their history to database rows.
import type { Booking } from './bookings.ts'
import type { History } from './history.ts'
import type { Package } from './packages.ts'
import type { Pro } from './pros.ts'
import type { Rfq } from './quotes.ts'
import type { Review } from './reviews.ts'
import type { Rows } from './tables.ts'

const minuteMs = 60_000

const instant = (ms: number): string => new Date(ms).toISOString()
const instantOrNull = (ms: number | null): string | null => (ms === null ? null : instant(ms))

/** The pro's account, profile and services. */
export const addPro = (rows: Rows, pro: Pro): void => {
  const created = instant(pro.createdMs)
  rows.add('accounts', [pro.accountId, 'pro', `${pro.slug}@pros.example`, pro.name, created])
  rows.add('professionals', [
    pro.id,
    pro.accountId,
    pro.slug,
    pro.name,
    pro.description,
    pro.verified,
    ...pro.checks,
    pro.plan,
    pro.website,
    pro.phone,
    pro.city.id,
    pro.latitude,
    pro.longitude,
    pro.city.timeZone,
    pro.serviceRadiusMiles,
    pro.yearsOfExperience,
    pro.acceptsEmergency,
    pro.ratings.length,
    pro.ratings.reduce((sum, rating) => sum + rating, 0),
    pro.instantBooking,
    pro.requiresApproval,
    pro.depositPercentage !== null,
    pro.depositPercentage,
    pro.leadTimeHours,
    pro.bufferMinutes,
    pro.slotMinutes,
    pro.hours.json,
    created,
    created,
  ])
  for (const { service, ...offer } of pro.offers) {
    rows.add('professional_services', [
      pro.id,
      service.id,
      offer.description,
      service.priceType,
      service.unit,
      offer.basePriceCents,
      offer.minPriceCents,
      offer.maxPriceCents,
      offer.durationMinutes,
      offer.instantBook,
    ])
  }
}

/** The pro's packages. */
export const addPackages = (rows: Rows, pro: Pro, packages: readonly Package[]): void => {
  const created = instant(pro.createdMs)
  for (const { offer, includes, ...row } of packages)
    rows.add('packages', [
      row.id,
      pro.id,
      offer.service.id,
      row.sku,
      row.kind,
      row.name,
      row.priceCents,
      `{${includes.map((item) => `"${item}"`).join(',')}}`,
      row.cadence,
      row.durationMinutes,
      row.bedrooms,
      row.bathrooms,
      created,
      created,
    ])
}

/** Bookings, quote requests with quotes and jobs, reviews, and time blocks. */
export const addHistory = (rows: Rows, pro: Pro, history: History): void => {
  for (const { id, startMs, endMs, reason, createdMs } of history.blocks) {
    rows.add('availability_blocks', [id, pro.id, instant(startMs), instant(endMs), reason, instant(createdMs)])
  }
  for (const booking of history.bookings) addBooking(rows, pro, booking)
  for (const rfq of history.rfqs) addRfq(rows, pro, rfq)
  for (const review of history.reviews) addReview(rows, pro, review)
}

const addBooking = (rows: Rows, pro: Pro, booking: Booking): void => {
  const { service, basePriceCents, minPriceCents, maxPriceCents } = booking.offer
  const start = instant(booking.startMs)
  const endMs = booking.startMs + booking.durationMinutes * minuteMs
  rows.add('bookings', [
    booking.id,
    pro.id,
    service.id,
    booking.code,
    booking.status,
    start,
    booking.durationMinutes,
    pro.bufferMinutes,
    instant(endMs),
    `[${start},${instant(endMs + pro.bufferMinutes * minuteMs)})`,
    booking.customer.name,
    booking.customer.email,
    booking.description,
    booking.source,
    instant(booking.createdMs),
    instantOrNull(booking.confirmedMs),
    instantOrNull(booking.cancelledMs),
    instantOrNull(booking.completedMs),
    booking.cancellationReason,
    booking.status === 'cancelled' ? 'customer' : null,
    pro.requiresApproval ? instantOrNull(booking.confirmedMs) : null,
    service.name,
    service.priceType,
    service.unit,
    basePriceCents,
    minPriceCents,
    maxPriceCents,
  ])
}

const addRfq = (rows: Rows, pro: Pro, rfq: Rfq): void => {
  const { customer, offer, quote } = rfq
  const created = instant(rfq.createdMs)
  const request = [rfq.description, rfq.budget, rfq.timeline, customer.name, customer.email]
  rows.add('rfqs', [rfq.id, pro.id, offer.service.id, rfq.status, ...request, rfq.source, created])
  if (!quote) return
  const { amountCents, units, createdMs, job } = quote
  rows.add('quotes', [
    quote.id,
    rfq.id,
    pro.id,
    quote.status,
    amountCents,
    units,
    instant(createdMs),
    instant(createdMs),
    instant(quote.validUntilMs),
    instantOrNull(quote.viewedMs),
    instantOrNull(quote.acceptedMs),
    instantOrNull(quote.declinedMs),
    instantOrNull(quote.expiredMs),
  ])
  if (!job) return
  const times = [job.startedMs, job.completedMs, job.cancelledMs].map(instantOrNull)
  const terms = [job.status, job.amountCents, units, instant(job.createdMs)]
  rows.add('jobs', [job.id, pro.id, offer.service.id, quote.id, ...terms, ...times])
}

const addReview = (rows: Rows, pro: Pro, review: Review): void => {
  rows.add('reviews', [
    review.id,
    pro.id,
    review.bookingId,
    review.jobId,
    review.approvedMs === null ? 'pending' : 'approved',
    review.rating,
    review.title,
    review.content,
    ...review.scores,
    review.customer.name,
    review.customer.email,
    review.bookingId !== null || review.jobId !== null,
    instant(review.createdMs),
    instantOrNull(review.approvedMs),
    review.response?.content ?? null,
    instantOrNull(review.response?.atMs ?? null),
  ])
}
