// Business hours: what a pro may say, and how it is kept. The SQL in sql/functions/working_time.sql reads it.
import { type Static, Type } from '@sinclair/typebox'

import { invalidField } from '../../errors/app-error.ts'

export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
type Weekday = (typeof WEEKDAYS)[number]

const Interval = Type.Object(
  {
    start: Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', examples: ['09:00'] }),
    end: Type.String({ pattern: '^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$', examples: ['17:00'] }),
  },
  { additionalProperties: false },
)

const Day = Type.Optional(Type.Array(Interval, { maxItems: 4 }))

export const BusinessHours = Type.Object(
  { monday: Day, tuesday: Day, wednesday: Day, thursday: Day, friday: Day, saturday: Day, sunday: Day },
  {
    $id: 'BusinessHours',
    additionalProperties: false,
    description:
      'By weekday, up to four intervals in order and apart, on the pro’s clock; a day that is not named is closed. Work past midnight is two intervals: to 24:00, and from 00:00 the day after.',
  },
)
export type BusinessHours = Static<typeof BusinessHours>

/**
 * All seven days, as they are kept. Throws validation_failed, naming the interval, where one ends before it starts, or
 * starts before the one before it has ended.
 */
export function fullWeek(hours: BusinessHours): Record<Weekday, { start: string; end: string }[]> {
  const week = WEEKDAYS.map((day) => {
    const intervals = hours[day] ?? []
    for (const [n, { start, end }] of intervals.entries()) {
      if (start >= end) throw invalidField(`body.businessHours.${day}.${n}.end`, 'must be after `start`')
      if (n > 0 && start < (intervals[n - 1]?.end ?? ''))
        throw invalidField(`body.businessHours.${day}.${n}.start`, 'must not be before the interval before it ends')
    }
    return [day, intervals] as const
  })
  return Object.fromEntries(week) as Record<Weekday, { start: string; end: string }[]>
}
