// The chosen month, day and time: read from the query, within the days that can be booked.
import type { Static } from '@sinclair/typebox'

import type { Deps } from '../../deps.ts'
import type { Availability } from '../../features/calendar/availability/schemas.ts'
import { MAX_DAYS_AHEAD } from '../../features/booking/bookings/rules/bookable.ts'
import { addDays, earliestToday } from '../../platform/clock/dates.ts'
import { validFields } from '../../http/form.ts'
import { CalendarDate, ClockTime, isCalendarDate } from '../../platform/schema/types.ts'
import { defineForm } from '../ui/define-form.tsx'

/** The form of a chosen time. Links to the page of the times have the same fields. */
export const TimeForm = defineForm({ date: { schema: CalendarDate() }, time: { schema: ClockTime() } })
export type TimeForm = Static<typeof TimeForm>

export type Slot = Availability['availability'][number]['slots'][number]

type Refusal =
  | { reason: 'invalid' }
  | { reason: 'past' }
  | { reason: 'too_far' }
  | { reason: 'taken'; date: string; time: string }

export interface SlotChoice {
  /** The availability of the month on display. */
  times: Availability
  /** `YYYY-MM`. */
  month: string
  /** The selected day; undefined in a month without open times. */
  date: string | undefined
  /** The selected time, if it is open. */
  slot: Slot | undefined
  /** Why the day or time in the query cannot be booked. */
  refused: Refusal | undefined
  /** The months beside it that can be listed. */
  previous: string | undefined
  next: string | undefined
}

/** Lists the open times of some days. */
export type ListTimes = (range: { date: string; days: number }) => Promise<Availability>

/** Reads the query or form: `month` is on display, `date` and `time` are the selection. */
export async function readSlotChoice(
  { clock }: Deps,
  listTimes: ListTimes,
  query: URLSearchParams,
): Promise<SlotChoice> {
  const today = earliestToday(clock.now())
  const lastDay = addDays(today, MAX_DAYS_AHEAD)
  const { date: wanted, time } = validFields(TimeForm, query)
  const isInvalid =
    (wanted === undefined && (query.get('date') ?? '') !== '') ||
    (time === undefined && (query.get('time') ?? '') !== '')
  const isOutside = wanted !== undefined && (wanted < today || wanted > lastDay)
  const typedMonth = query.get('month') ?? ''
  const asked = isCalendarDate(`${typedMonth}-01`) ? typedMonth : wanted?.slice(0, 7)
  const timesOf = (month: string) => listTimes(daysOf(month, today, lastDay))
  let month = clamp(asked ?? today.slice(0, 7), today.slice(0, 7), lastDay.slice(0, 7))
  let times = await timesOf(month)
  const nextMonth = times.nextAvailable?.date.slice(0, 7)
  if (asked === undefined && nextMonth !== undefined && nextMonth !== month) {
    month = nextMonth
    times = await timesOf(month)
  }
  const date =
    times.availability.find((day) => day.date === wanted)?.date ?? times.availability.find(hasOpenTimes)?.date
  const slot = date === wanted ? openSlotsOn(times, date).find(({ start }) => start === time) : undefined
  const isTaken = slot === undefined && wanted !== undefined && time !== undefined
  const beside = (months: number) => monthFrom(month, months)
  return {
    times,
    month,
    date,
    slot,
    refused: isInvalid
      ? { reason: 'invalid' }
      : isOutside
        ? { reason: wanted < today ? 'past' : 'too_far' }
        : isTaken
          ? { reason: 'taken', date: wanted, time }
          : undefined,
    previous: month > today.slice(0, 7) ? beside(-1) : undefined,
    next: month < lastDay.slice(0, 7) ? beside(1) : undefined,
  }
}

export const hasOpenTimes = ({ slots }: Availability['availability'][number]): boolean =>
  slots.some(({ available }) => available)

/** The times of a day, open or not. */
export const slotsOn = ({ availability }: Availability, wanted: string | undefined): Slot[] =>
  availability.find(({ date }) => date === wanted)?.slots ?? []

export const openSlotsOn = (times: Availability, wanted: string | undefined): Slot[] =>
  slotsOn(times, wanted).filter(({ available }) => available)

/** The days of a month that can be listed. */
function daysOf(month: string, today: string, lastDay: string): { date: string; days: number } {
  const date = clamp(`${month}-01`, today, lastDay)
  const end = clamp(addDays(`${monthFrom(month, 1)}-01`, -1), today, lastDay)
  return { date, days: Number(end.slice(8)) - Number(date.slice(8)) + 1 }
}

/** The month `months` after `month`. */
function monthFrom(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7)
}

const clamp = (text: string, first: string, last: string): string => (text < first ? first : text > last ? last : text)
