// What the widget shows to choose from: services, days, times, and what a booking costs.
import { type Availability, type Day, type Pro, type Service, type Terms, base, onlyService } from './widget-api.ts'
import { cancellingText } from '../../../../platform/text/cancelling.ts'
import { priceOf, shortMoney } from '../../../../platform/text/price.ts'
import { clockTime, dateAfter, dayName, lengthOf, linkTo, make } from './widget-text.ts'

/** The days of one page. */
export const DAYS = 14
/** How far ahead people book. */
const MAX_DAYS_AHEAD = 364

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
  /** Shows the days from a date on. */
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
  const choice = (label: string, { isChosen, isDisabled = false, choose }: Choice) => {
    const pressed: Record<string, string> = isChosen === undefined ? {} : { 'aria-pressed': String(isChosen) }
    const button = make('button', { type: 'button', ...pressed }, label)
    button.disabled = isDisabled
    button.addEventListener('click', () => void attempt(choose))
    return button
  }
  return [
    onlyService || offersOf(pro).length === 1 ? make('p', {}, service.name) : serviceField(selection, actions, attempt),
    termsBox(found.service),
    pageButtons(selection, actions, choice),
    group(
      'Days',
      days.map((day) =>
        choice(dayName(day.date), {
          isChosen: day.date === date,
          isDisabled: openSlots(day).length === 0,
          choose: () => actions.chooseDate(day.date),
        }),
      ),
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

function pageButtons({ found, today }: Selection, { turnTo }: PickerActions, choice: ChoiceButton): HTMLElement {
  const first = found.availability[0]?.date ?? today
  const earlier = dateAfter(first, -DAYS)
  const isLast = dateAfter(first, 2 * DAYS) > dateAfter(today, MAX_DAYS_AHEAD)
  return make(
    'div',
    { class: 'pages' },
    choice('← Earlier', { isDisabled: first <= today, choose: () => turnTo(earlier < today ? today : earlier) }),
    choice('Later →', { isDisabled: isLast, choose: () => turnTo(dateAfter(first, DAYS)) }),
  )
}

function nothingOpen({ nextAvailable }: Availability, { turnTo }: PickerActions, choice: ChoiceButton): HTMLElement {
  const text = make('p', {}, 'There are no open times in these two weeks.')
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
