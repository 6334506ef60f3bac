// SQL of a pro's work: the bookings of some days, the lists of the console, and the customers of the bookings.
import type { Sql } from '../../../../platform/postgres/database.ts'
import type { BookingState } from '../states.ts'
import type { BookingView, ProBooking, ProCustomer } from '../schemas.ts'
import type { Ctx } from '../../../../ctx.ts'
import { type Columns, composed, json, nullable, number, text } from '../../../../platform/postgres/composed.ts'
import * as statements from './pro-lists.sql.ts'

/** The pro, and the member whose visits alone are read; null for all. */
interface OfPro {
  professionalId: string
  onlyMemberId: string | null
}

const ALL: readonly BookingState[] = ['pending', 'confirmed', 'completed', 'no_show', 'cancelled']

/**
 * The bookings that start on the given days of the pro's calendar, cancelled ones left out, in order of start. Visits do not
 * overlap and last 15 minutes or more, so a day has fewer than a hundred.
 */
export async function selectBookingsBetween(
  ctx: Ctx,
  { from, days, now, ...of }: OfPro & { from: string; days: number; now: Date },
): Promise<ProBooking[]> {
  const rows = await statements.selectBookingsBetween<{ booking: ProBooking }>(ctx, { ...of, now, from, days })
  return rows.map(({ booking }) => booking)
}

const LISTED = { total: number, bookings: json<ProBooking[]>() }

/** A page of the pro's bookings and their total: newest first, or those of one date in order of start. */
export async function listProBookings(
  ctx: Ctx,
  {
    professionalId,
    status,
    date,
    limit,
    offset,
    now,
  }: {
    professionalId: string
    status: BookingState | null
    date: string | null
    limit: number
    offset: number
    now: Date
  },
): Promise<{ bookings: ProBooking[]; total: number }> {
  const at = now.toISOString()
  const rows = await composed(ctx.read, 'listProBookings', LISTED, (sql) => {
    const order = date === null ? sql`created_at desc, id desc` : sql`starts_at, created_at desc, id desc`
    const own = sql`b.professional_id = ${professionalId} and ${isOnDate(sql, date)}`
    // An index has each state in this order; what has lapsed since the last sweep is cancelled.
    const lapsed =
      status === 'cancelled'
        ? sql`select id, starts_at, created_at from bookings b where ${own} and b.hold_expires_at <= ${at}`
        : sql`select id, starts_at, created_at from bookings b where false`
    return sql`
      with matching as (
        select id, starts_at, created_at from bookings b
        where ${own} and ${status === null ? sql`true` : sql`b.status = ${status}`}
          and (${status === null} or b.hold_expires_at is null or b.hold_expires_at > ${at})
      ), lapsed as (${lapsed}), page as (
        select * from (
          (select * from matching order by ${order} limit ${limit + offset})
          union all
          select * from lapsed
        ) first
        order by ${order} limit ${limit} offset ${offset}
      )
      select ${
        date === null
          ? sql`count_bookings(${professionalId}, ${status === null ? [...ALL] : [status]}::text[], ${at})::int`
          : counted(sql)
      } as total, (
        select coalesce(json_agg(pro_booking_object(booking_as_of(b, ${at})) order by page.place), '[]')
        from (select id, row_number() over (order by ${order}) as place from page) page
        join bookings b on b.id = page.id and b.professional_id = ${professionalId}) as bookings`
  })
  return rows[0] ?? { bookings: [], total: 0 }
}

const isOnDate = (sql: Sql, date: string | null) =>
  date === null
    ? sql`true`
    : sql`(b.starts_at >= (
        select clock_reaches(${date}::date, 0, p.time_zone) from professionals p where p.id = b.professional_id)
      and b.starts_at < (
        select clock_reaches(${date}::date + 1, 0, p.time_zone) from professionals p where p.id = b.professional_id))`

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
  ctx: Ctx,
  { professionalId, onlyMemberId, view, text, limit, offset, now }: OfPro & BookingSearch,
): Promise<{ bookings: ProBooking[]; total: number }> {
  const at = now.toISOString()
  const rows = await composed(ctx.read, 'searchProBookings', LISTED, (sql) => {
    const order =
      view === 'upcoming' || view === 'to_confirm' || view === 'unpaid' ? sql`starts_at, id` : sql`starts_at desc, id`
    const own = sql`b.professional_id = ${professionalId} and ${isOfMember(sql, onlyMemberId)} and ${contains(sql, text)}`
    // The part of the list that an index has in this order, and what has lapsed since the last sweep.
    const lapsed = sql`select id, starts_at from bookings b where ${own} and b.hold_expires_at <= ${at}`
    const others = view === 'cancelled' ? lapsed : sql`select id, starts_at from bookings where false`
    return sql`
      with matching as (
        select id, starts_at from bookings b where ${own} and ${isInView(sql, view, at)}
      ), lapsed as (${others}), page as (
        select id, starts_at from (
          (select id, starts_at from matching order by ${order} limit ${limit + offset})
          union all
          select id, starts_at from lapsed
        ) first
        order by ${order} limit ${limit} offset ${offset}
      )
      select ${text === null && onlyMemberId === null ? keptTotal(sql, view, { professionalId, at }) : counted(sql)} as total, (
        select coalesce(json_agg(pro_booking_object(booking_as_of(b, ${at})) order by page.place), '[]')
        from (select id, row_number() over (order by ${order}) as place from page) page
        join bookings b on b.id = page.id and b.professional_id = ${professionalId}) as bookings`
  })
  return rows[0] ?? { bookings: [], total: 0 }
}

/** The sum of `dueNow` of the pro's bookings that wait for their payment, in dollars. */
export async function sumBalancesDue(
  ctx: Ctx,
  { professionalId, now }: { professionalId: string; now: Date },
): Promise<number> {
  const [row] = await composed(
    ctx.read,
    'sumBalancesDue',
    { due: number },
    (sql) => sql`
      select coalesce(sum((booking_balance(b) ->> 'dueNow')::numeric), 0)::float8 as due
      from bookings b where b.professional_id = ${professionalId} and ${isInView(sql, 'unpaid', now.toISOString())}`,
  )
  return row?.due ?? 0
}

/** A booking lasts at most 12 hours. */
const notOver = (sql: Sql, at: string) =>
  sql`(b.ends_at > ${at} and b.starts_at > ${at}::timestamptz - interval '12 hours')`

/** By the columns of the row, so that indexes lead to it. Only pending bookings are held. */
function isInView(sql: Sql, view: BookingView, at: string) {
  switch (view) {
    case 'upcoming':
      return sql`(b.status in ('pending', 'confirmed') and (b.hold_expires_at is null or b.hold_expires_at > ${at})
        and ${notOver(sql, at)})`
    case 'to_confirm':
      return sql`b.status = 'pending' and b.hold_expires_at is null`
    case 'unpaid':
      return sql`b.status = 'pending' and b.hold_expires_at > ${at}`
    case 'past':
      return sql`(b.status in ('completed', 'no_show') or b.status = 'confirmed' and b.ends_at <= ${at})`
    case 'cancelled':
      return sql`b.status = 'cancelled'`
    case 'all':
      return sql`true`
  }
}

/** How many bookings a view has: what grows with the history is kept, what is to come is counted. */
function keptTotal(sql: Sql, view: BookingView, { professionalId, at }: { professionalId: string; at: string }) {
  if (view === 'all') return sql`count_bookings(${professionalId}, ${[...ALL]}::text[], ${at})::int`
  if (view === 'cancelled') return sql`count_bookings(${professionalId}, '{cancelled}', ${at})::int`
  if (view === 'past')
    return sql`(count_bookings(${professionalId}, '{confirmed,completed,no_show}', ${at}) - (
      select count(*) from bookings b
      where b.professional_id = ${professionalId} and b.status = 'confirmed' and ${notOver(sql, at)}))::int`
  return counted(sql)
}

const counted = (sql: Sql) => sql`((select count(*) from matching) + (select count(*) from lapsed))::int`

const isOfMember = (sql: Sql, memberId: string | null) =>
  memberId === null ? sql`true` : sql`b.assigned_member_id = ${memberId}`

/** Phone numbers are compared by their digits. */
function contains(sql: Sql, text: string | null) {
  if (text === null) return sql`true`
  const [lower, digits] = [text.toLowerCase(), text.replace(/\D/g, '')]
  return sql`(position(${lower} in lower(b.customer_name)) > 0 or position(${lower} in b.customer_email) > 0
    or position(${text.toUpperCase()} in b.confirmation_code) > 0
    or ${digits.length >= 3} and position(${digits} in regexp_replace(b.customer_phone, '[^0-9]', '', 'g')) > 0)`
}

const CUSTOMER: Columns<ProCustomer> = { name: text, email: text, phone: nullable(text), bookings: number }

/** The customers whose bookings match, the latest visit first. */
export async function selectCustomers(
  ctx: Ctx,
  { professionalId, text, limit }: { professionalId: string; text: string; limit: number },
): Promise<ProCustomer[]> {
  return await composed<ProCustomer>(
    ctx.read,
    'selectCustomers',
    CUSTOMER,
    (sql) => sql`
      select (array_agg(b.customer_name order by b.created_at desc))[1] as name, b.customer_email as email,
        (array_agg(b.customer_phone order by b.created_at desc)
          filter (where b.customer_phone is not null))[1] as phone,
        count(*)::int as bookings
      from bookings b where b.professional_id = ${professionalId} and ${contains(sql, text)}
      group by b.customer_email order by max(b.starts_at) desc, b.customer_email limit ${limit}`,
  )
}
