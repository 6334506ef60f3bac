// The slot picker: reads the chosen day and time from the query, and renders days and open times.
import { Value } from '@sinclair/typebox/value'

import type { Deps } from '../../deps.ts'
import type { Availability, AvailabilityQuery } from '../../features/availability/schemas.ts'
import { MAX_DAYS_AHEAD, getOpenSlots } from '../../features/availability/verbs.ts'
import { addDays, earliestToday } from '../../platform/clock/dates.ts'
import { ClockTime, isCalendarDate } from '../../platform/schema/types.ts'
import { appointment, clockTime, duration, timeZoneName, weekday } from '../../platform/text/format.ts'
import { type Html, html } from '../../platform/text/html.ts'
import { emptyState } from '../ui/parts.ts'

const DAYS = 14

export interface SlotChoice {
  /** The availability of the days on display. */
  times: Availability
  /** The selected day. */
  date: string
  /** The selected time, if it is open. */
  time: string | undefined
  /** The time in the query, if it is not open. */
  closedTime: string | undefined
  /** The first of the later days, if they can be listed. */
  later: string | undefined
}

/** What the times are for: a service, a package, or a booking that is being moved. */
type Wanted = Pick<AvailabilityQuery, 'serviceId' | 'packageId'> & { movedBookingId?: string }

/** Reads the query or form: `from` is the first day on display, `date` and `time` are the selection. */
export async function readSlotChoice(
  deps: Deps,
  professionalId: string,
  wanted: Wanted,
  query: URLSearchParams,
): Promise<SlotChoice> {
  const day = dateIn(query, 'date')
  const timesFrom = (from: string | undefined) =>
    getOpenSlots(deps, professionalId, { ...wanted, date: from, days: daysFrom(deps, from) })
  const first = await timesFrom(dateIn(query, 'from'))
  const date = day ?? first.nextAvailable?.date ?? first.availability[0]?.date ?? ''
  const times = slotsOn(first, date) ? first : await timesFrom(date)
  const wantedTime = query.get('time')
  const time = slotsOn(times, date)?.find(({ start, available }) => available && start === wantedTime)?.start
  const closedTime = time === undefined && Value.Check(ClockTime(), wantedTime) ? wantedTime : undefined
  const later = addDays(times.availability[0]?.date ?? date, DAYS)
  return { times, date, time, closedTime, later: later <= lastDay(deps) ? later : undefined }
}

/** The last day that can be listed. */
const lastDay = ({ clock }: Deps) => addDays(earliestToday(clock.now()), MAX_DAYS_AHEAD)

/** How many days to show: fewer at the end of the year that can be listed. */
function daysFrom(deps: Deps, from: string | undefined): number {
  const left = from === undefined ? DAYS : (Date.parse(lastDay(deps)) - Date.parse(from)) / 86_400_000 + 1
  return Math.max(Math.min(left, DAYS), 1)
}

export const slotsOn = ({ availability }: Availability, wanted: string) =>
  availability.find(({ date }) => date === wanted)?.slots

/** Says that the time in the query is not open, if so. */
export const closedTimeNotice = ({ times, date, closedTime }: SlotChoice): Html | false =>
  closedTime !== undefined &&
  html`<p class="notice wait" role="status">
    ${appointment(date, closedTime)} is not open for ${duration(times.slotDurationMinutes)}. Choose another time.
  </p>`

/** Two weeks of days, and the open times of the selected one. `at` returns the URL of a selection. */
export function slotPicker(
  { times, date, time, later }: SlotChoice,
  at: (query: Record<string, string>) => string,
): Html {
  const first = times.availability[0]?.date ?? date
  const open = (slotsOn(times, date) ?? []).filter(({ available }) => available)
  return html`
    <h2 id="when">Choose a time</h2>
    <nav class="days" aria-label="Days">
      ${times.availability.map((day) =>
        dayLink(
          day.date,
          day.date === date,
          day.slots.some(({ available }) => available),
          at({ from: first, date: day.date }),
        ),
      )}
    </nav>
    ${
      later !== undefined &&
      html`<p class="pager"><span></span><a href="${at({ from: later })}" rel="next">Later days →</a></p>`
    }
    ${
      open.length > 0
        ? html`<ul class="slots" aria-label="Open times on ${weekday(date)}">
            ${open.map(
              ({ start }) =>
                html`<li>
                  <a
                    href="${at({ from: first, date, time: start })}#who"
                    class="button ${start === time ? '' : 'quiet'}"
                    ${start === time && html`aria-current="true"`}
                    >${clockTime(start)}</a
                  >
                </li>`,
            )}
          </ul>`
        : emptyState(`No open times on ${weekday(date)}`, nextTime(times, at))
    }
    <p class="hint">Times are in ${timeZoneName(times.timezone)}.</p>
  `
}

const dayLink = (date: string, isChosen: boolean, isOpen: boolean, href: string): Html =>
  isOpen || isChosen
    ? html`<a href="${href}#when" ${isChosen && html`aria-current="date"`}>${SHORT.format(new Date(date))}</a>`
    : html`<span>${SHORT.format(new Date(date))}<span class="unseen">, no open times</span></span>`

function nextTime({ nextAvailable }: Availability, at: (query: Record<string, string>) => string) {
  if (nextAvailable === null) return 'There are no open times in the next 60 days.'
  const { date, time } = nextAvailable
  return html`The next open time is <a href="${at({ from: date, date, time })}#who">${appointment(date, time)}</a>.`
}

const SHORT = new Intl.DateTimeFormat('en-US', { weekday: 'short', month: 'short', day: 'numeric', timeZone: 'UTC' })

const dateIn = (query: URLSearchParams, name: string) => {
  const text = query.get(name) ?? ''
  return isCalendarDate(text) ? text : undefined
}
