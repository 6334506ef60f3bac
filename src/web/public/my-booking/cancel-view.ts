// The page that asks before a booking is cancelled, and says what comes back.
import type { Booking } from '../../../features/booking/bookings/schemas.ts'
import type { CustomerTerms } from '../../../features/booking/bookings/verbs/customer-actions.ts'
import { localDateTime, shortMoney } from '../../../platform/text/format.ts'
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
            <p class="notice ${terms.cancellationCost > 0 ? 'wait' : 'good'}">${whatComesBack(terms)}</p>
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

/** What cancelling now returns. */
function whatComesBack({ balance: { paid, refundable }, cancellationCost }: CustomerTerms): string {
  if (paid === 0) return 'You have not paid anything, so cancelling costs nothing.'
  if (refundable === 0) return 'Cancelling costs nothing. All that you paid went back or is on its way back.'
  return cancellationCost > 0
    ? `It is too late for a free cancellation. Your payment of ${shortMoney(cancellationCost)} is not refundable.`
    : refundable === paid
      ? `You get all of the ${shortMoney(paid)} back that you paid.`
      : `You get the other ${shortMoney(refundable)} back that you paid.`
}
