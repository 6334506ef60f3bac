// The page on which a customer reschedules a booking: a day and a time, then the question.
import { lateReschedulingText } from '../../../features/booking/bookings/rules/rescheduling.ts'
import type { Booking } from '../../../features/booking/bookings/schemas.ts'
import { duration, localDateTime } from '../../../platform/text/format.ts'
import { type FormState, EMPTY_FORM, problemBox } from '../../ui/forms.ts'
import { type Html, html } from '../../../platform/text/html.ts'
import { phoneLink } from '../../ui/links.ts'
import type { Page } from '../../ui/layout.ts'
import { backLink, emptyState } from '../../ui/parts.ts'
import type { Slot, SlotChoice } from '../slot-choice.ts'
import { chosenTime, refusedTimeNotice, slotPicker } from '../slot-picker.ts'

export interface ReschedulePage {
  booking: Booking
  /** Of the booking's page. */
  path: string
  /** In the form. */
  csrf?: Html | undefined
  startsAt: string
  timeZone: string
  cancellationCost: number
  /** Undefined when the booking cannot be rescheduled. */
  slot?: SlotChoice | undefined
  formState: FormState
}

export const reschedulePage = (it: ReschedulePage): Page => ({
  title: 'Move your booking',
  description: 'Choose another time for your booking.',
  styles: ['booking.css'],
  content: html`
    ${backLink('Your booking', it.path)}
    <h1>Move your booking</h1>
    <p class="lead">
      ${it.booking.service.name} with ${it.booking.professional.businessName}, now on
      <strong>${localDateTime(it.startsAt, it.timeZone)}</strong>, ${duration(it.booking.durationMinutes)}.
    </p>
    ${it.slot ? newTime(it, it.slot) : notMovable(it.booking)}
  `,
})

function newTime({ path, csrf, cancellationCost, formState }: ReschedulePage, choice: SlotChoice): Html {
  const at = (query: Record<string, string>) => `${path}/move?${new URLSearchParams(query).toString()}`
  return html`${problemBox(formState)} ${problemBox(withTimeProblem(formState))}
  ${cancellationCost > 0 && html`<p class="notice wait">${lateReschedulingText(cancellationCost)}</p>`}
  ${formState.problem === undefined && refusedTimeNotice(choice)}
  ${choice.slot ? rescheduleForm({ path, csrf }, choice, choice.slot) : slotPicker(choice, at)}`
}

/** The errors of the hidden fields as one problem. Only a hand-made URL has an invalid day or time. */
const withTimeProblem = (formState: FormState): FormState =>
  Object.keys(formState.errors).length > 0 ? { ...formState, problem: 'Choose a day and a time.' } : EMPTY_FORM

const rescheduleForm = ({ path, csrf }: Pick<ReschedulePage, 'path' | 'csrf'>, choice: SlotChoice, slot: Slot): Html =>
  html`<section class="summary" id="who">
    <p class="quiet">New time</p>
    <p class="when">${chosenTime(choice, slot)}</p>
    <form method="post" action="${path}/move">
      ${csrf}
      <input type="hidden" name="date" value="${choice.date}" />
      <input type="hidden" name="time" value="${slot.start}" />
      <p class="actions">
        <button>Move the booking</button>
        <a class="button quiet" href="${path}/move?date=${choice.date}">Choose another time</a>
        <a class="button quiet" href="${path}">Keep the old time</a>
      </p>
    </form>
  </section>`

const notMovable = ({ status, professional }: Booking): Html =>
  emptyState('This booking cannot be moved', [
    WHY_NOT[status],
    html` <a href="/pros/${professional.id}/book">Book another time</a>`,
    professional.phone !== null && html`, or call ${phoneLink(professional.phone)}`,
    '.',
  ])

const WHY_NOT: Record<Booking['status'], string> = {
  pending: 'It is not confirmed yet.',
  confirmed: 'It has already begun, or the pro is no longer on Hearth.',
  completed: 'The work is done.',
  no_show: 'Its time has passed.',
  cancelled: 'It was cancelled.',
}
