/** @jsxImportSource preact */
// The page that asks before the work of an accepted quote is cancelled, and says how much is refunded.
import { Button, LinkButton } from '../../ui/buttons.tsx'
import type { Quote } from '../../../features/quoting/quotes/schemas.ts'
import { endingIn, shortMoney } from '../../../platform/text/format.ts'
import { type FormState, Form } from '../../ui/form.tsx'
import { Fields } from '../../ui/define-form.tsx'
import type { Page } from '../../ui/layout.tsx'
import { BackLink } from '../../ui/headings.tsx'
import { CancelForm } from '../my-booking/cancel-view.tsx'

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
  content: (
    <>
      <BackLink href={path}>Your quote</BackLink>
      <h1>Cancel the work?</h1>
      <p class="lead">
        {quote.service?.name ?? 'Your request'} by {endingIn(quote.professional.businessName)}
      </p>
      <p class="notice good">
        {quote.balance.refundable > 0
          ? `You get ${shortMoney(quote.balance.refundable)} back: all that is left of your deposit.`
          : 'You have not paid anything that can be refunded, so cancelling costs nothing.'}
      </p>
      <Form of={CancelForm} action={`${path}/cancel`} formState={formState}>
        <Fields of={CancelForm} />
        <p class="actions">
          <Button look="danger">Cancel the work</Button>{' '}
          <LinkButton href={path} look="quiet">
            Keep the work
          </LinkButton>
        </p>
      </Form>
    </>
  ),
})
