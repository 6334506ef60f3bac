// SQL of the visits of accepted quotes.
import type { JobState } from '../../../booking/jobs/states.ts'
import type { Ctx } from '../../../../ctx.ts'
import * as statements from './visits.sql.ts'

export interface VisitRow {
  jobStatus: JobState
  professionalId: string
  /** How long the visit takes; null where customers cannot choose its time. */
  minutes: number | null
  /** The booking of the visit that is open, or of the last one. */
  bookingId: string | null
  isOpen: boolean
  /** Its start is over. */
  hasBegun: boolean
  /** Whether the customer can cancel the job itself: it has no visit yet. */
  canCancel: boolean
  cancelledBy: 'customer' | 'pro' | null
}

export interface NewVisit {
  professionalId: string
  quoteId: string
  date: string
  minute: number
  bookingId: string
  confirmationCode: string
  eventIds: [string, string]
  traceparent: string | null
  accountId: string
  now: Date
}

export interface BookedVisit {
  outcome: 'booked' | 'has_visit' | 'not_possible' | 'date_out_of_range' | 'slot_unavailable'
  visitId: string | null
}

/** Books the visit or returns why not; see `sql/functions/book_visit.sql`. */
export async function insertVisit(ctx: Ctx, visit: NewVisit): Promise<BookedVisit> {
  const row = await statements.bookVisit(ctx, {
    professionalId: visit.professionalId,
    quoteId: visit.quoteId,
    date: visit.date,
    minute: visit.minute,
    bookingId: visit.bookingId,
    confirmationCode: visit.confirmationCode,
    firstEventId: visit.eventIds[0],
    secondEventId: visit.eventIds[1],
    traceparent: visit.traceparent,
    accountId: visit.accountId,
    now: visit.now,
  })
  // A function with OUT parameters always returns one row.
  return row as BookedVisit
}
