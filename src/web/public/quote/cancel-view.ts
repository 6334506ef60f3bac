// The page that asks before the work of an accepted quote is cancelled, and says how much is refunded.
import type { Quote } from '../../../features/quoting/quotes/schemas.ts'
import { shortMoney } from '../../../platform/text/format.ts'
import { html } from '../../../platform/text/html.ts'
import { type FormState, problemBox, textArea } from '../../ui/forms.ts'
import type { Page } from '../../ui/layout.ts'
import { backLink } from '../../ui/parts.ts'

export interface CancelWorkPage {
  quote: Quote
  /** Of the quote's page. */
  path: string
  formState: FormState
}

export const cancelWorkPage = ({ quote, path, formState }: CancelWorkPage): Page => ({
  title: 'Cancel the work',
  description: 'See what cancelling returns, then decide.',
  styles: ['booking.css'],
  content: html`
    ${backLink('Your quote', path)}
    <h1>Cancel the work?</h1>
    <p class="lead">${quote.service?.name ?? 'Your request'} by ${quote.professional.businessName}.</p>
    ${problemBox(formState)}
    <p class="notice good">
      ${
        quote.balance.refundable > 0
          ? `You get ${shortMoney(quote.balance.refundable)} back: all that is left of your deposit.`
          : 'You have not paid anything that can be refunded, so cancelling costs nothing.'
      }
    </p>
    <form method="post" action="${path}/cancel">
      ${textArea({ name: 'reason', label: 'Why do you cancel? The pro can read it', isOptional: true, rows: 2, maxLength: 1000, formState })}
      <p class="actions">
        <button class="danger">Cancel the work</button>
        <a class="button quiet" href="${path}">Keep the work</a>
      </p>
    </form>
  `,
})
