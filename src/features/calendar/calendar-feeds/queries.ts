// Calendar feeds and the bookings they show.
import type { Sql } from '../../../platform/postgres/database.ts'
import type { CalendarBooking } from './entries.ts'
import type { Ctx } from '../../../ctx.ts'
import { composed, json } from '../../../platform/postgres/composed.ts'

/** A pro's feed, made or not; `memberId` is null for that of all bookings. */
export interface FeedRow {
  memberId: string | null
  memberName: string | null
  createdAt: string | null
}

/** More events slow calendar programs down. */
const MAX_EVENTS = 5000

/**
 * The bookings of a pro, or of one member, that end after `since`, in order of start. Beyond the limit, cancelled bookings are
 * left out first, then those furthest from now.
 */
export async function listCalendarBookings(
  ctx: Ctx,
  { professionalId, memberId, since, now }: { professionalId: string; memberId: string | null; since: Date; now: Date },
): Promise<CalendarBooking[]> {
  const rows = await composed(
    ctx.read,
    'listCalendarBookings',
    { booking: json<CalendarBooking>() },
    (sql) => sql`
      select booking from (
        select ${calendarBooking(sql)} as booking, b.starts_at, b.id
        from bookings b
        cross join lateral booking_as_of(b, ${now.toISOString()}) v
        join professionals p on p.id = b.professional_id
        where b.professional_id = ${professionalId}
          -- A booking lasts at most 12 hours.
          and b.starts_at > ${since.toISOString()}::timestamptz - interval '12 hours'
          and b.ends_at > ${since.toISOString()}
          and (${memberId}::uuid is null or b.assigned_member_id = ${memberId})
        order by v.status = 'cancelled', abs(extract(epoch from b.starts_at - ${now.toISOString()}::timestamptz)), b.id
        limit ${MAX_EVENTS}
      ) shown
      order by starts_at, id`,
  )
  return rows.map(({ booking }) => booking)
}

/** The booking with this confirmation code. */
export async function findCalendarBooking(
  ctx: Ctx,
  { code, now }: { code: string; now: Date },
): Promise<CalendarBooking | undefined> {
  const rows = await composed(
    ctx.read,
    'findCalendarBooking',
    { booking: json<CalendarBooking>() },
    (sql) => sql`
      select ${calendarBooking(sql)} as booking
      from bookings b
      cross join lateral booking_as_of(b, ${now.toISOString()}) v
      join professionals p on p.id = b.professional_id
      where b.confirmation_code = ${code}`,
  )
  return rows[0]?.booking
}

/**
 * A booking `v` as of now, from its row `b` and its pro `p`. A hold that has ended counts as cancelled before the row says so;
 * its event is the next one.
 */
const calendarBooking = (sql: Sql) => sql`
  json_build_object(
    'id', b.id,
    'code', b.confirmation_code,
    'sequence', b.event_sequence + (v.status <> b.status)::int,
    'updatedAt', iso_instant(greatest(b.created_at, b.approved_at, b.confirmed_at, v.cancelled_at, b.completed_at)),
    'status', v.status,
    'title', coalesce(b.package_name, b.service_name),
    'startsAt', iso_instant(b.starts_at),
    'endsAt', iso_instant(b.ends_at),
    'notes', b.description,
    'address', b.address,
    'price', booking_price(b),
    'pro', json_build_object('name', p.business_name, 'phone', p.phone),
    'customer', json_build_object('name', b.customer_name, 'email', b.customer_email, 'phone', b.customer_phone))`
