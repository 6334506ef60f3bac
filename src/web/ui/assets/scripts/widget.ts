// The booking widget: a script tag in a page of the key's origin shows a pro's open times and books one.
//   <script src="https://…/widget.js" data-key="hearth_live_…" data-pro="slug" async></script>
// Optional: data-service (id or slug), data-accent="#a83e17", data-scheme="light|dark|auto", data-radius="0…24" (pixels).
import {
  type Availability,
  type Booked,
  type Pro,
  RefusedCall,
  type Service,
  base,
  call,
  onlyService,
  slug,
} from './widget-api.ts'
import { type FormTexts, bookingForm } from './widget-form.ts'
import { focusOn, render, renderError, renderNews, renderProblem, shownFirst, titleOf } from './widget-frame.ts'
import { type Selection, lastBookable, offersOf, openSlots, pickerOf } from './widget-picker.ts'
import { shortMoney } from '../../../../platform/text/price.ts'
import { dateAfter, lengthOf, linkTo, make, minutesBetween, monthStart, whenText } from './widget-text.ts'

void start()

async function start(): Promise<void> {
  render(make('p', {}, 'Loading open times…'))
  await attempt(async () => {
    const pro = await call<Pro>(`/pros/${slug}`)
    const named = pro.services.find(({ id, slug: name }) => onlyService === id || onlyService === name)
    const service = named ?? offersOf(pro)[0]
    if (!service) return renderNotBookable(pro, 'This pro does not take online bookings.', '')
    await chooseService({ pro, service })
  })
}

/** A pro and a service; `today` is known after the first look at the days. */
type Offer = Pick<Selection, 'pro' | 'service'> & { today?: string }

/** Shows the month with the first open time of the service, from `from` on. */
async function chooseService(offer: Offer, from?: string): Promise<void> {
  const found = await load(offer, from)
  if (!found) return
  const today = offer.today ?? found.availability[0]?.date ?? ''
  const date = openDayIn(found, from) ?? found.nextAvailable?.date ?? today
  const shown = monthStart(date) === monthStart(from ?? today) ? found : await load({ ...offer, today }, date)
  if (shown) showDate({ ...offer, today, found: shown, date })
}

const openDayIn = ({ availability }: Availability, from = ''): string | undefined =>
  availability.find((day) => day.date >= from && openSlots(day).length > 0)?.date

/** The most days that one call lists. */
const DAYS = 14

/**
 * Reads the days of a month that can be booked: that of `date`, or the pro's present one. Returns undefined when the service cannot
 * be booked, and says why; and when something else was chosen meanwhile, which a late answer must not replace.
 */
async function load(offer: Offer, date?: string): Promise<Availability | undefined> {
  const { pro, service, today } = offer
  const shown = shownFirst()
  const month = date && monthStart(date)
  const start = month && today && month < today ? today : month
  const found = await read(offer, start)
  const { obstacle } = found.service
  if (shownFirst() !== shown) return undefined
  if (obstacle) {
    renderNotBookable(pro, obstacle.detail, `?service=${service.id}`)
    return undefined
  }
  const first = found.availability[0]?.date ?? start ?? ''
  const [last = ''] = [dateAfter(monthStart(first, 1), -1), lastBookable(today ?? first)].sort()
  const rest: Promise<Availability>[] = []
  for (let from = dateAfter(first, DAYS); from <= last; from = dateAfter(from, DAYS)) rest.push(read(offer, from))
  const days = [found, ...(await Promise.all(rest))].flatMap(({ availability }) => availability)
  if (shownFirst() !== shown) return undefined
  return { ...found, availability: days.filter((day) => day.date <= last) }
}

async function read({ pro, service }: Offer, from: string | undefined): Promise<Availability> {
  const query = new URLSearchParams({ serviceId: service.id, days: String(DAYS), ...(from && { date: from }) })
  return await call<Availability>(`/pros/${pro.id}/availability?${query}`)
}

/** Shows another month, with its first open day chosen. */
async function turnTo(selection: Selection, from: string): Promise<void> {
  const found = await load(selection, from)
  if (found) showDate({ ...selection, found, date: openDayIn(found) ?? found.availability[0]?.date ?? from })
}

function showDate(selection: Selection): void {
  renderPicker({ ...selection, chosen: undefined })
  focusOn('[aria-pressed=true]')
}

function showTime(selection: Selection, time: string): void {
  renderPicker({ ...selection, chosen: { time, idempotencyKey: crypto.randomUUID() } })
  focusOn('[name=name]')
}

function renderPicker(selection: Selection): void {
  const { pro, service, today, date, chosen } = selection
  const attemptHere = (action: () => unknown) => attempt(action, selection)
  const actions = {
    chooseService: (other: Service) => chooseService({ pro, service: other, today }),
    chooseDate: (other: string) => showDate({ ...selection, date: other }),
    chooseTime: (time: string) => showTime(selection, time),
    turnTo: (from: string) => turnTo(selection, from),
  }
  const form = chosen && {
    label: `Book ${whenText(date, chosen.time)}`,
    atCustomer: service.atCustomer,
    send: (texts: FormTexts) => attemptHere(() => book({ ...selection, chosen }, texts)),
  }
  render(titleOf(`Book ${pro.businessName}`), ...pickerOf(selection, actions, attemptHere), form && bookingForm(form))
}

function renderNotBookable({ businessName }: Pro, why: string, query: string): void {
  const link = linkTo(`${base}/pros/${slug}/quote${query}`, 'Ask for a quote')
  render(titleOf(`Book ${businessName}`), make('p', {}, why), make('p', {}, link))
}

async function book(selection: Required<Selection>, texts: FormTexts): Promise<void> {
  const { pro, service, date, found, chosen } = selection
  const { name, email, phone, description, ...place } = texts
  const address = Object.fromEntries(Object.entries(place).filter(([, text]) => text.trim()))
  const { booking, manageUrl, payment } = await call<Booked>('/bookings', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': chosen.idempotencyKey },
    body: JSON.stringify({
      professionalId: pro.id,
      serviceId: service.id,
      date,
      time: chosen.time,
      duration: found.service.durationMinutes,
      customer: { name, email, ...(phone && { phone }) },
      ...(Object.keys(address).length > 0 && { address }),
      ...(description && { description }),
      onlyInServiceArea: true,
      source: 'web',
    }),
  })
  const when = `${whenText(date, chosen.time)} ${found.timeZoneName}`
  renderNews(
    payment ? 'One more step' : booking.status === 'confirmed' ? 'Booked' : 'Booking requested',
    make('p', {}, `${service.name} with ${pro.businessName}: ${when}.`),
    payment &&
      make(
        'p',
        {},
        linkTo(payment.payUrl, `Pay ${shortMoney(payment.amount)} to confirm`),
        `: the time is held for ${lengthOf(minutesBetween(booking.createdAt, payment.expiresAt))}.`,
      ),
    make(
      'p',
      {},
      `Your confirmation code is ${booking.confirmationCode}. `,
      manageUrl
        ? linkTo(manageUrl, 'See, move or cancel your booking')
        : 'The link to move or cancel it comes by e-mail.',
    ),
  )
}

/** Runs an action and shows its error. If the chosen time is taken, shows the next open ones. */
async function attempt(action: () => unknown, selection?: Selection): Promise<void> {
  try {
    await action()
  } catch (error) {
    const { code, nextAvailable, bookingUrl } = error instanceof RefusedCall ? error.problem : {}
    if (code === 'slot_unavailable' && selection) {
      await attempt(() => chooseService(selection, nextAvailable?.date ?? selection.date), selection)
      return renderProblem('This time was just taken. Choose another one.')
    }
    if (code === 'address_unproven' && bookingUrl) return renderCodeNeeded(bookingUrl)
    renderError(error, { withLink: !selection?.chosen })
  }
}

/** The page sends the code and keeps the chosen time; what was typed here stays, too. */
function renderCodeNeeded(href: string): void {
  renderProblem(
    'This booking needs a code that is sent to your e-mail address. ',
    linkTo(href, 'Book this time on our page'),
  )
  focusOn('[role=alert] a')
}
