/** @jsxImportSource preact */
// The views of payments for operators: the search, and one payment.
import type { FoundPayment, PaymentDetail } from '../../../features/money/operator-refunds/schemas.ts'
import type { Session } from '../../../http/session.ts'
import { Time } from '../../ui/time.tsx'
import { localDateTime, money, plural } from '../../../platform/text/format.ts'
import type { VNode } from 'preact'
import { type FormState, EMPTY_FORM, Form, ProblemBox } from '../../ui/form.tsx'
import { Disclosure, Button } from '../../ui/buttons.tsx'
import { FreeText, Text, Uuid } from '../../../platform/schema/types.ts'
import { Fields, defineForm } from '../../ui/define-form.tsx'
import { type Tone, Badge } from '../../ui/badge.tsx'
import { BackLink, PageHeading, Section } from '../../ui/headings.tsx'
import { DetailList, Table } from '../../ui/table.tsx'
import { EmptyState } from '../../ui/lists.tsx'
import { ForThoseWhoMay } from '../../ui/permitted.tsx'
import { SearchLine } from '../search-form.tsx'

export const PAYMENTS_PATH = '/console/payments'

const dollars = (cents: number): string => money(cents / 100)

export const paymentListView = (q: string, payments: readonly FoundPayment[]): VNode => (
  <>
    <PageHeading>Payments</PageHeading>
    <SearchLine
      path={PAYMENTS_PATH}
      label="Confirmation code, e-mail address, or id of a payment, refund or booking"
      text={q}
    />
    {payments.length === 0 ? (
      <EmptyState title={q === '' ? 'No payments yet' : 'No payments found'}>
        {q === '' ? 'Paid bookings and deposits appear here.' : <a href={PAYMENTS_PATH}>Show the latest</a>}
      </EmptyState>
    ) : (
      <Table
        caption={q === '' ? 'The latest payments' : `${plural(payments.length, 'payment')} found`}
        columns={['Payment', 'Customer', 'Pro', 'Created', 'Status', 'Amount', 'Refunded']}
        rows={payments.map((payment) => [
          <div>
            <a href={`${PAYMENTS_PATH}/${payment.id}`}>{payment.title}</a>{' '}
            {payment.confirmationCode && (
              <>
                <br />
                <code>{payment.confirmationCode}</code>
              </>
            )}
          </div>,
          <div>
            {payment.customerName}
            <br />
            <span class="hint">{payment.customerEmail}</span>
          </div>,
          payment.businessName,
          <Time instant={payment.createdAt} />,
          statusOf(payment),
          dollars(payment.amountCents),
          payment.refundedCents === 0 ? '–' : dollars(payment.refundedCents),
        ])}
        numbers={5}
      />
    )}
  </>
)

const STATUSES: Record<FoundPayment['status'], readonly [string, Tone]> = {
  requires_payment: ['Not paid yet', 'wait'],
  failed: ['Last attempt failed', 'bad'],
  succeeded: ['Paid', 'good'],
  expired: ['Not paid in time', 'plain'],
  refunding: ['Being refunded', 'wait'],
  refunded: ['Refunded', 'plain'],
}

function statusOf({ status, refundedCents, refundingCents }: FoundPayment): VNode {
  if (status === 'succeeded' && (refundedCents > 0 || refundingCents > 0))
    return <Badge tone="wait">Partly refunded</Badge>
  const [label, tone] = STATUSES[status]
  return <Badge tone={tone}>{label}</Badge>
}

interface PaymentPage {
  payment: PaymentDetail
  formState: FormState
  returnedState: FormState
  refundId: string
}

export function paymentView(session: Session, { payment, formState, returnedState, refundId }: PaymentPage): VNode {
  const left = payment.refundableCents
  return (
    <>
      <BackLink href={PAYMENTS_PATH}>Payments</BackLink>
      <PageHeading>
        {payment.title} {statusOf(payment)}
      </PageHeading>
      <ProblemBox formState={formState.problem === undefined ? returnedState : formState} />
      <DetailList
        pairs={[
          [
            'Customer',
            <>
              {payment.customerName}, {payment.customerEmail}
            </>,
          ],
          ['Pro', payment.businessName],
          [
            'Booking',
            payment.confirmationCode && (
              <>
                <code>{payment.confirmationCode}</code>, {payment.bookingStatus}
              </>
            ),
          ],
          ['Visit', payment.startsAt && localDateTime(payment.startsAt, payment.timeZone)],
          ['Paid', payment.paidAt && <Time instant={payment.paidAt} />],
          ['Kept', payment.retained && 'The customer cancelled after the free cancellation of this booking had ended.'],
          [
            'Provider',
            <>
              {payment.provider} {payment.intentId && <code>{payment.intentId}</code>}
            </>,
          ],
          ['Payment id', <code>{payment.id}</code>],
        ]}
      />
      <Section title="What was paid">{sums(payment, left)}</Section>
      {left > 0 && refundForm(session, payment, { left, formState, refundId })}
    </>
  )
}

const sums = (
  { feeCents, depositCents, amountCents, refundedCents, refundingCents, capturedCents }: PaymentDetail,
  left: number,
): VNode => (
  <table class="sums">
    <caption class="unseen">What was paid</caption>
    <tbody>
      {[
        ['Booking fee', feeCents],
        ['Deposit', depositCents],
        ['Total', amountCents],
        ['Paid', capturedCents ?? 0],
        ['Refunded', refundedCents],
        ['On its way back', refundingCents],
        ['Left to refund', left],
      ].map(([label, cents]) => (
        <tr>
          <th scope="row">{label}</th>
          <td class="number">{dollars(Number(cents))}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

/** "$1,200.50" or "1200.5" in cents; undefined for other texts, and for nothing. */
export function centsOf(text: string): number | undefined {
  const [, dollars, cents = ''] = /^\$?(\d{1,7})(?:\.(\d{1,2}))?$/.exec(text.replaceAll(',', '')) ?? []
  return dollars === undefined ? undefined : Number(dollars) * 100 + Number(cents.padEnd(2, '0')) || undefined
}

export const RefundForm = defineForm(
  {
    refundId: { schema: Uuid() },
    amount: { schema: Text(12, { minLength: 1 }), label: 'Amount in dollars', inputMode: 'decimal' },
    reason: { schema: FreeText({ minLength: 1 }), label: 'Reason', hint: 'The customer can read it.', rows: 3 },
  },
  ({ amount }) => ({
    amount: amount !== undefined && centsOf(amount) === undefined ? 'must be an amount such as 47.50' : undefined,
  }),
)

const refundForm = (
  session: Session,
  { id, bookingId, bookingStatus }: PaymentDetail,
  { left, formState, refundId }: { left: number; formState: FormState; refundId: string },
): VNode => (
  <ForThoseWhoMay session={session} post={`${PAYMENTS_PATH}/${id}/refund`}>
    <Disclosure label="Refund" isOpen={formState !== EMPTY_FORM}>
      <Form
        of={RefundForm}
        action={`${PAYMENTS_PATH}/${id}/refund`}
        session={session}
        formState={formState}
        saysProblem={false}
      >
        <input type="hidden" name="refundId" value={formState.values.get('refundId') ?? refundId} />
        <Fields
          of={RefundForm}
          values={{ amount: (left / 100).toFixed(2) }}
          more={{ amount: { hint: `Up to ${dollars(left)}` } }}
        />
        <p class="hint">
          The money goes back the way it was paid, and you cannot undo it.{' '}
          {bookingId === null ? (
            'No message tells the customer: write to them.'
          ) : (
            <>The customer is told by e-mail. The booking stays {bookingStatus}.</>
          )}
        </p>
        <Button look="danger">Refund</Button>
      </Form>
    </Disclosure>
  </ForThoseWhoMay>
)
