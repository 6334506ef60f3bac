// Choosing a day and a time: what was chosen by the address, what there is to choose from, and how it looks.
import type { Deps } from '../../deps.ts'
import { type Times, type TimesQuery, listTimes } from '../../features/availability/verbs.ts'
import { addDays } from '../../platform/clock/dates.ts'
import { isCalendarDate } from '../../platform/schema/types.ts'
import { type Html, html } from '../ui/html.ts'
import { emptyState } from '../ui/parts.ts'

const DAYS = 14

export interface SlotChoice {
  times: Times
  /** The day whose times are shown. */
  date: string
  /** The open time that was chosen. */
  time: string | undefined
}

/** What the address (or a form that is shown again) asks for: `from` is the first day shown, `date` and `time` are chosen. */
export async function readSlotChoice(
  deps: Deps,
  wanted: Omit<TimesQuery, 'from' | 'days'>,
  query: URLSearchParams,
): Promise<SlotChoice> {
  const date = dateIn(query, 'date')
  const timesFrom = (from: string | undefined) => listTimes(deps, { ...wanted, from, days: DAYS })
  const found = await timesFrom(dateIn(query, 'from'))
  const day = date ?? found.nextAvailable?.date ?? found.days[0]?.date ?? ''
  const times = slotsOn(found, day) ? found : await timesFrom(day)
  const chosen = query.get('time')
  const time = slotsOn(times, day)?.find(({ start, available }) => available && start === chosen)?.start
  return { times, date: day, time }
}

export const slotsOn = ({ days }: Times, wanted: string) => days.find(({ date }) => date === wanted)?.slots

/** Two weeks as a row of days, and the open times of one of them. `at` gives the address of a choice. */
export function slotPicker({ times, date, time }: SlotChoice, at: (query: Record<string, string>) => string): Html {
  const first = times.days[0]?.date ?? date
  const open = (slotsOn(times, date) ?? []).filter(({ available }) => available)
  return html`
    <h2 id="when">When?</h2>
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
                    >${start}</a
                  >
                </li>`,
            )}
          </ul>`
        : emptyState(`Nothing open on ${weekday(date)}`, nextTime(times, at))
    }
    <p class="hint">Times are on the clock of ${times.timeZone.replaceAll('_', ' ')}.</p>
  `
}

const dayLink = (date: string, isChosen: boolean, isOpen: boolean, href: string): Html =>
  isOpen || isChosen
    ? html`<a href="${href}#when" ${isChosen && html`aria-current="date"`}>${SHORT.format(new Date(date))}</a>`
    : html`<span>${SHORT.format(new Date(date))}<span class="unseen">, nothing open</span></span>`

function nextTime({ nextAvailable }: Times, at: (query: Record<string, string>) => string) {
  if (nextAvailable === null) return 'Nothing is open within 60 days.'
  const { date, time } = nextAvailable
  return html`The next is on <a href="${at({ from: date, date, time })}#who">${weekday(date)} at ${time}</a>.`
}

const SHORT = new Intl.DateTimeFormat('en-US', { weekday: 'short', month: 'short', day: 'numeric', timeZone: 'UTC' })
const LONG = new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC' })

/** "Monday, June 1". */
export const weekday = (date: string): string => LONG.format(new Date(date))

const dateIn = (query: URLSearchParams, name: string) => {
  const text = query.get(name) ?? ''
  return isCalendarDate(text) ? text : undefined
}
