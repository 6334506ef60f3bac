// Open slots computed the usual way: one ORM query loads the pro with bookings and blocks, then code computes the slots with a
// time zone library.
import { DateTime } from 'luxon'

export interface Pro {
  id: string
  slug: string
  businessName: string
  timeZone: string
  instantBookingEnabled: boolean
  leadTimeHours: number
  bufferMinutes: number
  defaultSlotMinutes: number
  businessHours: unknown
  bookings: { startsAt: Date; endsAt: Date; bufferMinutes: number; holdExpiresAt: Date | null }[]
  blocks: { startsAt: Date; endsAt: Date }[]
}

interface Slot {
  start: string
  end: string
  startDateTime: string | null
  available: boolean
}

const MINUTE_MS = 60_000
/** Days to search for the next open slot. */
export const HORIZON_DAYS = 60

/** The response of GET /pros/{id}/availability without a service. */
export function openSlots(pro: Pro, firstDate: string, days: number, nowMs: number, baseUrl: string) {
  const first = DateTime.fromISO(firstDate, { zone: pro.timeZone })
  const earliestMs = nowMs + pro.leadTimeHours * 60 * MINUTE_MS
  const busy = busyTime(pro, nowMs)
  const availability = Array.from({ length: days }, (_, day) => {
    const date = first.plus({ days: day })
    return {
      date: date.toISODate(),
      dayOfWeek: date.setLocale('en').weekdayLong,
      slots: slotsOf(pro, date, earliestMs, busy),
    }
  })
  return {
    professionalId: pro.id,
    slug: pro.slug,
    businessName: pro.businessName,
    instantBookingEnabled: pro.instantBookingEnabled,
    slotDurationMinutes: pro.defaultSlotMinutes,
    leadTimeHours: pro.leadTimeHours,
    timezone: pro.timeZone,
    availability,
    nextAvailable: nextAvailable(pro, first, availability, earliestMs, busy, baseUrl),
    service: null,
  }
}

type Span = [fromMs: number, toMs: number]

function busyTime(pro: Pro, nowMs: number): Span[] {
  const ownBufferMs = pro.bufferMinutes * MINUTE_MS
  const booked = pro.bookings
    .filter(({ holdExpiresAt }) => holdExpiresAt === null || holdExpiresAt.getTime() > nowMs)
    .map(({ startsAt, endsAt, bufferMinutes }): Span => [
      startsAt.getTime() - ownBufferMs,
      endsAt.getTime() + Math.max(bufferMinutes * MINUTE_MS, ownBufferMs),
    ])
  return [...booked, ...pro.blocks.map(({ startsAt, endsAt }): Span => [startsAt.getTime(), endsAt.getTime()])]
}

function slotsOf(pro: Pro, date: DateTime, earliestMs: number, busy: readonly Span[]): Slot[] {
  const hours = pro.businessHours as Record<string, { start: string; end: string }[]>
  const slots: Slot[] = []
  for (const { start, end } of hours[(date.setLocale('en').weekdayLong ?? '').toLowerCase()] ?? []) {
    const closes = at(date, end)
    const [hour = 0, minute = 0] = start.split(':').map(Number)
    for (let step = 0; ; step += pro.defaultSlotMinutes) {
      const localMinute = hour * 60 + minute + step
      const starts = date.set({ hour: Math.floor(localMinute / 60), minute: localMinute % 60 })
      // Luxon moves a local time that daylight saving skips, and wraps one past midnight to the next day.
      if (localMinute >= 24 * 60 || starts >= closes) break
      if (starts.hour * 60 + starts.minute !== localMinute) continue
      const ends = starts.plus({ minutes: pro.defaultSlotMinutes })
      if (ends > closes) continue
      const [fromMs, toMs] = [starts.toMillis(), ends.toMillis()]
      slots.push({
        start: starts.toFormat('HH:mm'),
        end: ends.hasSame(date, 'day') ? ends.toFormat('HH:mm') : '24:00',
        startDateTime: starts.toUTC().toISO(),
        available: fromMs >= earliestMs && !busy.some(([from, to]) => fromMs < to && from < toMs),
      })
    }
  }
  return slots
}

function at(date: DateTime, clock: string): DateTime {
  const [hour = 0, minute = 0] = clock.split(':').map(Number)
  return hour === 24 ? date.plus({ days: 1 }).startOf('day') : date.set({ hour, minute })
}

function nextAvailable(
  pro: Pro,
  first: DateTime,
  listed: { date: string | null; slots: Slot[] }[],
  earliestMs: number,
  busy: readonly Span[],
  baseUrl: string,
) {
  const nextSlot = (date: string | null, time: string) => ({
    date,
    time,
    bookingUrl: `${baseUrl}/pros/${pro.slug}/book?date=${date}&time=${time}`,
  })
  for (const { date, slots } of listed) {
    const open = slots.find(({ available }) => available)
    if (open) return nextSlot(date, open.start)
  }
  for (let day = listed.length; day <= HORIZON_DAYS; day++) {
    const date = first.plus({ days: day })
    const open = slotsOf(pro, date, earliestMs, busy).find(({ available }) => available)
    if (open) return nextSlot(date.toISODate(), open.start)
  }
  return null
}
