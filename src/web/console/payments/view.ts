// The views of payments for operators: the search, and one payment.
import { FREE_CANCELLATION_HOURS } from '../../../features/booking/bookings/rules/cancellation.ts'
import type { FoundPayment, PaymentDetail } from '../../../features/money/operator-refunds/schemas.ts'
import type { Session } from '../../../http/session.ts'
import { dateTime, localDateTime, money, plural } from '../../../platform/text/format.ts'
import { type Html, html } from '../../../platform/text/html.ts'
import { type FormState, EMPTY_FORM, csrfField, disclosure, problemBox, textArea, textField } from '../../ui/forms.ts'
import { type Tone, backLink, badge, detailList, emptyState, pageHeading, section, table } from '../../ui/parts.ts'

export const PAYMENTS_PATH = '/console/payments'

const dollars = (cents: number): string => money(cents / 100)

export const paymentListView = (q: string, payments: readonly FoundPayment[]): Html => html`
  ${pageHeading('Payments')}
  <form method="get" action="${PAYMENTS_PATH}" class="line" role="search">
    <p class="field">
      <label for="q">Confirmation code, e-mail address, or id of a payment, refund or booking</label>
      <input id="q" name="q" type="search" value="${q}" maxlength="320" autocomplete="off" spellcheck="false" />
    </p>
    <button>Search</button>
  </form>
  ${
    payments.length === 0
      ? emptyState(
          q === '' ? 'No payments yet' : 'No payments found',
          q === '' ? 'Paid bookings and deposits appear here.' : html`<a href="${PAYMENTS_PATH}">Show the latest</a>`,
        )
      : table(
          q === '' ? 'The latest payments' : `${plural(payments.length, 'payment')} found`,
          ['Payment', 'Customer', 'Pro', 'Created', 'Status', 'Amount', 'Refunded'],
          payments.map((payment) => [
            html`<div>
              <a href="${PAYMENTS_PATH}/${payment.id}">${payment.title}</a>
              ${payment.confirmationCode && html`<br /><code>${payment.confirmationCode}</code>`}
            </div>`,
            html`<div>${payment.customerName}<br /><span class="hint">${payment.customerEmail}</span></div>`,
            payment.businessName,
            dateTime(payment.createdAt),
            statusOf(payment),
            dollars(payment.amountCents),
            payment.refundedCents === 0 ? '–' : dollars(payment.refundedCents),
          ]),
          { numbers: 5 },
        )
  }
`

const STATUSES: Record<FoundPayment['status'], readonly [string, Tone]> = {
  requires_payment: ['Not paid yet', 'wait'],
  failed: ['Last attempt failed', 'bad'],
  succeeded: ['Paid', 'good'],
  expired: ['Not paid in time', 'plain'],
  refunding: ['Being refunded', 'wait'],
  refunded: ['Refunded', 'plain'],
}

function statusOf({ status, refundedCents, refundingCents }: FoundPayment): Html {
  if (status === 'succeeded' && (refundedCents > 0 || refundingCents > 0)) return badge('Partly refunded', 'wait')
  const [label, tone] = STATUSES[status]
  return badge(label, tone)
}

interface PaymentPage {
  payment: PaymentDetail
  formState: FormState
  refundId: string
}

export function paymentView(session: Session, { payment, formState, refundId }: PaymentPage): Html {
  const left = payment.refundableCents
  return html`
    ${backLink('Payments', PAYMENTS_PATH)} ${pageHeading(html`${payment.title} ${statusOf(payment)}`)}
    ${detailList([
      ['Customer', html`${payment.customerName}, ${payment.customerEmail}`],
      ['Pro', payment.businessName],
      ['Booking', payment.confirmationCode && html`<code>${payment.confirmationCode}</code>, ${payment.bookingStatus}`],
      ['Visit', payment.startsAt && localDateTime(payment.startsAt, payment.timeZone)],
      ['Paid', payment.paidAt && dateTime(payment.paidAt)],
      [
        'Kept',
        payment.retained && `The customer cancelled less than ${FREE_CANCELLATION_HOURS} hours before the visit.`,
      ],
      ['Provider', html`${payment.provider} ${payment.intentId && html`<code>${payment.intentId}</code>`}`],
      ['Payment id', html`<code>${payment.id}</code>`],
    ])}
    ${section('What was paid', sums(payment, left))}
    ${left > 0 && refundForm(session, payment, { left, formState, refundId })}
  `
}

const sums = (
  { feeCents, depositCents, amountCents, refundedCents, refundingCents, capturedCents }: PaymentDetail,
  left: number,
): Html =>
  html`<table class="sums">
    <caption class="unseen">
      What was paid
    </caption>
    <tbody>
      ${[
        ['Booking fee', feeCents],
        ['Deposit', depositCents],
        ['Total', amountCents],
        ['Paid', capturedCents ?? 0],
        ['Refunded', refundedCents],
        ['On its way back', refundingCents],
        ['Left to refund', left],
      ].map(
        ([label, cents]) =>
          html`<tr>
            <th scope="row">${label}</th>
            <td class="number">${dollars(Number(cents))}</td>
          </tr>`,
      )}
    </tbody>
  </table>`

const refundForm = (
  session: Session,
  { id, bookingId, bookingStatus }: PaymentDetail,
  { left, formState, refundId }: { left: number; formState: FormState; refundId: string },
): Html =>
  disclosure(
    'Refund',
    html`<form method="post" action="${PAYMENTS_PATH}/${id}/refund">
      ${csrfField(session)} ${problemBox(formState)}
      <input type="hidden" name="refundId" value="${formState.values.get('refundId') ?? refundId}" />
      ${textField({
        name: 'amount',
        label: 'Amount in dollars',
        hint: `Up to ${dollars(left)}`,
        value: (left / 100).toFixed(2),
        maxLength: 12,
        formState,
      })}
      ${textArea({ name: 'reason', label: 'Reason', hint: 'The customer can read it.', maxLength: 5000, formState })}
      <p class="hint">
        The money goes back the way it was paid, and you cannot undo it.
        ${
          bookingId === null
            ? 'No message tells the customer: write to them.'
            : html`The customer is told by e-mail. The booking stays ${bookingStatus}.`
        }
      </p>
      <button class="danger">Refund</button>
    </form>`,
    { isOpen: formState !== EMPTY_FORM },
  )
