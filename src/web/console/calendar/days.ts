// Days on a pro's calendar: weeks, and what lies on each day.
import type { ProBooking } from '../../../features/booking/bookings/schemas.ts'
import type { ImportedTime } from '../../../features/calendar/imported-calendars/schemas.ts'
import type { Block, Schedule } from '../../../features/calendar/schedule/schemas.ts'
import { addDays, localDate } from '../../../platform/clock/dates.ts'

/** The Monday of a date's week. */
export const mondayOf = (date: string): string => addDays(date, -((new Date(date).getUTCDay() + 6) % 7))

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const

/** Time that cannot be booked: blocked by the pro, or busy in an imported calendar. */
export interface BusyTime {
  kind: 'block' | 'imported'
  startsAt: string
  endsAt: string
  label: string
}

export interface AgendaDay {
  date: string
  hours: readonly { start: string; end: string }[]
  visits: readonly ProBooking[]
  busy: readonly BusyTime[]
}

/** The given days with their opening hours, visits and busy times. Busy time that spans days is on each of them. */
export function agendaDays(
  dates: readonly string[],
  visits: readonly ProBooking[],
  busy: readonly BusyTime[],
  { timezone, businessHours }: Schedule['settings'],
): AgendaDay[] {
  return dates.map((date) => ({
    date,
    hours: businessHours[WEEKDAYS[new Date(date).getUTCDay()] ?? 'sunday'] ?? [],
    visits: visits.filter(({ scheduledDate }) => scheduledDate === date),
    busy: busy.filter(
      // A time that ends at midnight is not on the day that begins then.
      ({ startsAt, endsAt }) =>
        localDate(startsAt, timezone) <= date && localDate(new Date(Date.parse(endsAt) - 1), timezone) >= date,
    ),
  }))
}

export const blockedTime = ({ startDateTime, endDateTime, reason }: Block): BusyTime => ({
  kind: 'block',
  startsAt: startDateTime,
  endsAt: endDateTime,
  label: reason ?? 'Blocked',
})

export const importedTime = ({ startsAt, endsAt }: ImportedTime, calendar: string): BusyTime => ({
  kind: 'imported',
  startsAt,
  endsAt,
  label: `Busy in ${calendar}`,
})

/** Dates far outside are not on any pro's calendar, and PostgreSQL may not know them. */
export const isCalendarYear = (date: string): boolean => date.startsWith('20')
