// The page of a customer's booking. Only a manage link and the signed-in customer are shown buttons.
import { cancellationPolicyOf } from '../../../features/booking/bookings/rules/cancellation.ts'
import { heldFor } from '../../../features/booking/bookings/rules/holds.ts'
import type { Booking } from '../../../features/booking/bookings/schemas.ts'
import type { CustomerTerms } from '../../../features/booking/bookings/verbs/customer-actions.ts'
import {
  addressText,
  bookingBalanceText,
  bookingPaymentText,
  cancellationText,
} from '../../../features/booking/bookings/texts.ts'
import { zoneName } from '../../../platform/clock/zones.ts'
import {
  datedVisitTime,
  duration,
  localDateTime,
  priceOf,
  shortMoney,
  visitTime,
} from '../../../platform/text/format.ts'
import { type FormState, problemBox } from '../../ui/forms.ts'
import { type Html, html } from '../../../platform/text/html.ts'
import { phoneLink } from '../../ui/links.ts'
import type { Page } from '../../ui/layout.ts'
import { type Tone, badge, backLink, detailList } from '../../ui/parts.ts'

export interface MyBooking {
  booking: Booking
  now: Date
  /** Set for the holder of the manage link and the signed-in customer. */
  manage?: Management
}

export interface Management {
  path: string
  /** In each form. */
  csrf?: Html | undefined
  /** Everyone who has the page's URL can change the booking. */
  isLink: boolean
  terms: CustomerTerms
  /** The page on which what is due can be paid. */
  payPath: string | undefined
  /** The customer has just moved it. */
  wasRescheduled: boolean
  /** Of an answer to the proposed time that was refused. */
  formState: FormState
}

export const myBookingPage = ({ booking, now, manage }: MyBooking): Page => {
  const title =
    booking.holdExpiresAt === null ? HEADINGS[booking.status][0] : 'Your booking is waiting for your payment'
  return {
    title: 'Your booking',
    description: 'The details of your booking.',
    styles: ['booking.css'],
    scripts: ['print.js'],
    content: html`
      ${manage?.wasRescheduled && rescheduledNotice(whenText(booking, manage))}
      ${manage && !manage.isLink && backLink('My bookings', '/my')}
      <h1>${title}</h1>
      <section class="summary">
        <p class="when">${whenText(booking, manage)}, ${duration(booking.durationMinutes)}</p>
        <p class="quiet">
          ${booking.package?.name ?? booking.service.name} with ${booking.professional.businessName},
          ${booking.professional.location}
        </p>
        <p>${statusBadge(booking)} <span class="quiet">${whatNext(booking)}</span></p>
        ${manage && problemBox(manage.formState)} ${manage && mainAction(booking, manage, now)}
      </section>
      ${manage && booking.proposedTime?.declinedAt === null && proposal(booking, booking.proposedTime, manage)}
      ${detailList([
        ['Confirmation code', html`<code>${booking.confirmationCode}</code>`],
        ['Cancelled', cancellationText(booking, 'customer')],
        ['Service', booking.service.name],
        ['Package', booking.package?.name],
        ['Includes', booking.package && booking.package.includes.length > 0 && booking.package.includes.join(', ')],
        ['Price', priceOf(booking.price)],
        ['Payment', bookingPaymentText(booking)],
        ['Paid and due', bookingBalanceText(booking)],
        [
          'Quote',
          manage?.terms.quoteUrl !== undefined &&
            html`<a href="${manage.terms.quoteUrl}">The quote that you accepted</a>`,
        ],
        ['When', datedText(booking, manage)],
        ['Duration', duration(booking.durationMinutes)],
        ['Pro', `${booking.professional.businessName}, ${booking.professional.location}`],
        ['Phone', booking.professional.phone !== null && phoneLink(booking.professional.phone)],
        ['Address', manage && addressText(booking.address)],
        ['Notes', booking.description],
      ])}
      ${moreActions(booking, manage)}
      <p class="hint">
        ${
          manage
            ? manage.isLink && 'Keep the link to this page private: anyone who has it can move and cancel the booking. '
            : isOpen(booking) &&
              html`To move, pay or cancel the booking, open the link that you received when you booked, or
                <a href="/my">sign in</a>. `
        }
        ${isOpen(booking) && cancellationPolicyOf(booking)}
      </p>
    `,
  }
}

const rescheduledNotice = (when: string): Html =>
  html`<p class="notice good" role="status">Your booking was moved to <strong>${when}</strong>.</p>`

/** With the zone where it is known. */
const whenText = ({ scheduledDate, scheduledTime }: Booking, manage: Management | undefined): string =>
  manage ? localDateTime(manage.terms.startsAt, manage.terms.timeZone) : visitTime(scheduledDate, scheduledTime)

const datedText = ({ scheduledDate, scheduledTime }: Booking, manage: Management | undefined): string =>
  `${datedVisitTime(scheduledDate, scheduledTime)}${manage ? ` ${zoneName(manage.terms.timeZone)}` : ''}`

/** What happens next, in one sentence. */
function whatNext({ status, holdExpiresAt, professional: { businessName }, payment }: Booking): string | false {
  if (holdExpiresAt !== null) return 'It is confirmed when you pay.'
  if (status === 'pending') return `${businessName} will confirm it. You get a message then.`
  if (status === 'confirmed') return `${businessName} comes at this time.`
  if (status === 'cancelled' && payment?.refund) return REFUND_TEXTS[payment.refund.status]
  return false
}

const REFUND_TEXTS = {
  pending: 'Your money is on its way back, which takes some days.',
  done: 'Your money went back. Your bank may take some days to show it.',
  failed: 'Your bank did not take your money back. We are returning it in another way.',
} as const

/** The action that a customer most likely came for. */
function mainAction(
  { status, holdExpiresAt, balance, professional }: Booking,
  it: Management,
  now: Date,
): Html | false {
  if (holdExpiresAt !== null && it.payPath !== undefined)
    return html`<p class="actions">
        <a class="button" href="${it.payPath}">Pay ${shortMoney(balance.dueNow, balance.currency)} now</a>
      </p>
      <p class="hint">${heldText(holdExpiresAt, now)}</p>`
  if (status === 'completed')
    return html`<p class="actions">
      <a class="button" href="${it.path}/review">Review ${professional.businessName}</a>
    </p>`
  return (status === 'cancelled' || status === 'no_show') && bookAgain(it, '')
}

/** An unpaid hold, without a zone: it ends within minutes. */
const heldText = (until: string, now: Date): Html =>
  html`Your time is held for another <time datetime="${until}">${heldFor(until, now)}</time>.`

const bookAgain = ({ path, csrf }: Management, look: string): Html =>
  html`<form method="post" action="${path}/again">
    ${csrf}
    <button class="${look}">Book again</button>
  </form>`

function moreActions(booking: Booking, manage: Management | undefined): Html {
  const isPaid = booking.payment?.paidAt !== null && booking.payment?.paidAt !== undefined
  const open = isOpen(booking)
  return html`<div class="choices">
    ${open && html`<a class="button quiet" href="/bookings/${booking.confirmationCode}.ics">Add to calendar</a>`}
    ${manage && isPaid && html`<a class="button quiet" href="${manage.path}/receipt">Receipt</a>`}
    ${manage?.terms.canReschedule === true && html`<a class="button quiet" href="${manage.path}/move">Move to another time</a>`}
    ${manage?.terms.canCancel === true && html`<a class="button quiet" href="${manage.path}/cancel">Cancel the booking</a>`}
    ${manage && (booking.status === 'completed' || booking.status === 'confirmed') && bookAgain(manage, 'quiet')}
    <button type="button" class="quiet" data-print hidden>Print</button>
  </div>`
}

type ProposedTime = NonNullable<Booking['proposedTime']>

const proposal = (
  { professional }: Booking,
  { startDateTime, message }: ProposedTime,
  { path, csrf, terms }: Management,
): Html => html`
  <section class="notice wait">
    <h2>${professional.businessName} proposes another time</h2>
    <p><strong>${localDateTime(startDateTime, terms.timeZone)}</strong></p>
    ${message !== null && html`<p class="text">${message}</p>`}
    <form method="post" action="${path}/proposed-time">
      ${csrf}
      <button name="answer" value="agree">Move to this time</button>
      <button name="answer" value="decline" class="quiet">Keep my time</button>
    </form>
  </section>
`

export const statusBadge = ({ status, holdExpiresAt }: Booking): Html =>
  holdExpiresAt === null ? badge(STATUS_LABELS[status], HEADINGS[status][1]) : badge('Not paid yet', 'wait')

const isOpen = ({ status }: Booking): boolean => status === 'pending' || status === 'confirmed'

const STATUS_LABELS: Record<Booking['status'], string> = {
  pending: 'Pending',
  confirmed: 'Confirmed',
  completed: 'Completed',
  no_show: 'Missed',
  cancelled: 'Cancelled',
}

const HEADINGS: Record<Booking['status'], readonly [title: string, tone: Tone]> = {
  pending: ['Your booking is waiting for confirmation', 'wait'],
  confirmed: ['Your booking is confirmed', 'good'],
  completed: ['The work is done', 'good'],
  no_show: ['Missed visit', 'bad'],
  cancelled: ['The booking was cancelled', 'bad'],
}
