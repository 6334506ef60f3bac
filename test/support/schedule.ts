// Pros with schedules, bookings and blocks, for tests of availability.
import { randomUUID } from 'node:crypto'

import type { Sql } from '../../src/platform/postgres/database.ts'

/** `{ monday: [{ start: '09:00', end: '17:00' }], … }`; an omitted day is a day off. */
export type BusinessHours = Partial<Record<Weekday, { start: string; end: string }[]>>

export const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const
export type Weekday = (typeof WEEKDAYS)[number]

/** The settings that determine a pro's open times, besides bookings and blocks. */
export interface ScheduleSettings {
  timeZone: string
  businessHours: BusinessHours
  leadTimeHours: number
  bufferMinutes: number
  defaultSlotMinutes: number
}

export interface TestPro {
  id: string
  serviceId: string
  accountId: string
}

/** The same hours on every day of the week. */
export const everyDay = (...hours: [start: string, end: string][]): BusinessHours =>
  Object.fromEntries(WEEKDAYS.map((day) => [day, hours.map(([start, end]) => ({ start, end }))]))

/** Inserts a pro in Austin with instant booking of one service of an hour, by default at any time of any day. */
export async function insertPro(sql: Sql, settings: Partial<ScheduleSettings> = {}): Promise<TestPro> {
  const [id, accountId, serviceId] = [randomUUID(), randomUUID(), randomUUID()]
  const now = '2020-01-01T00:00:00Z'
  await sql`insert into accounts values (${accountId}, 'pro', ${`${id}@example.com`}, 'A pro', ${now})`
  await sql`insert into states (code, name, ordinal) values ('TX', 'Texas', 1) on conflict do nothing`
  await sql`insert into cities values (1, 'Austin', 'TX', 30.27, -97.74, 'America/Chicago', 960000) on conflict do nothing`
  await sql`
    insert into categories (id, ordinal, name, slug) values (${randomUUID()}, 1, 'Plumbing', 'plumbing')
    on conflict do nothing`
  await sql`
    insert into services (id, ordinal, category_id, name, slug, price_type, duration_minutes)
    select ${serviceId}, (select coalesce(max(ordinal), 99) + 1 from services), id, 'Drain cleaning', ${id}, 'flat', 60
    from categories where slug = 'plumbing'`
  await sql`
    insert into professionals (id, account_id, slug, business_name, phone, city_id, latitude, longitude, time_zone,
      instant_booking_enabled, business_hours, created_at, updated_at)
    values (${id}, ${accountId}, ${`pro-${id}`}, 'Clear "Drains" & Co', '+1 512 555 0100',
      (select id from cities where name = 'Austin' and state = 'TX'), 30.27, -97.74, 'America/Chicago', true, '{}',
      ${now}, ${now})`
  await sql`
    insert into professional_services (professional_id, service_id, price_type) values (${id}, ${serviceId}, 'flat')`
  await setSchedule(sql, id, {
    timeZone: 'America/Chicago',
    businessHours: everyDay(['00:00', '24:00']),
    leadTimeHours: 0,
    bufferMinutes: 0,
    defaultSlotMinutes: 60,
    ...settings,
  })
  return { id, serviceId, accountId }
}

export async function setSchedule(sql: Sql, proId: string, settings: ScheduleSettings): Promise<void> {
  await sql`
    update professionals set time_zone = ${settings.timeZone},
      business_hours = ${sql.json(settings.businessHours)}, lead_time_hours = ${settings.leadTimeHours},
      buffer_minutes = ${settings.bufferMinutes}, default_slot_minutes = ${settings.defaultSlotMinutes}
    where id = ${proId}`
}

export interface BookingTime {
  startsAt: string
  durationMinutes: number
  bufferMinutes: number
  status: 'pending' | 'confirmed' | 'completed' | 'no_show' | 'cancelled'
}

/** Inserts bookings in any state: triggers do not run, but constraints apply. */
export async function insertBookings(sql: Sql, pro: TestPro, bookings: BookingTime[]): Promise<void> {
  const rows = bookings.map((booking) => ({ ...booking, id: randomUUID(), code: confirmationCode() }))
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`
    insert into bookings (id, professional_id, service_id, confirmation_code, status, starts_at, duration_minutes,
      buffer_minutes, ends_at, holds, customer_name, customer_email, source, created_at, confirmed_at, cancelled_at,
      completed_at, service_name, price_type)
    select r.id, ${pro.id}, ${pro.serviceId}, r.code, r.status, r."startsAt", r."durationMinutes", r."bufferMinutes",
      t.ends_at, tstzrange(r."startsAt", t.ends_at + r."bufferMinutes" * interval '1 minute'),
      'Homeowner in Austin', 'home@example.com', 'api', '2020-01-01',
      case when r.status in ('confirmed', 'completed', 'no_show') then timestamptz '2020-01-01' end,
      case when r.status = 'cancelled' then timestamptz '2020-01-01' end,
      case when r.status = 'completed' then timestamptz '2020-01-01' end,
      'Drain Cleaning', 'flat'
    from jsonb_to_recordset(${sql.json(rows)}) as r(id uuid, code text, status text, "startsAt" timestamptz,
      "durationMinutes" integer, "bufferMinutes" integer)
    cross join lateral (select r."startsAt" + r."durationMinutes" * interval '1 minute' as ends_at) t`
    await tx`select rebuild_pro_counts(array[${pro.id}]::uuid[])`
  })
}

export async function insertBlocks(sql: Sql, proId: string, blocks: { from: string; to: string }[]): Promise<void> {
  const rows = blocks.map((block) => ({ ...block, id: randomUUID() }))
  await sql`
    insert into availability_blocks (id, professional_id, starts_at, ends_at, created_at)
    select r.id, ${proId}, r."from", r."to", '2020-01-01'
    from jsonb_to_recordset(${sql.json(rows)}) as r(id uuid, "from" timestamptz, "to" timestamptz)`
}

/** A new code in the valid format. */
export const confirmationCode = (): string => `HTH-${randomUUID().replaceAll('-', '').slice(-12).toUpperCase()}`
