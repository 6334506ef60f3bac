// The page that asks before a booking is cancelled, and says how much is refunded.
import { cancellationRefundText } from '../../../features/booking/bookings/rules/cancellation.ts'
import type { Booking } from '../../../features/booking/bookings/schemas.ts'
import type { CustomerTerms } from '../../../features/booking/bookings/verbs/customer-actions.ts'
import { localDateTime } from '../../../platform/text/format.ts'
import { type FormState, problemBox, textArea } from '../../ui/forms.ts'
import { type Html, html } from '../../../platform/text/html.ts'
import type { Page } from '../../ui/layout.ts'
import { backLink, emptyState } from '../../ui/parts.ts'

export interface CancelPage {
  booking: Booking
  terms: CustomerTerms
  path: string
  csrf?: Html | undefined
  formState: FormState
}

export const cancelPage = ({ booking, terms, path, csrf, formState }: CancelPage): Page => ({
  title: 'Cancel your booking',
  description: 'See what cancelling returns, then decide.',
  styles: ['booking.css'],
  content: html`
    ${backLink('Your booking', path)}
    <h1>Cancel your booking?</h1>
    <p class="lead">
      ${booking.package?.name ?? booking.service.name} with ${booking.professional.businessName},
      <strong>${localDateTime(terms.startsAt, terms.timeZone)}</strong>.
    </p>
    ${
      terms.canCancel
        ? html`${problemBox(formState)}
            <p class="notice ${terms.cancellationCost > 0 ? 'wait' : 'good'}">${cancellationRefundText(terms)}</p>
            ${terms.quoteUrl !== undefined && html`<p>The work of your quote ends with it. To choose another time, move the booking instead.</p>`}
            <form method="post" action="${path}/cancel">
              ${csrf}
              ${textArea({ name: 'reason', label: 'Why do you cancel? The pro can read it', isOptional: true, rows: 2, maxLength: 1000, formState })}
              <p class="actions">
                <button class="danger">Cancel the booking</button>
                <a class="button quiet" href="${path}">Keep the booking</a>
                ${terms.canReschedule && html`<a class="button quiet" href="${path}/move">Move it instead</a>`}
              </p>
            </form>`
        : emptyState('This booking cannot be cancelled any more', html`See <a href="${path}">your booking</a>.`)
    }
  `,
})
