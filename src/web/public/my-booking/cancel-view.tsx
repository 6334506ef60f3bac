/** @jsxImportSource preact */
// The page that asks before a booking is cancelled, and says how much is refunded.
import { Type } from '@sinclair/typebox'
import { Button, LinkButton } from '../../ui/buttons.tsx'
import { cancellationRefundText } from '../../../features/booking/bookings/rules/cancellation.ts'
import type { Booking } from '../../../features/booking/bookings/schemas.ts'
import type { CustomerTerms } from '../../../features/booking/bookings/verbs/customer-actions.ts'
import { localDateTime } from '../../../platform/text/format.ts'
import { Text } from '../../../platform/schema/types.ts'
import { Fields, defineForm } from '../../ui/define-form.tsx'
import { type FormState, Form } from '../../ui/form.tsx'
import type { VNode } from 'preact'
import type { Page } from '../../ui/layout.tsx'
import { BackLink } from '../../ui/headings.tsx'
import { EmptyState } from '../../ui/lists.tsx'

export const CancelForm = defineForm({
  reason: { schema: Type.Optional(Text(1000)), label: 'Why do you cancel? The pro can read it', rows: 2 },
})

export interface CancelPage {
  booking: Booking
  terms: CustomerTerms
  path: string
  csrf?: VNode | undefined
  formState: FormState
}

export const cancelPage = ({ booking, terms, path, csrf, formState }: CancelPage): Page => ({
  title: 'Cancel your booking',
  description: 'See what cancelling returns, then decide.',
  styles: ['booking.css'],
  content: (
    <>
      <BackLink href={path}>Your booking</BackLink>
      <h1>Cancel your booking?</h1>
      <p class="lead">
        {booking.package?.name ?? booking.service.name} with {booking.professional.businessName},{' '}
        <strong>{localDateTime(terms.startsAt, terms.timeZone)}</strong>.
      </p>
      {terms.canCancel ? (
        <>
          <p class={`notice ${terms.cancellationCost > 0 ? 'wait' : 'good'}`}>{cancellationRefundText(terms)}</p>
          {terms.quoteUrl !== undefined && !terms.hasWorkBegun && (
            <p>The work of your quote ends with it. To choose another time, move the booking instead.</p>
          )}
          <Form of={CancelForm} action={`${path}/cancel`} formState={formState}>
            {csrf}
            <Fields of={CancelForm} />
            <p class="actions">
              <Button look="danger">Cancel the booking</Button>{' '}
              <LinkButton href={path} look="quiet">
                Keep the booking
              </LinkButton>{' '}
              {terms.canReschedule && (
                <LinkButton href={`${path}/move`} look="quiet">
                  Move it instead
                </LinkButton>
              )}
            </p>
          </Form>
        </>
      ) : (
        <EmptyState title="This booking cannot be cancelled any more">
          See <a href={path}>your booking</a>.
        </EmptyState>
      )}
    </>
  ),
})
