// The pages of a customer's booking: the code form, the booking, the times to move it to. Only a manage link shows buttons.
import type { Booking } from '../../../features/bookings/schemas.ts'
import { cancellationPolicyOf } from '../../../features/bookings/verbs/cancellation-policy.ts'
import { addressText, bookingPaymentText, cancellationText } from '../../../features/bookings/texts.ts'
import { appointment, duration, money, plural, priceOf } from '../../../platform/text/format.ts'
import { type FormState, EMPTY_FORM, disclosure, problemBox, textField } from '../../ui/forms.ts'
import { type Html, html } from '../../../platform/text/html.ts'
import { phoneLink } from '../../ui/links.ts'
import type { Page } from '../../ui/layout.ts'
import { type Tone, badge, buttonRow, emptyState, detailList, backLink } from '../../ui/parts.ts'
import { type SlotChoice, closedTimeNotice, slotPicker } from '../slot-picker.ts'

export const codePage: Page = {
  title: 'Your booking',
  description: 'Find your booking by its confirmation code.',
  content: html`
    <div class="narrow">
      <h1>Your booking</h1>
      <form action="/bookings">
        ${textField({ name: 'code', label: 'Confirmation code', placeholder: 'HTH-0123456789AB', maxLength: 40 })}
        <button>Find booking</button>
      </form>
      <p class="hint">
        You received the code when you booked. Keep it private: anyone with the code can see the booking. To move or
        cancel it, open the link that you received with the code, or <a href="/my">sign in</a> with your e-mail address.
      </p>
    </div>
  `,
}

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
  /** The cancellation fee in dollars; 0 when cancelling is free. */
  cancellationCost: number
  canMove: boolean
  /** The customer has just moved it. */
  wasMoved: boolean
  /** Of an answer to the proposed time that was refused. */
  formState: FormState
}

export const myBookingPage = ({ booking, now, manage }: MyBooking): Page => {
  const [title] = HEADINGS[booking.status]
  return {
    title: 'Your booking',
    description: 'The details of your booking.',
    content: html`
      ${
        manage?.wasMoved &&
        html`<p class="notice good" role="status">
          Your booking was moved to <strong>${appointment(booking.scheduledDate, booking.scheduledTime)}</strong>.
        </p>`
      }
      ${manage && !manage.isLink && backLink('My bookings', '/my')}
      <h1>${title}</h1>
      <p>${statusBadge(booking)}</p>
      ${detailList([
        ['Confirmation code', html`<code>${booking.confirmationCode}</code>`],
        ['Cancelled', cancellationText(booking, 'customer')],
        ['Service', booking.service.name],
        ['Package', booking.package?.name],
        ['Includes', booking.package && booking.package.includes.length > 0 && booking.package.includes.join(', ')],
        ['Price', priceOf(booking.price)],
        ['Payment', bookingPaymentText(booking)],
        ['Held', booking.holdExpiresAt && heldText(booking.holdExpiresAt, now)],
        ['When', `${appointment(booking.scheduledDate, booking.scheduledTime)}, ${booking.scheduledDate.slice(0, 4)}`],
        ['Duration', duration(booking.durationMinutes)],
        ['Pro', `${booking.professional.businessName}, ${booking.professional.location}`],
        ['Phone', booking.professional.phone !== null && phoneLink(booking.professional.phone)],
        ['Address', manage && addressText(booking.address)],
        ['Notes', booking.description],
      ])}
      ${manage && problemBox(manage.formState)}
      ${manage && booking.proposedTime?.declinedAt === null && proposal(booking, booking.proposedTime, manage)}
      ${isOpen(booking) && html`<p><a href="/bookings/${booking.confirmationCode}.ics">Add to calendar</a></p>`}
      ${manage && isOpen(booking) && changeButtons(manage)}
      ${
        manage &&
        booking.status === 'completed' &&
        html`<p><a class="button" href="${manage.path}/review">Review ${booking.professional.businessName}</a></p>`
      }
      <p class="hint">
        ${
          manage
            ? manage.isLink && 'Keep the link to this page private: anyone who has it can move and cancel the booking. '
            : isOpen(booking) &&
              html`To move or cancel the booking, open the link that you received when you booked, or
                <a href="/my">sign in</a>. `
        }
        ${isOpen(booking) && cancellationPolicyOf(booking)}
      </p>
    `,
  }
}

/** An unpaid hold, without a zone: it ends within minutes. */
const heldText = (until: string, now: Date): Html =>
  html`For another
    <time datetime="${until}">${plural(Math.ceil((Date.parse(until) - now.getTime()) / 60_000), 'minute')}</time>; it is
    confirmed when you pay`

type ProposedTime = NonNullable<Booking['proposedTime']>

const proposal = (
  { professional }: Booking,
  { date, time, message }: ProposedTime,
  { path, csrf }: Management,
): Html => html`
  <section class="notice wait">
    <h2>${professional.businessName} proposes another time</h2>
    <p><strong>${appointment(date, time)}</strong></p>
    ${message !== null && html`<p class="text">${message}</p>`}
    <form method="post" action="${path}/proposed-time">
      ${csrf}
      <button name="answer" value="agree">Move to this time</button>
      <button name="answer" value="decline" class="quiet">Keep my time</button>
    </form>
  </section>
`

export const statusBadge = ({ status }: Booking): Html => badge(STATUS_LABELS[status], HEADINGS[status][1])

const isOpen = ({ status }: Booking): boolean => status === 'pending' || status === 'confirmed'

const changeButtons = ({ path, csrf, cancellationCost, canMove }: Management): Html =>
  buttonRow([
    canMove && html`<a class="button quiet" href="${path}/move">Move to another time</a>`,
    cancellationCost > 0
      ? disclosure(
          'Cancel the booking …',
          html`<p>
              It is too late for a free cancellation. Your payment of <strong>${money(cancellationCost)}</strong> is not
              refundable.
            </p>
            ${cancelForm(path, csrf)}`,
        )
      : cancelForm(path, csrf),
  ])

const cancelForm = (path: string, csrf: Html | undefined): Html =>
  html`<form method="post" action="${path}/cancel">
    ${csrf}
    <button class="danger">Cancel the booking</button>
  </form>`

export interface MovePage {
  booking: Booking
  /** Of the booking's page. */
  path: string
  /** In the form. */
  csrf?: Html | undefined
  cancellationCost: number
  /** Undefined when the booking cannot be moved. */
  slot?: SlotChoice | undefined
  formState: FormState
}

export const movePage = ({ booking, path, csrf, cancellationCost, slot, formState }: MovePage): Page => {
  const at = (query: Record<string, string>) => `${path}/move?${new URLSearchParams(query).toString()}`
  return {
    title: 'Move your booking',
    description: 'Choose another time for your booking.',
    content: html`
      ${backLink('Your booking', path)}
      <h1>Move your booking</h1>
      <p class="lead">
        ${booking.service.name} with ${booking.professional.businessName}, ${slot ? 'currently at' : 'at'}
        <strong>${appointment(booking.scheduledDate, booking.scheduledTime)}</strong>, for
        ${duration(booking.durationMinutes)}.
      </p>
      ${
        slot
          ? html`${problemBox(formState)} ${problemBox(withTimeProblem(formState))}
            ${
              cancellationCost > 0 &&
              html`<p class="notice wait">
                It is too late for a free cancellation. Moving the booking does not change that: if you cancel later,
                your payment of ${money(cancellationCost)} is not refundable.
              </p>`
            }
            ${formState.problem === undefined && closedTimeNotice(slot)} ${slotPicker(slot, at)}
            ${slot.time !== undefined && moveForm(path, csrf, slot, slot.time)}`
          : emptyState('This booking cannot be moved', [
              WHY_NOT[booking.status],
              html` <a href="/pros/${booking.professional.id}/book">Book another time</a>`,
              booking.professional.phone !== null && html`, or call ${phoneLink(booking.professional.phone)}`,
              '.',
            ])
      }
    `,
  }
}

/** The errors of the hidden fields as one problem. Only a hand-made URL has an invalid day or time. */
const withTimeProblem = (formState: FormState): FormState =>
  Object.keys(formState.errors).length > 0 ? { ...formState, problem: 'Choose a day and a time.' } : EMPTY_FORM

const moveForm = (path: string, csrf: Html | undefined, { date }: SlotChoice, time: string): Html =>
  html`<form id="who" method="post" action="${path}/move">
    ${csrf}
    <input type="hidden" name="date" value="${date}" />
    <input type="hidden" name="time" value="${time}" />
    <button>Move it to ${appointment(date, time)}</button>
  </form>`

const WHY_NOT: Record<Booking['status'], string> = {
  pending: 'It is not confirmed yet.',
  confirmed: 'It has already begun, or the pro is no longer on Hearth.',
  completed: 'The work is done.',
  no_show: 'Its time has passed.',
  cancelled: 'It was cancelled.',
}

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
  no_show: ['Missed appointment', 'bad'],
  cancelled: ['The booking was cancelled', 'bad'],
}
