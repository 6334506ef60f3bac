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
  /** Price, deposit and length. */
  terms: undefined,
  time: undefined,
  idempotencyKey: undefined,
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

/** Shows the first day with an open time for the service, from `from` on. */
async function chooseService(service, from) {
  state.service = service
  const query = new URLSearchParams({ serviceId: service.id, days: 14, ...(from && { date: from }) })
  const {
    availability,
    nextAvailable,
    timezone,
    service: terms,
  } = await call(`/pros/${state.pro.id}/availability?${query}`)
  if (terms.obstacle) return renderNotBookable(terms.obstacle.detail, `?service=${service.id}`)
  const date = nextAvailable?.date ?? availability[0].date
  if (!availability.some((day) => day.date === date)) return await chooseService(service, date)
  Object.assign(state, { days: availability, timezone, terms })
  chooseDate(date)
}

function chooseDate(date) {
  Object.assign(state, { date, slots: openSlots(state.days.find((day) => day.date === date)), time: undefined })
  renderPicker()
}

const openSlots = ({ slots }) => slots.filter(({ available }) => available)

function renderNotBookable(why, query) {
  const href = `${base}/pros/${encodeURIComponent(slug)}/quote${query}`
  const link = make('a', { href, target: '_blank', rel: 'noopener' }, 'Ask for a quote')
  render(title(), make('p', {}, why), make('p', {}, link))
}

function chooseTime(time) {
  Object.assign(state, { time, idempotencyKey: crypto.randomUUID() })
  renderPicker()
  root.querySelector('[name=name]').focus()
}

function renderPicker() {
  render(
    title(),
    onlyService || offersOf(state.pro).length === 1 ? make('p', {}, state.service.name) : serviceField(),
    grid(
      'Days',
      state.days.map((day) =>
        choice(dayName(day.date), day.date === state.date, () => chooseDate(day.date), openSlots(day).length === 0),
      ),
    ),
    state.slots.length > 0
      ? grid(
          'Times',
          state.slots.map(({ start }) => choice(clockTime(start), start === state.time, () => chooseTime(start))),
        )
      : make('p', {}, 'There are no open times on this day.'),
    make('p', { class: 'quiet' }, `${termsText(state.terms)} Times are in ${timeZoneName(state.timezone)}.`),
    state.time && form(),
  )
}

/** "$80 to $160. 90 minutes. Deposit: $16.00." */
function termsText({ price: { basePrice, min, max, unit }, deposit, durationMinutes }) {
  const lowest = basePrice ?? min ?? max
  const amount = min !== null && max !== null && min !== max ? `${money(min)} to ${money(max)}` : money(lowest)
  const per = unit === null ? '' : ` per ${unit.replaceAll('_', ' ').replace(/^per /, '')}`
  return [
    lowest !== null && `${amount}${per}.`,
    `${durationMinutes} minutes.`,
    deposit > 0 && `Deposit: ${money(deposit)}.`,
  ]
    .filter(Boolean)
    .join(' ')
}

const money = (amount) => new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(amount)

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
      `Your confirmation code is ${booking.confirmationCode}. `,
      make('a', { href: manageUrl, target: '_blank', rel: 'noopener' }, 'See, move or cancel your booking'),
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
