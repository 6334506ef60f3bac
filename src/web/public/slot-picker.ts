// The slot picker: reads the chosen day and time from the query, and renders days and open times.
import type { Deps } from '../../deps.ts'
import { type Times, type TimesQuery, listTimes } from '../../features/availability/verbs.ts'
import { addDays } from '../../platform/clock/dates.ts'
import { isCalendarDate } from '../../platform/schema/types.ts'
import { appointment, clockTime, timeZoneName, weekday } from '../ui/format.ts'
import { type Html, html } from '../ui/html.ts'
import { emptyState } from '../ui/parts.ts'

const DAYS = 14

export interface SlotChoice {
  /** The availability of the days on display. */
  times: Times
  /** The selected day. */
  date: string
  /** The selected time, if it is open. */
  time: string | undefined
}

/** Reads the query or form: `from` is the first day on display, `date` and `time` are the selection. */
export async function readSlotChoice(
  deps: Deps,
  wanted: Omit<TimesQuery, 'from' | 'days'>,
  query: URLSearchParams,
): Promise<SlotChoice> {
  const date = dateIn(query, 'date')
  const timesFrom = (from: string | undefined) => listTimes(deps, { ...wanted, from, days: DAYS })
  const first = await timesFrom(dateIn(query, 'from'))
  const day = date ?? first.nextAvailable?.date ?? first.days[0]?.date ?? ''
  const times = slotsOn(first, day) ? first : await timesFrom(day)
  const wantedTime = query.get('time')
  const time = slotsOn(times, day)?.find(({ start, available }) => available && start === wantedTime)?.start
  return { times, date: day, time }
}

export const slotsOn = ({ days }: Times, wanted: string) => days.find(({ date }) => date === wanted)?.slots

/** Two weeks of days, and the open times of the selected one. `at` returns the URL of a selection. */
export function slotPicker({ times, date, time }: SlotChoice, at: (query: Record<string, string>) => string): Html {
  const first = times.days[0]?.date ?? date
  const open = (slotsOn(times, date) ?? []).filter(({ available }) => available)
  return html`
    <h2 id="when">Choose a time</h2>
    <nav class="days" aria-label="Days">
      ${times.days.map((day) =>
        dayLink(
          day.date,
          day.date === date,
          day.slots.some(({ available }) => available),
          at({ from: first, date: day.date }),
        ),
      )}
    </nav>
    <p class="pager">
      <span></span><a href="${at({ from: addDays(first, times.days.length) })}" rel="next">Later days →</a>
    </p>
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
    <p class="hint">Times are in ${timeZoneName(times.timeZone)}.</p>
  `
}

const dayLink = (date: string, isChosen: boolean, isOpen: boolean, href: string): Html =>
  isOpen || isChosen
    ? html`<a href="${href}#when" ${isChosen && html`aria-current="date"`}>${SHORT.format(new Date(date))}</a>`
    : html`<span>${SHORT.format(new Date(date))}<span class="unseen">, no open times</span></span>`

function nextTime({ nextAvailable }: Times, at: (query: Record<string, string>) => string) {
  if (nextAvailable === null) return 'There are no open times in the next 60 days.'
  const { date, time } = nextAvailable
  return html`The next open time is <a href="${at({ from: date, date, time })}#who">${appointment(date, time)}</a>.`
}

const SHORT = new Intl.DateTimeFormat('en-US', { weekday: 'short', month: 'short', day: 'numeric', timeZone: 'UTC' })

const dateIn = (query: URLSearchParams, name: string) => {
  const text = query.get(name) ?? ''
  return isCalendarDate(text) ? text : undefined
}
