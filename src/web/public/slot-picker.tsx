/** @jsxImportSource preact */
// The slot picker: a month of days, and the open times of the selected one.
import { LinkButton } from '../ui/buttons.tsx'
import { addDays } from '../../platform/clock/dates.ts'
import { clockTime, duration, localDateTime, plural, visitTime, weekday } from '../../platform/text/format.ts'
import type { VNode } from 'preact'
import { EmptyState } from '../ui/lists.tsx'
import { type Slot, type SlotChoice, hasOpenTimes, openSlotsOn } from './slot-choice.ts'

/** Returns the URL of a selection. */
type At = (query: Record<string, string>) => string

/** "Tuesday, June 2, 2:15 PM Central Time, 1 hour 30 minutes": the selection in one sentence. */
export const chosenTime = (
  { times }: Pick<SlotChoice, 'times'>,
  { startDateTime }: Pick<Slot, 'startDateTime'>,
): string => `${localDateTime(startDateTime, times.timezone)}, ${duration(times.slotDurationMinutes)}`

/** Says why the day or time in the query cannot be booked, if so. */
export const refusedTimeNotice = ({ times, refused }: SlotChoice): VNode | false =>
  refused !== undefined && (
    <p class="notice wait" role="status">
      {refusalText(refused, times.slotDurationMinutes)}
    </p>
  )

function refusalText(refused: NonNullable<SlotChoice['refused']>, minutes: number): string {
  if (refused.reason === 'invalid') return 'There is no such day or time. Choose a day and a time.'
  if (refused.reason === 'past') return 'That day is over. Choose another one.'
  if (refused.reason === 'too_far') return 'That day is more than a year ahead. Choose an earlier one.'
  return `${visitTime(refused.date, refused.time)} is not open for ${duration(minutes)}. Choose another time.`
}

/** The times of a day whose free cancellation is over already. */
function lateTimes(open: readonly Slot[]): VNode | false {
  const late = open.filter(({ freeCancellationUntil }) => freeCancellationUntil === null)
  return (
    late.length > 0 && (
      <p class="hint">
        It is too late to cancel {LIST.format(late.map(({ start }) => clockTime(start)))} free of charge.
      </p>
    )
  )
}

const LIST = new Intl.ListFormat('en-US', { type: 'conjunction' })

/** The calendar of the month, and the times of the selected day. What is due makes a late cancellation cost something. */
export function slotPicker(choice: SlotChoice, at: At, due = choice.times.service?.dueNow ?? 0): VNode {
  const { times, date } = choice
  const open = openSlotsOn(times, date)
  return (
    <div class="picker" id="when">
      {monthTable(choice, at)}
      <div class="times">
        {date !== undefined && open.length > 0 ? (
          <>
            <h2>{weekday(date)}</h2>
            {partsOfDay(open).map(([name, slots]) => (
              <>
                <h3>{name}</h3>
                <ul class="slots" aria-label={`${name} of ${weekday(date)}`}>
                  {slots.map(({ start }) => (
                    <li>
                      <LinkButton href={`${at({ date, time: start })}#who`} look="quiet">
                        {clockTime(start)}
                      </LinkButton>
                    </li>
                  ))}
                </ul>
              </>
            ))}
          </>
        ) : (
          <EmptyState
            title={`No open times ${date === undefined ? `in ${monthName(choice.month)}` : `on ${weekday(date)}`}`}
          >
            {nextTime(choice, at)}
          </EmptyState>
        )}
        <p class="hint">Times are in {times.timeZoneName}.</p>
        {due > 0 && lateTimes(open)}
      </div>
    </div>
  )
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

const monthTable = (choice: SlotChoice, at: At): VNode => (
  <div class="month">
    <div class="month-bar">
      {monthLink(choice.previous, 'prev', at)}
      <h2>{monthName(choice.month)}</h2>
      {monthLink(choice.next, 'next', at)}
    </div>
    <table>
      <caption>Days in {monthName(choice.month)}</caption>
      <thead>
        <tr>
          {WEEKDAYS.map((name) => (
            <th scope="col" abbr={name}>
              {name.slice(0, 2)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(choice.month).map((week) => (
          <tr>
            {week.map((date) => (
              <td>{dayCell(choice, date, at)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const monthLink = (month: string | undefined, rel: 'prev' | 'next', at: At): VNode =>
  month === undefined ? (
    <span></span>
  ) : (
    <a href={`${at({ month })}#when`} rel={rel} aria-label={monthName(month)}>
      {rel === 'prev' ? '←' : '→'}
    </a>
  )

/** A link to the times of a day that has some. */
function dayCell({ times, month, date: chosen }: SlotChoice, date: string, at: At): VNode | false {
  if (!date.startsWith(month)) return false
  const day = times.availability.find((listed) => listed.date === date)
  const number = Number(date.slice(8))
  if (!day || !hasOpenTimes(day))
    return (
      <span class="closed">
        {number}
        <span class="unseen">, no open times</span>
      </span>
    )
  return (
    <a
      href={`${at({ date })}#when`}
      aria-label={`${weekday(date)}, ${plural(openSlotsOn(times, date).length, 'open time')}`}
      aria-current={date === chosen ? 'date' : undefined}
    >
      {number}
    </a>
  )
}

/** The weeks from Sunday to Saturday that a month touches. */
function weeksOf(month: string): string[][] {
  const first = `${month}-01`
  const sunday = addDays(first, -new Date(first).getUTCDay())
  const weeks = Array.from({ length: 6 }, (_, week) =>
    Array.from({ length: 7 }, (_, day) => addDays(sunday, week * 7 + day)),
  )
  return weeks.filter((week) => week.some((date) => date.startsWith(month)))
}

const partsOfDay = (slots: readonly Slot[]): (readonly [name: string, slots: Slot[]])[] =>
  (
    [
      ['Morning', '00:00', '12:00'],
      ['Afternoon', '12:00', '17:00'],
      ['Evening', '17:00', '24:00'],
    ] as const
  )
    .map(([name, from, to]) => [name, slots.filter(({ start }) => from <= start && start < to)] as const)
    .filter(([, part]) => part.length > 0)

function nextTime({ times: { nextAvailable }, next }: SlotChoice, at: At) {
  if (nextAvailable !== null) {
    const { date, time } = nextAvailable
    return (
      <>
        The next open time is <a href={`${at({ date, time })}#who`}>{visitTime(date, time)}</a>.
      </>
    )
  }
  return next === undefined ? (
    'Choose an earlier month.'
  ) : (
    <>
      See <a href={`${at({ month: next })}#when`}>{monthName(next)}</a>.
    </>
  )
}

const MONTH = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const monthName = (month: string): string => MONTH.format(new Date(`${month}-01`))
