// SQL of the visits of accepted quotes.
import type { JobState } from '../../../booking/jobs/states.ts'
import type { Ctx } from '../../../../ctx.ts'

export interface VisitRow {
  jobStatus: JobState
  professionalId: string
  /** How long the visit takes; null where customers cannot choose its time. */
  minutes: number | null
  /** The booking of the visit that is open, or of the last one. */
  bookingId: string | null
  isOpen: boolean
  /** Whether the customer can cancel the job itself: it has no visit yet. */
  canCancel: boolean
  cancelledBy: 'customer' | 'pro' | null
}

/** The visit of a quote's job; undefined before the quote is accepted. */
export async function findVisit(ctx: Ctx, { quoteId }: { quoteId: string }): Promise<VisitRow | undefined> {
  const rows = await ctx.write.run<VisitRow>(
    'findVisit',
    (sql) => sql`
      select j.status as job_status, p.id as professional_id,
        case when p.active then visit_minutes(p, j) end as minutes, b.id as booking_id,
        coalesce(b.status in ('pending', 'confirmed'), false) as is_open, j.cancelled_by,
        j.status = 'scheduled' and coalesce(b.status = 'cancelled', true) as can_cancel
      from quotes q
        join professionals p on p.id = q.professional_id
        join jobs j on j.professional_id = q.professional_id and j.quote_id = q.id
        left join lateral (
          select v.id, v.status from bookings v where v.professional_id = j.professional_id and v.job_id = j.id
          order by v.status in ('pending', 'confirmed') desc, v.status <> 'cancelled' desc, v.created_at desc limit 1
        ) b on true
      where q.id = ${quoteId}`,
  )
  return rows[0]
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
  const [row] = await ctx.write.run<BookedVisit>(
    'book_visit',
    (sql) => sql`
      select outcome, visit_id from book_visit(
        pro_id => ${visit.professionalId}, of_quote_id => ${visit.quoteId}, on_day => ${visit.date}, at_minute => ${visit.minute},
        booking_id => ${visit.bookingId}, code => ${visit.confirmationCode},
        event_ids => array[${visit.eventIds[0]}, ${visit.eventIds[1]}]::uuid[], traceparent => ${visit.traceparent},
        site_account_id => ${visit.accountId}, as_of => ${visit.now.toISOString()})`,
  )
  // A function with OUT parameters always returns one row.
  return row as BookedVisit
}
