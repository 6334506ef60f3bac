// SQL of a pro's work: the bookings of some days, the lists of the console, and the customers of the bookings.
import type { Runner, Sql } from '../../../platform/postgres/database.ts'
import type { BookingView, ProBooking, ProCustomer } from '../schemas.ts'

/** More visits than a pro has in a few weeks. */
const MAX_VISITS = 500

/** The bookings that start on the given days of the pro's calendar, cancelled ones left out, in order of start. */
export async function selectBookingsBetween(
  db: Runner,
  professionalId: string,
  { from, days, now }: { from: string; days: number; now: Date },
): Promise<ProBooking[]> {
  const rows = await db.run<{ booking: ProBooking }>(
    'selectBookingsBetween',
    (sql) => sql`
      select pro_booking_object(b) as booking
      from professionals p join bookings stored on stored.professional_id = p.id
        cross join lateral booking_as_of(stored, ${now.toISOString()}) b
      where p.id = ${professionalId} and b.status <> 'cancelled'
        and stored.starts_at >= clock_reaches(${from}::date, 0, p.time_zone)
        and stored.starts_at < clock_reaches(${from}::date + ${days}::integer, 0, p.time_zone)
      order by stored.starts_at, stored.id limit ${MAX_VISITS}`,
  )
  return rows.map(({ booking }) => booking)
}

export interface BookingSearch {
  view: BookingView
  /** A part of a name, an e-mail address, a phone number or a code; null for any. */
  text: string | null
  limit: number
  offset: number
  now: Date
}

/** A page of one list of the pro, and its total. The next visit comes first; lists of what is over begin with the latest. */
export async function searchProBookings(
  db: Runner,
  professionalId: string,
  { view, text, limit, offset, now }: BookingSearch,
): Promise<{ bookings: ProBooking[]; total: number }> {
  const at = now.toISOString()
  const isNextFirst = view === 'upcoming' || view === 'to_confirm' || view === 'unpaid'
  const rows = await db.run<{ bookings: ProBooking[]; total: number }>(
    'searchProBookings',
    (sql) => sql`
      with matching as (
        select stored.id, stored.starts_at from bookings stored cross join lateral booking_as_of(stored, ${at}) b
        where stored.professional_id = ${professionalId} and ${isInView(sql, view, at)} and ${contains(sql, text)}
      ), page as (
        select id, starts_at from matching
        order by case when ${isNextFirst} then starts_at end, starts_at desc, id limit ${limit} offset ${offset}
      )
      select (select count(*)::int from matching) as total, (
        select coalesce(json_agg(pro_booking_object(booking_as_of(b, ${at}))
          order by case when ${isNextFirst} then page.starts_at end, page.starts_at desc, page.id), '[]')
        from page join bookings b on b.id = page.id and b.professional_id = ${professionalId}) as bookings`,
  )
  return rows[0] ?? { bookings: [], total: 0 }
}

function isInView(sql: Sql, view: BookingView, at: string) {
  switch (view) {
    case 'upcoming':
      return sql`b.status in ('pending', 'confirmed') and b.ends_at > ${at}`
    case 'to_confirm':
      return sql`b.status = 'pending' and b.hold_expires_at is null`
    case 'unpaid':
      return sql`b.status = 'pending' and b.hold_expires_at is not null`
    case 'past':
      return sql`(b.status in ('completed', 'no_show') or b.status = 'confirmed' and b.ends_at <= ${at})`
    case 'cancelled':
      return sql`b.status = 'cancelled'`
    case 'all':
      return sql`true`
  }
}

/** Phone numbers are compared by their digits. */
function contains(sql: Sql, text: string | null) {
  if (text === null) return sql`true`
  const [lower, digits] = [text.toLowerCase(), text.replace(/\D/g, '')]
  return sql`(position(${lower} in lower(stored.customer_name)) > 0 or position(${lower} in stored.customer_email) > 0
    or position(${text.toUpperCase()} in stored.confirmation_code) > 0
    or ${digits.length >= 3} and position(${digits} in regexp_replace(stored.customer_phone, '[^0-9]', '', 'g')) > 0)`
}

/** The customers whose bookings match, the latest visit first. */
export async function selectCustomers(
  db: Runner,
  professionalId: string,
  { text, limit }: { text: string; limit: number },
): Promise<ProCustomer[]> {
  return await db.run<ProCustomer>(
    'selectCustomers',
    (sql) => sql`
      select (array_agg(stored.customer_name order by stored.created_at desc))[1] as name, stored.customer_email as email,
        (array_agg(stored.customer_phone order by stored.created_at desc)
          filter (where stored.customer_phone is not null))[1] as phone,
        count(*)::int as bookings
      from bookings stored where stored.professional_id = ${professionalId} and ${contains(sql, text)}
      group by stored.customer_email order by max(stored.starts_at) desc, stored.customer_email limit ${limit}`,
  )
}
