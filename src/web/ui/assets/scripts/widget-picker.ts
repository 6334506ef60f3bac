// What the widget shows to choose from: services, days, times, and what a booking costs.
import { type Availability, type Day, type Pro, type Service, type Terms, base, onlyService } from './widget-api.ts'
import { cancellingText } from '../../../../platform/text/cancelling.ts'
import { priceOf, shortMoney } from '../../../../platform/text/price.ts'
import { clockTime, dateAfter, dayName, lengthOf, linkTo, make, monthName, monthStart } from './widget-text.ts'

/** How far ahead people book. */
const MAX_DAYS_AHEAD = 364
export const lastBookable = (today: string): string => dateAfter(today, MAX_DAYS_AHEAD)

/** The selection so far, and the days from which it was made. */
export interface Selection {
  pro: Pro
  service: Service
  found: Availability
  /** The first day that can be asked for: today, where the pro is. */
  today: string
  date: string
  /** A repeated request with the same `idempotencyKey` books once. */
  chosen?: { time: string; idempotencyKey: string }
}

export interface PickerActions {
  chooseService: (service: Service) => unknown
  chooseDate: (date: string) => unknown
  chooseTime: (time: string) => unknown
  /** Shows the month of a date. */
  turnTo: (from: string) => unknown
}

/** Runs what a button does, and shows its errors. */
export type Attempt = (action: () => unknown) => Promise<void>

export const offersOf = ({ services }: Pro): Service[] => services.filter(({ booking }) => booking.instantBookEnabled)
export const openSlots = ({ slots }: Availability['availability'][number]) => slots.filter(({ available }) => available)

/** The elements of the picker, below the heading. */
export function pickerOf(selection: Selection, actions: PickerActions, attempt: Attempt): HTMLElement[] {
  const { pro, service, found, date, chosen } = selection
  const days = found.availability
  const times = days.filter((day) => day.date === date).flatMap(openSlots)
  const choice = (label: string, { name, isChosen, isDisabled = false, choose }: Choice) => {
    const pressed: Record<string, string> = isChosen === undefined ? {} : { 'aria-pressed': String(isChosen) }
    const button = make('button', { type: 'button', ...pressed, ...(name && { 'aria-label': name }) }, label)
    button.disabled = isDisabled
    button.addEventListener('click', () => void attempt(choose))
    return button
  }
  return [
    onlyService || offersOf(pro).length === 1 ? make('p', {}, service.name) : serviceField(selection, actions, attempt),
    termsBox(found.service),
    pageButtons(selection, actions, choice),
    monthOf(days, (day) =>
      choice(String(Number(day.date.slice(8))), {
        name: dayName(day.date),
        isChosen: day.date === date,
        isDisabled: openSlots(day).length === 0,
        choose: () => actions.chooseDate(day.date),
      }),
    ),
    days.some((day) => openSlots(day).length > 0)
      ? group(
          'Times',
          times.map(({ start }) =>
            choice(clockTime(start), { isChosen: start === chosen?.time, choose: () => actions.chooseTime(start) }),
          ),
        )
      : nothingOpen(found, actions, choice),
    make('p', { class: 'quiet' }, `Times are in ${found.timeZoneName}.`),
    ...(chosen ? [termsOfTime(found.service, times, chosen.time)] : []),
  ]
}

interface Choice {
  /** What programs read aloud in place of a short label. */
  name?: string
  isChosen?: boolean
  isDisabled?: boolean
  choose: () => unknown
}
type ChoiceButton = (label: string, choice: Choice) => HTMLElement

/** What a booking costs and means, before anything is chosen. */
function termsBox({ price, deposit, durationMinutes, cancellation }: Terms): HTMLElement {
  return make(
    'div',
    { class: 'terms' },
    make('p', { class: 'price' }, priceOf(price)),
    make(
      'p',
      {},
      `Takes ${lengthOf(durationMinutes)}.`,
      deposit > 0 && ` ${shortMoney(deposit)} of it is due when you book.`,
    ),
    make('p', { class: 'quiet' }, `${cancellation} `, linkTo(`${base}/terms`, 'Booking terms')),
  )
}

/** What cancelling the chosen time costs, before the form. */
function termsOfTime({ dueNow }: Terms, times: readonly Day['slots'][number][], time: string): HTMLElement {
  const until = times.find(({ start }) => start === time)?.freeCancellationLocal ?? null
  return make('p', { class: 'quiet' }, cancellingText({ due: dueNow, until }))
}

function pageButtons({ date, today }: Selection, { turnTo }: PickerActions, choice: ChoiceButton): HTMLElement {
  const [before, after] = [monthStart(date, -1), monthStart(date, 1)]
  return make(
    'div',
    { class: 'pages' },
    choice('← Earlier', { isDisabled: monthStart(date) <= today, choose: () => turnTo(before) }),
    make('span', { class: 'price' }, monthName(date)),
    choice('Later →', { isDisabled: after > lastBookable(today), choose: () => turnTo(after) }),
  )
}

const WEEKDAYS = 'Su Mo Tu We Th Fr Sa'

/** The month as a grid of weeks, from its first day that can be asked for. */
function monthOf(days: readonly Day[], cellOf: (day: Day) => HTMLElement): HTMLElement {
  const weekday = new Date(days[0]?.date ?? 0).getUTCDay()
  const heads = `${WEEKDAYS}${' '.repeat(weekday)}`.split(' ')
  const month = group('Days', [
    ...heads.map((name) => make('span', { class: 'quiet', 'aria-hidden': 'true' }, name)),
    ...days.map(cellOf),
  ])
  month.className = 'grid month'
  return month
}

function nothingOpen({ nextAvailable }: Availability, { turnTo }: PickerActions, choice: ChoiceButton): HTMLElement {
  const text = make('p', {}, 'No open times this month.')
  if (!nextAvailable) return text
  const { date } = nextAvailable
  const button = choice(`Next open day: ${dayName(date)}`, { choose: () => turnTo(date) })
  return make('div', {}, text, make('div', { class: 'pages' }, button))
}

function serviceField({ pro, service }: Selection, { chooseService }: PickerActions, attempt: Attempt): HTMLElement {
  const offers = offersOf(pro)
  const select = make('select', {}, ...offers.map(({ id, name }) => make('option', { value: id }, name)))
  select.value = service.id
  select.addEventListener('change', () => {
    const chosen = offers.find(({ id }) => id === select.value)
    if (chosen) void attempt(() => chooseService(chosen))
  })
  return make('label', {}, 'What do you need?', select)
}

const group = (label: string, items: readonly HTMLElement[]): HTMLElement =>
  make('div', { class: 'grid', role: 'group', 'aria-label': label }, ...items)
