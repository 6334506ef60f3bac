// The booking widget: a script tag in a page of the key's origin shows a pro's open times and books one.
//   <script src="https://…/widget.js" data-key="hearth_live_…" data-pro="slug" async></script>
// Optional: data-service (id or slug), data-accent="#a83e17", data-scheme="light|dark|auto", data-radius="0…24" (pixels).

import { script, styles, theme } from './widget-style.js'
import { clockTime, dateAfter, dayName, lengthOf, make, money, timeZoneName } from './widget-text.js'

const base = new URL(script.src).origin
const { key, pro: slug, service: onlyService } = script.dataset
const DAYS = 14

const host = document.createElement('div')
const root = host.attachShadow({ mode: 'open' })
root.adoptedStyleSheets = [styles, theme]
const frame = make('section', { 'aria-label': 'Book a time' })
root.append(frame)
script.after(host)

/** The selection so far. A repeated request with the same `idempotencyKey` books once. */
const state = {
  pro: undefined,
  service: undefined,
  days: [],
  date: undefined,
  slots: [],
  /** Price, deposit and length. */
  terms: undefined,
  time: undefined,
  idempotencyKey: undefined,
  /** The first day that can be asked for: today, where the pro is. */
  today: undefined,
  next: undefined,
  /** What was typed, which survives the choice of another time. */
  typed: {},
}

void start()

async function start() {
  render(make('p', {}, 'Loading open times…'))
  await attempt(async () => {
    state.pro = await call(`/pros/${encodeURIComponent(slug)}`)
    const named = state.pro.services.find(({ id, slug: name }) => onlyService === id || onlyService === name)
    const service = named ?? offersOf(state.pro)[0]
    if (!service) return renderNotBookable('This pro does not take online bookings.', '')
    await chooseService(service)
  })
}

const offersOf = ({ services }) => services.filter(({ booking }) => booking.instantBookEnabled)

/** Shows the two weeks with the first open time of the service, from `from` on. */
async function chooseService(service, from) {
  state.service = service
  const next = await load(from)
  if (!next) return
  const date = state.next?.date ?? state.days[0].date
  if (!state.days.some((day) => day.date === date)) await load(date)
  chooseDate(date)
}

/** Reads the days from `from` on. Returns false when the service cannot be booked, and says why. */
async function load(from) {
  const query = new URLSearchParams({ serviceId: state.service.id, days: DAYS, ...(from && { date: from }) })
  const found = await call(`/pros/${state.pro.id}/availability?${query}`)
  const { availability, nextAvailable, timezone, service: terms } = found
  if (terms.obstacle) {
    renderNotBookable(terms.obstacle.detail, `?service=${state.service.id}`)
    return false
  }
  Object.assign(state, { days: availability, next: nextAvailable, timezone, terms })
  state.today ??= availability[0].date
  return true
}

/** Shows other two weeks, with their first open day chosen. */
async function turnTo(from) {
  if (!(await load(from))) return
  chooseDate((state.days.find((day) => openSlots(day).length > 0) ?? state.days[0]).date)
}

function chooseDate(date) {
  Object.assign(state, { date, slots: openSlots(state.days.find((day) => day.date === date)), time: undefined })
  renderPicker()
  focus('[aria-pressed=true]')
}

/** Moves the focus within the widget only: at first it stays where the visitor is in the page. */
let isInUse = false
function focus(selector) {
  if (isInUse) root.querySelector(selector)?.focus()
}
frame.addEventListener('pointerdown', () => (isInUse = true))
frame.addEventListener('keydown', () => (isInUse = true))

const openSlots = ({ slots }) => slots.filter(({ available }) => available)

function renderNotBookable(why, query) {
  const href = `${base}/pros/${encodeURIComponent(slug)}/quote${query}`
  const link = make('a', { href, target: '_blank', rel: 'noopener' }, 'Ask for a quote')
  render(title(), make('p', {}, why), make('p', {}, link))
}

function chooseTime(time) {
  Object.assign(state, { time, idempotencyKey: crypto.randomUUID() })
  renderPicker()
  focus('[name=name]')
}

function renderPicker() {
  const isOpen = state.days.some((day) => openSlots(day).length > 0)
  render(
    title(),
    onlyService || offersOf(state.pro).length === 1 ? make('p', {}, state.service.name) : serviceField(),
    termsBox(),
    pages(),
    grid(
      'Days',
      state.days.map((day) =>
        choice(dayName(day.date), day.date === state.date, () => chooseDate(day.date), openSlots(day).length === 0),
      ),
    ),
    isOpen
      ? grid(
          'Times',
          state.slots.map(({ start }) => choice(clockTime(start), start === state.time, () => chooseTime(start))),
        )
      : nothingOpen(),
    make('p', { class: 'quiet' }, `Times are in ${timeZoneName(state.timezone)}.`),
    state.time && form(),
  )
}

/** What a booking costs and means, before anything is chosen. */
function termsBox() {
  const { price, deposit, durationMinutes } = state.terms
  const { basePrice, min, max, unit } = price
  const lowest = basePrice ?? min ?? max
  const amount = min !== null && max !== null && min !== max ? `${money(min)} to ${money(max)}` : money(lowest)
  const per = unit === null ? '' : ` per ${unit.replaceAll('_', ' ').replace(/^per /, '')}`
  const terms = make('a', { href: `${base}/terms`, target: '_blank', rel: 'noopener' }, 'Booking terms')
  return make(
    'div',
    { class: 'terms' },
    lowest !== null && make('p', { class: 'price' }, `${amount}${per}`),
    make(
      'p',
      {},
      `Takes ${lengthOf(durationMinutes)}.`,
      deposit > 0 && ` ${money(deposit)} of it is due when you book.`,
    ),
    make('p', { class: 'quiet' }, 'Cancelling is free until 24 hours before the visit. ', terms),
  )
}

function pages() {
  const first = state.days[0].date
  const earlier = dateAfter(first, -DAYS)
  const isFirst = first <= state.today
  return make(
    'div',
    { class: 'pages' },
    choice('← Earlier', undefined, () => turnTo(earlier < state.today ? state.today : earlier), isFirst),
    choice(
      'Later →',
      undefined,
      () => turnTo(dateAfter(first, DAYS)),
      dateAfter(first, 2 * DAYS) > dateAfter(state.today, 364),
    ),
  )
}

function nothingOpen() {
  const next = state.next?.date
  const text = make('p', {}, 'There are no open times in these two weeks.')
  if (!next) return text
  return make(
    'div',
    {},
    text,
    make(
      'div',
      { class: 'pages' },
      choice(`Next open day: ${dayName(next)}`, undefined, () => turnTo(next)),
    ),
  )
}

function serviceField() {
  const select = make('select', {}, ...offersOf(state.pro).map(({ id, name }) => make('option', { value: id }, name)))
  select.value = state.service.id
  select.addEventListener(
    'change',
    () => void attempt(() => chooseService(offersOf(state.pro).find(({ id }) => id === select.value))),
  )
  return make('label', {}, 'What do you need?', select)
}

function form() {
  const needed = state.service.atCustomer ? { required: '' } : {}
  const element = make(
    'form',
    {},
    field('Your name', { name: 'name', autocomplete: 'name', required: '', maxlength: '200' }),
    field('E-mail address', { name: 'email', type: 'email', autocomplete: 'email', required: '', maxlength: '320' }),
    field('Phone', { name: 'phone', type: 'tel', autocomplete: 'tel', maxlength: '50', ...needed }),
    field('Street', { name: 'street', autocomplete: 'street-address', maxlength: '200', ...needed }),
    field('City', { name: 'city', autocomplete: 'address-level2', maxlength: '200', ...needed }),
    field('State', { name: 'state', autocomplete: 'address-level1', maxlength: '200', ...needed }),
    field('ZIP code', {
      name: 'zipCode',
      autocomplete: 'postal-code',
      inputmode: 'numeric',
      pattern: String.raw`\d{5}(-\d{4})?`,
      title: 'Five digits',
      ...needed,
    }),
    field('Notes for the pro', { name: 'description', maxlength: '5000' }),
    make('button', { class: 'main' }, `Book ${whenText()}`),
  )
  element.addEventListener('input', ({ target }) => (state.typed[target.name] = target.value))
  element.addEventListener('submit', (event) => {
    event.preventDefault()
    element.querySelector('button').disabled = true
    void attempt(() => book(Object.fromEntries(new FormData(element)))).finally(
      () => (element.querySelector('button').disabled = false),
    )
  })
  return element
}

async function book({ name, email, phone, description, ...place }) {
  const address = Object.fromEntries(Object.entries(place).filter(([, text]) => text.trim() !== ''))
  const customer = { name, email, ...(phone && { phone }) }
  const { pro, service, date, time, terms } = state
  const { booking, manageUrl, payment } = await call('/bookings', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': state.idempotencyKey },
    body: JSON.stringify({
      professionalId: pro.id,
      serviceId: service.id,
      date,
      time,
      duration: terms.durationMinutes,
      customer,
      ...(Object.keys(address).length > 0 && { address }),
      ...(description && { description }),
      source: 'web',
    }),
  })
  render(
    make(
      'h2',
      { tabindex: '-1' },
      payment ? 'One more step' : booking.status === 'confirmed' ? 'Booked' : 'Booking requested',
    ),
    make('p', {}, `${service.name} with ${pro.businessName}: ${whenText()} ${timeZoneName(state.timezone)}.`),
    payment &&
      make(
        'p',
        {},
        make(
          'a',
          { href: payment.payUrl, target: '_blank', rel: 'noopener' },
          `Pay ${money(payment.amount)} to confirm`,
        ),
      ),
    make(
      'p',
      {},
      `Your confirmation code is ${booking.confirmationCode}. `,
      manageUrl
        ? make('a', { href: manageUrl, target: '_blank', rel: 'noopener' }, 'See, move or cancel your booking')
        : 'We send you the link to move or cancel your booking by e-mail.',
    ),
  )
  frame.querySelector('h2').focus()
}

/** Runs an action and shows its error. If the chosen time is taken, shows the next open ones. */
async function attempt(action) {
  try {
    await action()
  } catch (problem) {
    if (problem.code === 'slot_unavailable') {
      await attempt(() => chooseService(state.service, problem.nextAvailable?.date ?? state.date))
      return frame.append(make('p', { class: 'bad', role: 'alert' }, 'This time was just taken. Choose another one.'))
    }
    if (problem.code === 'address_unproven') return renderCodeNeeded(problem.bookingUrl)
    const text =
      problem.errors?.map(({ path, message }) => `${path.split('.').pop()} ${message}`).join(', ') ?? problem.detail
    frame.querySelectorAll('[role=alert]').forEach((old) => old.remove())
    frame.append(make('p', { class: 'bad', role: 'alert' }, text ?? blockedText()))
    const href = `${base}/pros/${encodeURIComponent(slug)}`
    if (!state.time)
      frame.append(make('p', {}, make('a', { href, target: '_blank', rel: 'noopener' }, 'See open times on Hearth')))
  }
}

/** The page sends the code and keeps the chosen time; what was typed here stays, too. */
function renderCodeNeeded(href) {
  frame.querySelectorAll('[role=alert]').forEach((old) => old.remove())
  frame.append(
    make(
      'p',
      { class: 'bad', role: 'alert' },
      'This booking needs a code that is sent to your e-mail address. ',
      make('a', { href, target: '_blank', rel: 'noopener' }, 'Book this time on Hearth'),
    ),
  )
  focus('[role=alert] a')
}

/** Browsers do not tell a script why they block a response. */
const blockedText = () =>
  `Online booking is not available right now. If you own this page: lock the widget's key to ${location.origin}.`

async function call(path, { headers, ...init } = {}) {
  const response = await fetch(`${base}/api/v1${path}`, {
    ...init,
    headers: { authorization: `Bearer ${key}`, ...headers },
  })
  const body = await response.json()
  if (!response.ok) throw body
  return body
}

const title = () => make('h2', { tabindex: '-1' }, `Book ${state.pro.businessName}`)
const grid = (label, items) => make('div', { class: 'grid', role: 'group', 'aria-label': label }, ...items)
const field = (label, attributes) =>
  make(
    'label',
    {},
    label,
    attributes.required === undefined && make('span', {}, ' optional'),
    make('input', { ...attributes, value: state.typed[attributes.name] ?? '' }),
  )

function choice(label, isChosen, choose, disabled = false) {
  const button = make(
    'button',
    { type: 'button', ...(isChosen !== undefined && { 'aria-pressed': String(isChosen) }) },
    label,
  )
  button.disabled = disabled
  button.addEventListener('click', () => void attempt(async () => await choose()))
  return button
}

/** "Tuesday, June 2, 2:15 PM". */
function whenText() {
  const day = new Date(state.date).toLocaleDateString('en-US', {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    timeZone: 'UTC',
  })
  return `${day}, ${clockTime(state.time)}`
}

function render(...content) {
  frame.replaceChildren(...content.filter(Boolean))
}
