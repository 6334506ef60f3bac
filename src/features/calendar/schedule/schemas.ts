// The schemas of a pro's schedule: settings, business hours and blocks.
import { type Static, Type } from '@sinclair/typebox'

import { invalidField } from '../../../errors/app-error.ts'
import {
  type DepositLimits,
  SMALL_DEPOSITS,
  limitProblem,
  percentageProblem,
} from '../../booking/bookings/rules/deposits.ts'
import { Decimal, Integer, Natural } from '../../../platform/schema/numbers.ts'
import { FreeText, Instant, Name, Nullable, Uuid } from '../../../platform/schema/types.ts'

// sql/functions/working_time.sql reads business hours as they are stored.
export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
export type Weekday = (typeof WEEKDAYS)[number]

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
      'For each weekday up to four ordered intervals that do not overlap, in the pro’s time zone. A change leaves missing days as they are; an empty list closes a day. Work past midnight is two intervals: to 24:00, and from 00:00 on the next day.',
  },
)
export type BusinessHours = Static<typeof BusinessHours>

const Settings = Type.Object(
  {
    instantBookingEnabled: Type.Boolean(),
    requiresApproval: Type.Boolean({ description: 'The pro confirms instant bookings' }),
    bookingLeadTimeHours: Natural(),
    bookingBufferMinutes: Natural(),
    defaultSlotMinutes: Natural(),
    depositRequired: Type.Boolean({ description: 'Bookings are confirmed when their deposit is paid' }),
    depositPercentage: Nullable(
      Type.Number({ description: `Of the base price, else of the minimum price. ${SMALL_DEPOSITS}` }),
    ),
    reminderHours: Nullable(
      Natural({ description: 'How long before a visit its customer gets a reminder; null for none' }),
    ),
    timezone: Type.String({ description: 'The IANA time zone of the business hours' }),
    businessHours: BusinessHours,
  },
  { $id: 'ScheduleSettings' },
)

export const Block = Type.Object(
  { id: Type.String(), startDateTime: Instant(), endDateTime: Instant(), reason: Nullable(Type.String()) },
  { $id: 'Block' },
)
export type Block = Static<typeof Block>

export const Schedule = Type.Object(
  {
    settings: Settings,
    blocks: Type.Array(Block, { description: 'Current and future blocks in order of start, at most 500' }),
  },
  { $id: 'Schedule' },
)
export type Schedule = Static<typeof Schedule>

export const ScheduleChange = Type.Object(
  {
    instantBookingEnabled: Type.Optional(Type.Boolean()),
    requiresApproval: Type.Optional(Type.Boolean()),
    bookingLeadTimeHours: Type.Optional(Integer({ minimum: 0, maximum: 720 })),
    bookingBufferMinutes: Type.Optional(Integer({ minimum: 0, maximum: 240 })),
    defaultSlotMinutes: Type.Optional(Integer({ minimum: 15, maximum: 720, multipleOf: 5 })),
    depositRequired: Type.Optional(
      Type.Boolean({ description: '`true` needs `depositPercentage`, unless it is set already; `false` clears it' }),
    ),
    depositPercentage: Type.Optional(
      Nullable(Decimal({ minimum: 0.01, maximum: 100, description: 'With at most 2 decimals' })),
    ),
    reminderHours: Type.Optional(Nullable(Integer({ minimum: 1, maximum: 168 }))),
    timezone: Type.Optional(
      Name({
        maxLength: 100,
        examples: ['America/Phoenix'],
        description:
          'An IANA time zone. The business hours are then at the same local times in it; bookings and blocks stay at their instants',
      }),
    ),
    businessHours: Type.Optional(BusinessHours),
  },
  { $id: 'ScheduleChange', additionalProperties: false },
)
export type ScheduleChange = Static<typeof ScheduleChange>

export const NewBlock = Type.Object(
  { startDateTime: Instant(), endDateTime: Instant(), reason: Type.Optional(Nullable(FreeText())) },
  { $id: 'NewBlock', additionalProperties: false },
)
export type NewBlock = Static<typeof NewBlock>

export const BlockCreated = Type.Object(
  {
    success: Type.Boolean(),
    block: Block,
    bookingsWithin: Type.Array(Type.String(), {
      description: 'Bookings that overlap the block. They are not changed; move or cancel them if needed',
    }),
  },
  { $id: 'BlockCreated' },
)
export type BlockCreated = Static<typeof BlockCreated>

export const BlockParams = Type.Object({ id: Uuid() })

/**
 * The hours of all seven days, as stored: the given days, and the others as in `current`. Throws validation_failed, naming the interval, for an interval that ends before
 * its start or starts before the end of the previous one.
 */
export function fullWeek(
  hours: BusinessHours,
  current: BusinessHours,
): Record<Weekday, { start: string; end: string }[]> {
  const week = WEEKDAYS.map((day) => {
    const intervals = hours[day] ?? current[day] ?? []
    for (const [n, { start, end }] of intervals.entries()) {
      if (start >= end) throw invalidField(`body.businessHours.${day}.${n}.end`, 'must be after `start`')
      if (n > 0 && start < (intervals[n - 1]?.end ?? ''))
        throw invalidField(
          `body.businessHours.${day}.${n}.start`,
          'must not be before the end of the previous interval',
        )
    }
    return [day, intervals] as const
  })
  return Object.fromEntries(week) as Record<Weekday, { start: string; end: string }[]>
}

type DepositSettings = Pick<Schedule['settings'], 'depositRequired' | 'depositPercentage'>

/**
 * The deposit after a change. Throws validation_failed for a deposit without a percentage, a percentage without a deposit,
 * one with more than 2 decimals, and a new one outside the limits.
 */
export function depositAfter(change: ScheduleChange, current: DepositSettings, limits: DepositLimits): DepositSettings {
  const depositRequired = change.depositRequired ?? current.depositRequired
  const kept = depositRequired ? current.depositPercentage : null
  const depositPercentage = change.depositPercentage === undefined ? kept : change.depositPercentage
  const isNew = depositPercentage !== current.depositPercentage
  const problem =
    percentageProblem(depositRequired, depositPercentage) ??
    (isNew ? limitProblem(depositPercentage, limits) : undefined)
  if (problem !== undefined) throw invalidField('body.depositPercentage', problem)
  return { depositRequired, depositPercentage }
}
