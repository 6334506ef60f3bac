// The page on which the customer of an accepted quote chooses when the work is done.
import type { Quote } from '../../../features/quoting/quotes/schemas.ts'
import { plural, shortMoney } from '../../../platform/text/format.ts'
import { html } from '../../../platform/text/html.ts'
import { type FormState, problemBox } from '../../ui/forms.ts'
import type { Page } from '../../ui/layout.ts'
import { backLink } from '../../ui/parts.ts'
import { cancellingText } from '../../../features/booking/bookings/rules/cancellation.ts'
import type { SlotChoice } from '../slot-choice.ts'
import { chosenTime, refusedTimeNotice, slotPicker } from '../slot-picker.ts'

export interface VisitPage {
  quote: Quote
  /** Of the quote's page. */
  path: string
  choice: SlotChoice
  formState: FormState
  now: Date
}

export const visitPage = ({ quote, path, choice, formState, now }: VisitPage): Page => {
  const { professional, service, estimatedDays, amount } = quote
  const at = (query: Record<string, string>) => `${path}/time?${new URLSearchParams(query).toString()}`
  const isLong = estimatedDays !== null && estimatedDays > 1
  return {
    title: 'Choose a time',
    description: 'Choose when the work is done.',
    styles: ['booking.css'],
    content: html`
      ${backLink('Your quote', path)}
      <h1>${isLong ? 'When should the work begin?' : 'When should the work be done?'}</h1>
      <p class="lead">
        ${service?.name} by ${professional.businessName} for ${shortMoney(amount)}.
        ${isLong && `The pro expects ${plural(estimatedDays, 'day')} of work: choose the first one.`}
      </p>
      ${problemBox(formState)} ${formState.problem === undefined && refusedTimeNotice(choice)}
      ${
        choice.slot
          ? html`<section class="summary" id="who">
              <p class="when">${chosenTime(choice, choice.slot)}</p>
              ${
                quote.balance.refundable > 0 &&
                html`<p class="hint">
                  ${cancellingText({
                    due: quote.balance.refundable,
                    startsAt: choice.slot.startDateTime,
                    timeZone: choice.times.timezone,
                    hours: quote.freeCancellationHours,
                    now,
                  })}
                </p>`
              }
              <form method="post" action="${path}/time">
                <input type="hidden" name="date" value="${choice.date}" />
                <input type="hidden" name="time" value="${choice.slot.start}" />
                <p class="actions">
                  <button>Book this time</button>
                  <a class="button quiet" href="${at({ date: choice.date ?? '' })}">Choose another time</a>
                </p>
              </form>
            </section>`
          : slotPicker(choice, at)
      }
    `,
  }
}
