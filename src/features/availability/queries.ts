// Reads of open times. They share the SQL for local time and open slots with the reservation.
import type { Runner } from '../../platform/postgres/database.ts'
import { statementFile } from '../../platform/postgres/statement-files.ts'

/** Why a service cannot be booked at once; see `sql/functions/bookable.sql`. */
export type BookingObstacle = 'instant_booking_off' | 'service_unpriced' | 'service_too_long'

export interface OpenSlotsRow {
  professionalId: string
  slug: string
  timeZone: string
  /** Null without a service in the query, and when the pro does not offer it. */
  service: { id: string; name: string; durationMinutes: number } | null
  obstacle: BookingObstacle | null
  /** The response body as JSON text, without `service`. */
  body: string
}

export interface ServiceSlotsRow {
  slug: string
  obstacle: BookingObstacle | null
  /** The response body as JSON text; null when the pro does not offer the service. */
  body: string | null
}

const openSlots = statementFile<OpenSlotsRow>('open-slots')
const serviceSlots = statementFile<ServiceSlotsRow>('open-slots-service')

/**
 * The open times of an active pro, by `id` or `slug`, over 1–14 `days` from `firstDate` (null: today in the pro's time zone),
 * for a service or (null) in the pro's default slots.
 */
export async function findOpenSlots(
  db: Runner,
  query: {
    id: string | null
    slug: string | null
    serviceId: string | null
    firstDate: string | null
    days: number
    now: Date
    baseUrl: string
  },
): Promise<OpenSlotsRow | undefined> {
  const { id, slug, serviceId, firstDate, days, now, baseUrl } = query
  const rows = await openSlots.run(db, [id, slug, firstDate, days, now.toISOString(), baseUrl, serviceId])
  return rows[0]
}

/** The open times of an active pro on one date, each as long as the service takes with that pro. */
export async function findServiceSlots(
  db: Runner,
  query: { professionalId: string; serviceId: string; date: string; now: Date; baseUrl: string },
): Promise<ServiceSlotsRow | undefined> {
  const { professionalId, serviceId, date, now, baseUrl } = query
  const rows = await serviceSlots.run(db, [professionalId, serviceId, date, now.toISOString(), baseUrl])
  return rows[0]
}

export interface TimesRow {
  timeZone: string
  days: { date: string; slots: { start: string; startDateTime: string; available: boolean }[] }[]
  nextAvailable: { date: string; time: string } | null
}

/** The slots of `minutes` with an active pro over `days` from `firstDate` (null: today in the pro's time zone), by day. */
export async function findTimes(
  db: Runner,
  query: {
    professionalId: string
    minutes: number
    firstDate: string | null
    days: number
    exceptBookingId: string | null
    now: Date
    baseUrl: string
  },
): Promise<TimesRow | undefined> {
  const { professionalId, minutes, firstDate, days, exceptBookingId, baseUrl } = query
  const now = query.now.toISOString()
  const rows = await db.run<TimesRow>(
    'findTimes',
    (sql) => sql`
      with pro as (
        select p, coalesce(${firstDate}::date, (${now}::timestamptz at time zone p.time_zone)::date) as first_day
        from professionals p where p.id = ${professionalId} and p.active),
      times as (
        select s.* from pro, open_slots((p).business_hours, (p).time_zone, first_day, ${days},
          (p).default_slot_minutes, ${minutes}, earliest_start(p, ${now}), busy_time((p).id, (p).buffer_minutes,
            local_days(first_day, ${days}, (p).time_zone), ${now}, ${exceptBookingId})) s)
      select (p).time_zone, next_open_slot(p, ${minutes}, first_day, ${now}, ${baseUrl}, ${exceptBookingId}) as next_available, (
        select json_agg(json_build_object('date', first_day + n, 'slots', coalesce(
          (select json_agg(json_build_object('start', t.starts, 'startDateTime', iso_instant(t.starts_at),
            'available', t.available) order by t.starts_at) from times t where t.day = first_day + n), '[]')) order by n)
        from generate_series(0, ${days} - 1) n) as days
      from pro`,
  )
  return rows[0]
}
