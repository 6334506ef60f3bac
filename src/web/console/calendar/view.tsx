/** @jsxImportSource preact */
// The week of a pro: a grid of hours on a wide screen, a list of days on a phone. Below it, time to block and to free.
import { Type } from '@sinclair/typebox'

import type { ProBooking } from '../../../features/booking/bookings/schemas.ts'
import type { Block, Schedule } from '../../../features/calendar/schedule/schemas.ts'
import { mayOpen, mayPost } from '../../../auth/users/rules/permissions.ts'
import type { Session } from '../../../http/session.ts'
import { clockTime, localTime, weekday } from '../../../platform/text/format.ts'
import type { VNode } from 'preact'
import { type FormState, ActionButton, Form } from '../../ui/form.tsx'
import { Disclosure, LinkButton, Button } from '../../ui/buttons.tsx'
import { Fields, defineForm } from '../../ui/define-form.tsx'
import { type ShownHours, type Timed, hoursAround, placeEntries, rowsOf } from '../../ui/hour-grid.ts'
import { EmptyState } from '../../ui/lists.tsx'
import { PageHeading, Section } from '../../ui/headings.tsx'
import { Table } from '../../ui/table.tsx'
import { BOOKINGS_PATH, NEW_BOOKING_PATH, stateOf, visitTimes } from '../bookings/visit.tsx'
import { zoneName } from '../../../platform/clock/zones.ts'
import { addDays, localClock, localDate, minuteOfDay } from '../../../platform/clock/dates.ts'
import { CalendarDate, ClockTime, Text } from '../../../platform/schema/types.ts'
import { type AgendaDay, type BusyTime, isCalendarYear } from './days.ts'

export const CALENDAR_PATH = '/console/calendar'

export interface Week {
  days: readonly AgendaDay[]
  today: string
  settings: Schedule['settings']
  blocks: readonly Block[]
  /** The minute of today, by the pro's clock. */
  now: number
}

const DAY_MINUTES = 1440

const SHORT_DAY = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })
const shortDay = (date: string) => SHORT_DAY.format(new Date(date))

export function weekView(session: Session, week: Week, form: { formState: FormState; idempotencyKey: string }): VNode {
  const { days, today, settings } = week
  const monday = days[0]?.date ?? today
  const zone = zoneName(settings.timezone)
  const mayBlock = mayPost(session, `${CALENDAR_PATH}/blocks`)
  const mayBook = mayOpen(session, NEW_BOOKING_PATH)
  return (
    <>
      <PageHeading
        beside={
          <>
            {mayBook && <LinkButton href={NEW_BOOKING_PATH}>New booking</LinkButton>}{' '}
            {mayBlock && (
              <LinkButton href="#block" look="quiet">
                Block time
              </LinkButton>
            )}
          </>
        }
      >
        Calendar
      </PageHeading>
      <nav class="week-turn" aria-label="Weeks">
        <LinkButton href={`${CALENDAR_PATH}?week=${addDays(monday, -7)}`} rel="prev" look="quiet" isSmall>
          ← Earlier
        </LinkButton>{' '}
        <strong>
          {shortDay(monday)} to {shortDay(addDays(monday, 6))}
        </strong>{' '}
        <LinkButton href={`${CALENDAR_PATH}?week=${addDays(monday, 7)}`} rel="next" look="quiet" isSmall>
          Later →
        </LinkButton>{' '}
        <LinkButton href={CALENDAR_PATH} look="quiet" isSmall>
          This week
        </LinkButton>
      </nav>
      {hourGrid(week)}
      <p class="hint">
        Times are in {zone}.{' '}
        {mayOpen(session, '/console/settings') && <a href="/console/settings#hours">Change your hours</a>}
      </p>
      {mayBlock && (
        <>
          <section id="block">
            <h2>Block time</h2>
            {blockForm(session, form, today)}
          </section>
          <Section title="Blocked time to come">{blockList(session, week.blocks, settings.timezone)}</Section>
        </>
      )}
    </>
  )
}

/** A row per hour and a column per day on a wide screen; on a phone the days below each other, without the hours. */
function hourGrid({ days, today, now, settings: { timezone } }: Week): VNode {
  const columns = days.map((day) => ({ day, entries: dayEntries(day, timezone) }))
  const opening = days.flatMap(({ hours }) => hours.map(openingSpan))
  // Times that begin before the day or end after it add no hours to the grid.
  const timed = columns.flatMap(({ entries }) => entries.filter(({ from, to }) => from > 0 && to < DAY_MINUTES))
  const shown = hoursAround([...opening, ...timed])
  const hours = Array.from({ length: shown.count }, (_, row) => ({ row: row * 4, time: `${shown.first + row}:00` }))
  return (
    <div class={`week hours-${shown.count}`}>
      <div class="clock" aria-hidden="true">
        {hours.map(({ row, time }) => (
          <span class={`from-${row}`}>{clockTime(time).replace(':00', '')}</span>
        ))}
      </div>
      <ol role="list">
        {columns.map(({ day, entries }) => dayColumn(day, entries, shown, day.date === today ? now : undefined))}
      </ol>
    </div>
  )
}

const openingSpan = ({ start, end }: { start: string; end: string }) => ({
  from: minuteOfDay(start),
  to: minuteOfDay(end) || DAY_MINUTES,
})

/** The entries of a day by local time. The hour that the clock skips or repeats has no row of its own. */
const dayEntries = ({ date, visits, busy }: AgendaDay, timeZone: string): Timed<VNode>[] => [
  ...visits.map((visit) => {
    const from = minuteOfDay(visit.scheduledTime)
    return { from, to: Math.min(from + visit.durationMinutes, DAY_MINUTES), item: visitEntry(visit) }
  }),
  ...busy.map((time) => ({ ...spanOnDay(time, date, timeZone), item: busyEntry(time, date, timeZone) })),
]

/** Whole-day entries stand below the name of the day. `now` is the minute of today. */
function dayColumn(
  { date, hours }: AgendaDay,
  entries: readonly Timed<VNode>[],
  shown: ShownHours,
  now: number | undefined,
): VNode {
  const isWholeDay = ({ from, to }: { from: number; to: number }) => from === 0 && to === DAY_MINUTES
  const wholeDay = entries.filter(isWholeDay)
  const placed = placeEntries(
    entries.filter((entry) => !isWholeDay(entry)),
    shown,
  )
  const strip = (kind: string, span: { from: number; to: number }) => (
    <span class={`${kind} ${rowsOf(span, shown)}`} aria-hidden="true"></span>
  )
  const isNowShown = now !== undefined && now >= shown.first * 60 && now < (shown.first + shown.count) * 60
  return (
    <li aria-current={now !== undefined ? 'date' : undefined}>
      <div class="day-head">
        <h2>
          {weekday(date).split(',')[0]} <span class="quiet">{shortDay(date)}</span>
        </h2>
        <p class="hint">{hours.length === 0 ? 'Closed' : hours.map(hoursText).join(', ')}</p>
        {wholeDay.map(({ item }) => item)}
      </div>
      {wholeDay.length === 0 && hours.map((span) => strip('open', openingSpan(span)))}{' '}
      {isNowShown && strip('now', { from: now, to: now })}
      {placed.map(({ place, items }) => (
        <div class={`slot ${place}`}>{items}</div>
      ))}
    </li>
  )
}

/** "8 AM to 12:30 PM", short enough for a column. */
const hoursText = ({ start, end }: { start: string; end: string }) =>
  `${clockTime(start)} to ${clockTime(end)}`.replaceAll(':00', '')

const visitEntry = (booking: ProBooking): VNode => (
  <a class={`entry-card ${booking.status}`} href={`${BOOKINGS_PATH}/${booking.id}`}>
    {' '}
    <strong>{visitTimes(booking)}</strong> <span>{booking.package?.name ?? booking.service.name}</span>{' '}
    <span class="quiet">
      {booking.customer.name}
      {booking.address?.city && <>, {booking.address.city}</>}
      {booking.assignedTo && <> · {booking.assignedTo.name}</>}
    </span>{' '}
    {booking.status !== 'confirmed' && stateOf(booking)}{' '}
  </a>
)

/** The part of the time that is on the day, in minutes. */
function spanOnDay({ startsAt, endsAt }: BusyTime, date: string, timeZone: string): { from: number; to: number } {
  return {
    from: localDate(startsAt, timeZone) < date ? 0 : minuteOfDay(localClock(startsAt, timeZone)),
    to: localDate(endsAt, timeZone) > date ? DAY_MINUTES : minuteOfDay(localClock(endsAt, timeZone)),
  }
}

function busyEntry({ kind, startsAt, endsAt, label }: BusyTime, date: string, timeZone: string): VNode {
  const from = localDate(startsAt, timeZone) < date ? null : localTime(startsAt, timeZone).time
  const isLastDay = localDate(endsAt, timeZone) === date
  const to = isLastDay ? localTime(endsAt, timeZone).time : null
  const isWholeDay = (from === null || from === '12:00 AM') && to === null
  const span = isWholeDay ? 'All day' : `${from ?? 'Midnight'} to ${to ?? 'midnight'}`
  return (
    <p class={`entry-card ${kind}`}>
      <strong>{span}</strong> <span>{label}</span>
    </p>
  )
}

const isOutside = (date: string | undefined) => date !== undefined && !isCalendarYear(date)
const time = { schema: Type.Optional(ClockTime()), type: 'time' } as const

export const BlockForm = defineForm(
  {
    fromDate: { schema: CalendarDate(), label: 'First day' },
    toDate: { schema: Type.Optional(CalendarDate()), label: 'Last day' },
    fromTime: { ...time, label: 'From' },
    toTime: { ...time, label: 'To' },
    reason: { schema: Type.Optional(Text(200)), label: 'Reason', hint: 'Only you see it.' },
  },
  ({ fromDate, toDate }) => ({
    fromDate: isOutside(fromDate) ? 'must be a day of this century' : undefined,
    toDate: isOutside(toDate)
      ? 'must be a day of this century'
      : fromDate && toDate && toDate < fromDate
        ? 'must not be before the first day'
        : undefined,
  }),
)

const blockForm = (
  session: Session,
  { formState, idempotencyKey }: { formState: FormState; idempotencyKey: string },
  today: string,
): VNode => (
  <Form
    of={BlockForm}
    action={`${CALENDAR_PATH}/blocks`}
    isNarrow
    session={session}
    idempotencyKey={idempotencyKey}
    formState={formState}
  >
    <div class="side-by-side">
      <Fields
        of={BlockForm}
        names={['fromDate', 'toDate']}
        values={{ fromDate: today }}
        more={{ fromDate: { min: today }, toDate: { min: today } }}
      />
    </div>
    <div class="side-by-side">
      <Fields of={BlockForm} names={['fromTime', 'toTime']} />
    </div>
    <p class="hint">
      Leave the times empty for whole days. Bookings that you have stay; customers cannot book the time.
    </p>
    <Fields of={BlockForm} names={['reason']} />
    <Button>Block time</Button>
  </Form>
)

function blockList(session: Session, blocks: readonly Block[], timeZone: string): VNode {
  if (blocks.length === 0)
    return <EmptyState title="Nothing is blocked">Block time above for holidays or other work.</EmptyState>
  return (
    <Table
      caption="Blocked time"
      columns={['When', 'Reason', '']}
      rows={blocks.map(({ id, startDateTime, endDateTime, reason }) => [
        blockText(startDateTime, endDateTime, timeZone),
        reason ?? '–',
        <Disclosure label="Free this time">
          <p>Customers can book it again within your hours.</p>
          <ActionButton
            session={session}
            action={`${CALENDAR_PATH}/blocks/${id}/delete`}
            label="Free the time"
            look="plain"
          />
        </Disclosure>,
      ])}
    />
  )
}

/** "Tuesday, June 2, 2:00 PM to 4:00 PM"; the days alone for whole days. */
export function blockText(startsAt: string, endsAt: string, timeZone: string): string {
  const [start, end] = [localTime(startsAt, timeZone), localTime(endsAt, timeZone)]
  const lastDay = localTime(new Date(Date.parse(endsAt) - 1).toISOString(), timeZone).day
  if (start.time === '12:00 AM' && end.time === '12:00 AM')
    return lastDay === start.day ? start.day : `${start.day} to ${lastDay}`
  return `${start.day}, ${start.time} to ${end.day === start.day ? '' : `${end.day}, `}${end.time}`
}
