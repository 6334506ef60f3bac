// The booking widget: a script tag in a page of the key's origin shows a pro's open times and books one.
//   <script src="https://…/widget.js" data-key="hearth_live_…" data-pro="slug" async></script>
// A shadow root separates its styles from the page's.

const script = document.currentScript
const base = new URL(script.src).origin
const { key, pro: slug, service: onlyService } = script.dataset

const styles = new CSSStyleSheet()
styles.replaceSync(`
  :host { all: initial; display: block; max-width: 34rem; color-scheme: light dark;
    --ink: light-dark(#26211d, #ece6e0); --paper: light-dark(#fffdfb, #1a1715); --line: light-dark(#94877b, #7d7268);
    --accent: light-dark(#a83e17, #f0976c); --quiet: light-dark(#655c55, #aaa097); --bad: light-dark(#a3202f, #f28b94); }
  * { box-sizing: border-box; font: inherit; color: inherit; }
  section { padding: 1.1rem; border: 1px solid var(--line); border-radius: 10px; background: var(--paper); color: var(--ink);
    font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; overflow-wrap: break-word; }
  h2 { margin: 0 0 .5rem; font-size: 1.15rem; font-weight: 650; } p { margin: 0 0 .75rem; }
  label { display: block; margin: 0 0 .75rem; font-weight: 600; } label span { font-weight: 400; color: var(--quiet); }
  input, select, textarea, button { width: 100%; padding: .5rem .65rem; border: 1px solid var(--line); border-radius: 8px;
    background: var(--paper); font-weight: 400; }
  .grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(6.2rem, 1fr)); gap: .4rem; margin: 0 0 1rem; }
  button { cursor: pointer; } button:disabled { cursor: default; opacity: .55; }
  button[aria-pressed=true], button.main { background: var(--accent); border-color: var(--accent); color: var(--paper); font-weight: 600; }
  a { color: var(--accent); } .quiet { color: var(--quiet); font-size: .9rem; } .bad { color: var(--bad); }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }`)

const host = document.createElement('div')
const root = host.attachShadow({ mode: 'open' })
root.adoptedStyleSheets = [styles]
const frame = make('section', { 'aria-label': 'Book a time' })
root.append(frame)
script.after(host)

/** The selection so far. A repeated request with the same `idempotencyKey` books once. */
const state = {
  pro: undefined,
  service: undefined,
  from: undefined,
  days: [],
  date: undefined,
  slots: [],
  time: undefined,
  idempotencyKey: undefined,
}

void start()

async function start() {
  render(make('p', {}, 'Loading open times…'))
  await attempt(async () => {
    state.pro = await call(`/pros/${encodeURIComponent(slug)}`)
    const offers = offersOf(state.pro)
    if (offers.length === 0) return render(title(), make('p', {}, 'This pro does not take online bookings.'))
    await chooseService(offers.find(({ id, slug: name }) => onlyService === id || onlyService === name) ?? offers[0])
  })
}

const offersOf = ({ services, booking }) =>
  services.filter((service) => booking.instantBookingEnabled && service.booking.instantBookEnabled)

async function chooseService(service) {
  state.service = service
  const { availability, nextAvailable, timezone } = await call(`/pros/${state.pro.id}/availability?days=14`)
  Object.assign(state, { days: availability, timezone })
  await chooseDate(nextAvailable?.date ?? availability[0]?.date, true)
}

/** Shows the open times of a day. With `orLater`, shows the next day with a time long enough for the service. */
async function chooseDate(date, orLater = false) {
  const query = new URLSearchParams({ professionalId: state.pro.id, serviceId: state.service.id, date })
  const { slots, durationMinutes, nextAvailable } = await call(`/availability/query?${query}`)
  if (orLater && nextAvailable && !slots.some(({ available }) => available)) return await chooseDate(nextAvailable.date)
  Object.assign(state, { date, durationMinutes, slots: slots.filter(({ available }) => available), time: undefined })
  renderPicker()
}

function chooseTime(time) {
  Object.assign(state, { time, idempotencyKey: crypto.randomUUID() })
  renderPicker()
  root.querySelector('[name=name]').focus()
}

function renderPicker() {
  const days = [...new Set([state.date, ...state.days.map(({ date }) => date)])].sort((a, b) => (a < b ? -1 : 1))
  const isOpen = (date) =>
    date === state.date || state.days.some((day) => day.date === date && day.slots.some(({ available }) => available))
  render(
    title(),
    onlyService || offersOf(state.pro).length === 1 ? make('p', {}, state.service.name) : serviceField(),
    grid(
      'Days',
      days.map((date) => choice(dayName(date), date === state.date, () => chooseDate(date), !isOpen(date))),
    ),
    state.slots.length > 0
      ? grid(
          'Times',
          state.slots.map(({ start }) => choice(clockTime(start), start === state.time, () => chooseTime(start))),
        )
      : make('p', {}, 'There are no open times on this day.'),
    make('p', { class: 'quiet' }, `${state.durationMinutes} minutes. Times are in ${timeZoneName(state.timezone)}.`),
    state.time && form(),
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
  const element = make(
    'form',
    {},
    field('Your name', { name: 'name', autocomplete: 'name', required: '', maxlength: '200' }),
    field('E-mail address', { name: 'email', type: 'email', autocomplete: 'email', required: '', maxlength: '320' }),
    field('Phone', { name: 'phone', type: 'tel', autocomplete: 'tel', maxlength: '50' }),
    field('Notes for the pro', { name: 'description', maxlength: '5000' }),
    make('button', { class: 'main' }, `Book ${clockTime(state.time)}, ${dayName(state.date)}`),
  )
  element.addEventListener('submit', (event) => {
    event.preventDefault()
    element.querySelector('button').disabled = true
    void attempt(() => book(Object.fromEntries(new FormData(element)))).finally(
      () => (element.querySelector('button').disabled = false),
    )
  })
  return element
}

async function book({ name, email, phone, description }) {
  const customer = { name, email, ...(phone && { phone }) }
  const { pro, service, date, time, durationMinutes } = state
  const { booking, payment } = await call('/bookings', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': state.idempotencyKey },
    body: JSON.stringify({
      professionalId: pro.id,
      serviceId: service.id,
      date,
      time,
      duration: durationMinutes,
      customer,
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
    make('p', {}, `${service.name} with ${pro.businessName}: ${clockTime(time)}, ${dayName(date)}.`),
    payment &&
      make(
        'p',
        {},
        make(
          'a',
          { href: payment.payUrl, target: '_blank', rel: 'noopener' },
          `Pay ${payment.amount} ${payment.currency} to confirm`,
        ),
      ),
    make(
      'p',
      {},
      'Your confirmation code is ',
      make(
        'a',
        { href: `${base}/bookings/${booking.confirmationCode}`, target: '_blank', rel: 'noopener' },
        booking.confirmationCode,
      ),
      '.',
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
      await attempt(() => chooseDate(problem.nextAvailable?.date ?? state.date))
      return frame.append(make('p', { class: 'bad', role: 'alert' }, 'This time was just taken. Choose another one.'))
    }
    const text =
      problem.errors?.map(({ path, message }) => `${path.split('.').pop()} ${message}`).join(', ') ?? problem.detail
    frame.querySelectorAll('[role=alert]').forEach((old) => old.remove())
    frame.append(make('p', { class: 'bad', role: 'alert' }, text ?? blockedText()))
  }
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
    make('input', attributes),
  )

function choice(label, isChosen, choose, disabled = false) {
  const button = make('button', { type: 'button', 'aria-pressed': String(isChosen) }, label)
  button.disabled = disabled
  button.addEventListener('click', () => void attempt(async () => await choose()))
  return button
}

const DAY = new Intl.DateTimeFormat('en-US', { weekday: 'short', month: 'short', day: 'numeric', timeZone: 'UTC' })
function dayName(date) {
  return DAY.format(new Date(date))
}

/** "2:15 PM", from "14:15". */
function clockTime(time) {
  const [hours, minutes] = time.split(':')
  return `${hours % 12 || 12}:${minutes} ${hours < 12 ? 'AM' : 'PM'}`
}

/** "Central Time", from "America/Chicago". */
function timeZoneName(timeZone) {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longGeneric' }).formatToParts()
  return parts.find(({ type }) => type === 'timeZoneName').value
}

function render(...content) {
  frame.replaceChildren(...content.filter(Boolean))
}

/** Creates an element. Content is text, never parsed as HTML. */
function make(name, attributes, ...content) {
  const element = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value)
  element.append(...content.filter((child) => child !== undefined && child !== false && child !== ''))
  return element
}
