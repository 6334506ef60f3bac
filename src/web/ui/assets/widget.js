// The booking widget: one script tag in any page of the key's origin shows the open times of a pro and books one.
//   <script src="https://…/widget.js" data-key="hearth_live_…" data-pro="slug" async></script>
// It lives in a shadow root, so that the page's styles and its own leave each other alone.

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
  .grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(5.6rem, 1fr)); gap: .4rem; margin: 0 0 1rem; }
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

/** What was chosen so far. `once` makes a repeated request for the same booking harmless. */
const state = {
  pro: undefined,
  service: undefined,
  from: undefined,
  days: [],
  date: undefined,
  slots: [],
  time: undefined,
  once: undefined,
}

void start()

async function start() {
  show(make('p', {}, 'Looking for open times…'))
  await attempt(async () => {
    state.pro = await call(`/pros/${encodeURIComponent(slug)}`)
    const offers = offersOf(state.pro)
    if (offers.length === 0) return show(title(), make('p', {}, 'This pro takes no bookings online.'))
    await chooseService(offers.find(({ id, slug: name }) => onlyService === id || onlyService === name) ?? offers[0])
  })
}

const offersOf = ({ services, booking }) =>
  services.filter((one) => booking.instantBookingEnabled && one.booking.instantBookEnabled)

async function chooseService(service) {
  state.service = service
  const { availability, nextAvailable, timezone } = await call(`/pros/${state.pro.id}/availability?days=14`)
  Object.assign(state, { days: availability, timezone })
  await chooseDate(nextAvailable?.date ?? availability[0]?.date, true)
}

/** The service may take longer than the gap that is open first: then the first day on which it fits. */
async function chooseDate(date, orLater = false) {
  const query = new URLSearchParams({ professionalId: state.pro.id, serviceId: state.service.id, date })
  const { slots, durationMinutes, nextAvailable } = await call(`/availability/query?${query}`)
  if (orLater && nextAvailable && !slots.some(({ available }) => available)) return await chooseDate(nextAvailable.date)
  Object.assign(state, { date, durationMinutes, slots: slots.filter(({ available }) => available), time: undefined })
  picker()
}

function chooseTime(time) {
  Object.assign(state, { time, once: crypto.randomUUID() })
  picker()
  root.querySelector('[name=name]').focus()
}

function picker(problem) {
  const days = [...new Set([state.date, ...state.days.map(({ date }) => date)])].sort((a, b) => (a < b ? -1 : 1))
  const isOpen = (date) =>
    date === state.date || state.days.some((day) => day.date === date && day.slots.some(({ available }) => available))
  show(
    title(),
    onlyService || offersOf(state.pro).length === 1 ? make('p', {}, state.service.name) : serviceField(),
    grid(
      'Days',
      days.map((date) => choice(dayName(date), date === state.date, () => chooseDate(date), !isOpen(date))),
    ),
    state.slots.length > 0
      ? grid(
          'Times',
          state.slots.map(({ start }) => choice(start, start === state.time, () => chooseTime(start))),
        )
      : make('p', {}, 'Nothing is open on this day.'),
    make(
      'p',
      { class: 'quiet' },
      `${state.durationMinutes} minutes, on the clock of ${state.timezone.replaceAll('_', ' ')}.`,
    ),
    state.time && form(),
    problem && make('p', { class: 'bad', role: 'alert' }, problem),
  )
}

function serviceField() {
  const select = make('select', {}, ...offersOf(state.pro).map(({ id, name }) => make('option', { value: id }, name)))
  select.value = state.service.id
  select.addEventListener(
    'change',
    () => void attempt(() => chooseService(offersOf(state.pro).find(({ id }) => id === select.value))),
  )
  return make('label', {}, 'What is to be done', select)
}

function form() {
  const it = make(
    'form',
    {},
    field('Your name', { name: 'name', autocomplete: 'name', required: '', maxlength: '200' }),
    field('E-mail address', { name: 'email', type: 'email', autocomplete: 'email', required: '', maxlength: '320' }),
    field('Phone', { name: 'phone', type: 'tel', autocomplete: 'tel', maxlength: '50' }),
    field('What should the pro know?', { name: 'description', maxlength: '5000' }),
    make('button', { class: 'main' }, `Book ${dayName(state.date)} at ${state.time}`),
  )
  it.addEventListener('submit', (event) => {
    event.preventDefault()
    it.querySelector('button').disabled = true
    void attempt(() => book(Object.fromEntries(new FormData(it)))).finally(
      () => (it.querySelector('button').disabled = false),
    )
  })
  return it
}

async function book({ name, email, phone, description }) {
  const customer = { name, email, ...(phone && { phone }) }
  const { pro, service, date, time, durationMinutes } = state
  const { booking, payment } = await call('/bookings', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': state.once },
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
  show(
    make('h2', { tabindex: '-1' }, payment ? 'One step left' : booking.status === 'confirmed' ? 'Booked' : 'Asked for'),
    make('p', {}, `${service.name} with ${pro.businessName}, ${dayName(date)} at ${time}.`),
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

/** A taken time is answered with the next ones; anything else is said where the person is. */
async function attempt(work) {
  try {
    await work()
  } catch (problem) {
    if (problem.code === 'slot_unavailable') {
      await attempt(() => chooseDate(problem.nextAvailable?.date ?? state.date))
      return frame.append(make('p', { class: 'bad', role: 'alert' }, 'Somebody was quicker. Choose another time.'))
    }
    const said =
      problem.errors?.map(({ path, message }) => `${path.split('.').pop()} ${message}`).join(', ') ?? problem.detail
    frame.querySelectorAll('[role=alert]').forEach((old) => old.remove())
    frame.append(make('p', { class: 'bad', role: 'alert' }, said ?? blocked()))
  }
}

/** Browsers hide why an answer may not be read. */
const blocked = () =>
  `Bookings cannot be made here right now. If this page is yours: the widget's key must be locked to ${location.origin}.`

async function call(path, { headers, ...init } = {}) {
  const answer = await fetch(`${base}/api/v1${path}`, {
    ...init,
    headers: { authorization: `Bearer ${key}`, ...headers },
  })
  const body = await answer.json()
  if (!answer.ok) throw body
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

const DAY = new Intl.DateTimeFormat(undefined, { weekday: 'short', month: 'short', day: 'numeric', timeZone: 'UTC' })
function dayName(date) {
  return DAY.format(new Date(date))
}

function show(...content) {
  frame.replaceChildren(...content.filter(Boolean))
}

/** Text is text, whatever it says: nothing here reads HTML. */
function make(name, attributes, ...content) {
  const element = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value)
  element.append(...content.filter((one) => one !== undefined && one !== false && one !== ''))
  return element
}
