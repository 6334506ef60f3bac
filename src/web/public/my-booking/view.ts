// What a customer sees of their booking: the code's form, the booking, and the times it can be moved to.
import type { Booking } from '../../../features/bookings/schemas.ts'
import { CANCELLATION_POLICY } from '../../../features/bookings/verbs/create-booking.ts'
import { longDay, money } from '../../ui/format.ts'
import { type FormState, EMPTY_FORM, disclosure, problemBox, textField } from '../../ui/forms.ts'
import { type Html, html } from '../../ui/html.ts'
import type { Page } from '../../ui/layout.ts'
import { type Tone, badge, buttonRow, emptyState, detailList, backLink } from '../../ui/parts.ts'
import { type SlotChoice, slotPicker, weekday } from '../slot-picker.ts'

export const codePage: Page = {
  title: 'Your booking',
  description: 'Look a booking up by its confirmation code.',
  content: html`
    <div class="narrow">
      <h1>Your booking</h1>
      <form action="/bookings">
        ${textField({ name: 'code', label: 'Confirmation code', placeholder: 'HTH-0123456789AB', maxLength: 40 })}
        <button>Show it</button>
      </form>
      <p class="hint">You were given it when you booked. Whoever has it can see, move and cancel the booking.</p>
    </div>
  `,
}

export interface MyBooking {
  booking: Booking
  /** In dollars; 0 when cancelling is free. */
  cancellationCost: number
  /** Whether it can be moved now. */
  canMove: boolean
  /** Whether it was moved a moment ago. */
  wasMoved: boolean
}

export const myBookingPage = (it: MyBooking): Page => {
  const { booking } = it
  const [title, tone] = HEADINGS[booking.status]
  return {
    title: 'Your booking',
    description: 'A booking for you alone.',
    content: html`
      ${
        it.wasMoved &&
        html`<p class="notice good" role="status">
          Your booking was moved to <strong>${weekday(booking.scheduledDate)} at ${booking.scheduledTime}</strong>.
        </p>`
      }
      <h1>${title}</h1>
      <p>${badge(booking.status.replace('_', ' '), tone)}</p>
      ${detailList([
        ['Code', html`<code>${booking.confirmationCode}</code>`],
        ['What', booking.service.name],
        ['When', `${longDay(booking.scheduledDate)} at ${booking.scheduledTime}, ${booking.durationMinutes} minutes`],
        ['Who', `${booking.professional.businessName}, ${booking.professional.location}`],
        [
          'Phone',
          booking.professional.phone !== null &&
            html`<a href="tel:${booking.professional.phone}">${booking.professional.phone}</a>`,
        ],
        ['Notes', booking.description],
      ])}
      ${(booking.status === 'pending' || booking.status === 'confirmed') && changeButtons(it)}
      <p class="hint">Keep the code: with it you find this page again. ${CANCELLATION_POLICY}</p>
    `,
  }
}

const changeButtons = ({ booking, cancellationCost, canMove }: MyBooking): Html =>
  buttonRow([
    canMove && html`<a class="button quiet" href="/bookings/${booking.confirmationCode}/move">Move to another time</a>`,
    cancellationCost > 0
      ? disclosure(
          'Cancel …',
          html`<p>
              It is too late to cancel for free: the <strong>${money(cancellationCost)}</strong> that you paid are kept.
            </p>
            ${cancelForm(booking)}`,
        )
      : cancelForm(booking),
  ])

const cancelForm = ({ confirmationCode }: Booking): Html =>
  html`<form method="post" action="/bookings/${confirmationCode}/cancel">
    <button class="danger">Cancel the booking</button>
  </form>`

export interface MovePage {
  booking: Booking
  cancellationCost: number
  /** Absent where the booking cannot be moved. */
  picked?: SlotChoice | undefined
  formState: FormState
}

export const movePage = ({ booking, cancellationCost, picked, formState }: MovePage): Page => {
  const path = `/bookings/${booking.confirmationCode}`
  const at = (query: Record<string, string>) => `${path}/move?${new URLSearchParams(query).toString()}`
  return {
    title: 'Move your booking',
    description: 'Other times for a booking of yours.',
    content: html`
      ${backLink('Your booking', path)}
      <h1>Move your booking</h1>
      <p class="lead">
        ${booking.service.name} with ${booking.professional.businessName}, ${picked ? 'now on' : 'on'}
        <strong>${weekday(booking.scheduledDate)} at ${booking.scheduledTime}</strong>, ${booking.durationMinutes}
        minutes.
      </p>
      ${
        picked
          ? html`${problemBox(formState)} ${problemBox(withTimeProblem(formState))}
            ${
              cancellationCost > 0 &&
              html`<p class="notice wait">
                It is too late to cancel for free. Moving does not change that: should you cancel afterwards, the
                ${money(cancellationCost)} that you paid are kept.
              </p>`
            }
            ${slotPicker(picked, at)} ${picked.time !== undefined && moveForm(path, picked, picked.time)}`
          : emptyState('This booking cannot be moved', [
              WHY_NOT[booking.status],
              html` <a href="/pros/${booking.professional.id}/book">Book another time</a>`,
              booking.professional.phone !== null &&
                html`, or call <a href="tel:${booking.professional.phone}">${booking.professional.phone}</a>`,
              '.',
            ])
      }
    `,
  }
}

/** Only an address that was made by hand has a day or time that is none. */
const withTimeProblem = (formState: FormState): FormState =>
  Object.keys(formState.errors).length > 0 ? { ...formState, problem: 'Choose a day and a time.' } : EMPTY_FORM

const moveForm = (path: string, { date }: SlotChoice, time: string): Html =>
  html`<form id="who" method="post" action="${path}/move">
    <input type="hidden" name="date" value="${date}" />
    <input type="hidden" name="time" value="${time}" />
    <button>Move it to ${weekday(date)} at ${time}</button>
  </form>`

const WHY_NOT: Record<Booking['status'], string> = {
  pending: 'It is not confirmed yet.',
  confirmed: 'It has begun, or the pro has left.',
  completed: 'The work is done.',
  no_show: 'Its time is over.',
  cancelled: 'It was cancelled.',
}

const HEADINGS: Record<Booking['status'], readonly [title: string, tone: Tone]> = {
  pending: ['Your booking waits for confirmation', 'wait'],
  confirmed: ['Your booking is confirmed', 'good'],
  completed: ['The work is done', 'good'],
  no_show: ['Nobody was there', 'bad'],
  cancelled: ['The booking was cancelled', 'bad'],
}
