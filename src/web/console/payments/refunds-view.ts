// What operators see of refunds and disputes, and what they can do about those that failed.
import type { AuditEntry } from '../../../features/upkeep/audit/verbs.ts'
import type { Difference } from '../../../features/money/checkout/verbs/reconciliation.ts'
import type {
  FoundPayment,
  MadeRefund,
  PaymentDetail,
  PaymentDispute,
} from '../../../features/money/operator-refunds/schemas.ts'
import type { Session } from '../../../http/session.ts'
import { dateTime, money, plural } from '../../../platform/text/format.ts'
import { type Html, html } from '../../../platform/text/html.ts'
import { EMPTY_FORM, csrfField, disclosure, textArea } from '../../ui/forms.ts'
import { badge, section, table } from '../../ui/parts.ts'
import { PAYMENTS_PATH } from './view.ts'

const dollars = (cents: number): string => money(cents / 100)

/** What waits for an operator. */
export const waitingView = (failed: readonly FoundPayment[], differences: readonly Difference[]): Html => html`
  ${
    failed.length > 0 &&
    section(
      'Failed refunds',
      html`<p class="lead">The provider could not return this money. Open a payment and decide.</p>
        <ul>
          ${failed.map(
            ({ id, title, customerName, businessName }) =>
              html`<li><a href="${PAYMENTS_PATH}/${id}">${title}</a>, ${customerName}, with ${businessName}</li>`,
          )}
        </ul>`,
    )
  }
  ${
    differences.length > 0 &&
    section(
      'Differences from the payment provider',
      html`<p class="lead">
          The provider keeps another amount than is recorded here. Refund in its dashboard what belongs to no payment;
          the next daily comparison removes the entry.
        </p>
        ${table(
          plural(differences.length, 'difference'),
          ['Intent', 'Payment', 'At the provider', 'Here'],
          differences.map(({ intentId, paymentId, providerCents, ourCents }) => [
            html`<code>${intentId}</code>`,
            paymentId ? html`<a href="${PAYMENTS_PATH}/${paymentId}">${paymentId}</a>` : '–',
            dollars(providerCents),
            dollars(ourCents),
          ]),
          { numbers: 2 },
        )}`,
    )
  }
`

const REASONS: Record<MadeRefund['reason'], string> = {
  cancelled: 'Cancelled',
  rejected: 'The pro declined',
  paid_too_late: 'Paid too late',
  wrong_amount: 'Wrong amount',
  operator: 'By an operator',
  provider: 'At the payment provider',
}

export const refundTable = (session: Session, payment: PaymentDetail, actions: readonly AuditEntry[]): Html =>
  section(
    'Refunds',
    payment.refunds.length === 0
      ? html`<p class="lead">None yet.</p>`
      : html`${table(
          plural(payment.refunds.length, 'refund'),
          ['When', 'Reason', 'By', 'Status', 'Amount'],
          payment.refunds.map((refund) => [
            dateTime(refund.createdAt),
            refund.note ?? REASONS[refund.reason],
            madeBy(refund, actions),
            statusOf(refund, payment.disputes),
            dollars(refund.amountCents),
          ]),
          { numbers: 4 },
        )}
        ${payment.refunds.filter(({ status }) => status === 'failed').map((refund) => failedForms(session, payment, refund))}`,
  )

const madeBy = ({ id, reason }: MadeRefund, actions: readonly AuditEntry[]): string => {
  if (reason === 'provider') return 'Provider'
  if (reason !== 'operator') return 'Hearth'
  return actions.find(({ details }) => details['refundId'] === id || details['newId'] === id)?.by ?? 'Command line'
}

function statusOf(refund: MadeRefund, disputes: readonly PaymentDispute[]): Html {
  const { status, doneAt, attempts, failure, returnedOtherwise } = refund
  if (status === 'done') {
    const note = returnedOtherwise === null ? '' : `Without the provider: ${returnedOtherwise}`
    return html`<div>${badge('Done', 'good')} ${doneAt && dateTime(doneAt)} ${note}</div>`
  }
  if (status === 'failed') return html`<div>${badge('Failed', 'bad')} ${failure ?? ''}</div>`
  if (status === 'replaced') return html`<div>${badge('Replaced', 'plain')} Returned in another way</div>`
  if (status === 'submitted') return html`<div>${badge('On its way', 'wait')}</div>`
  const isHeld = disputes.some(({ state, isInquiry }) => state === 'open' && !isInquiry)
  return html`<div>
    ${badge('Requested', 'wait')} ${isHeld ? 'Waits for the dispute' : plural(attempts, 'attempt')}
  </div>`
}

const failedForms = (session: Session, { id }: PaymentDetail, refund: MadeRefund): Html => html`
  <p class="lead">
    A refund of ${dollars(refund.amountCents)} failed. Send it again, for example after topping up the balance at the
    provider, or return the money in another way and record that here.
  </p>
  <form method="post" action="${PAYMENTS_PATH}/${id}/resend">
    ${csrfField(session)}
    <input type="hidden" name="refundId" value="${refund.id}" />
    <button>Send again</button>
  </form>
  ${disclosure(
    'Returned in another way',
    html`<form method="post" action="${PAYMENTS_PATH}/${id}/returned">
      ${csrfField(session)}
      <input type="hidden" name="refundId" value="${refund.id}" />
      ${textArea({
        name: 'note',
        label: 'How the customer got the money',
        hint: 'Such as a bank transfer with its date. Only operators read it.',
        maxLength: 5000,
        formState: EMPTY_FORM,
      })}
      <button>Record as returned</button>
    </form>`,
  )}
`

const DISPUTE_STATES: Record<PaymentDispute['state'], Html> = {
  open: badge('Open', 'wait'),
  won: badge('Won', 'good'),
  lost: badge('Lost', 'bad'),
}

export const disputeTable = ({ disputes }: PaymentDetail): Html | false =>
  disputes.length > 0 &&
  section(
    'Disputes',
    html`<p class="lead">
        Answer an open dispute in the provider’s dashboard. Refunds wait until it is closed; money of a lost one is not
        refunded again.
      </p>
      ${table(
        plural(disputes.length, 'dispute'),
        ['Since', 'Reason', 'Status', 'Amount'],
        disputes.map(({ openedAt, reason, state, isInquiry, amountCents }) => [
          dateTime(openedAt),
          isInquiry ? `Question of the bank: ${reason}` : reason,
          DISPUTE_STATES[state],
          dollars(amountCents),
        ]),
        { numbers: 3 },
      )}`,
  )
