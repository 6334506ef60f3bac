/** @jsxImportSource preact */
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
import { Time } from '../../ui/time.tsx'
import { money, plural } from '../../../platform/text/format.ts'
import type { VNode } from 'preact'
import { EMPTY_FORM, type FormState, Form } from '../../ui/form.tsx'
import { Disclosure, Button } from '../../ui/buttons.tsx'
import { Fields, defineForm } from '../../ui/define-form.tsx'
import { FreeText, Uuid } from '../../../platform/schema/types.ts'
import { Badge } from '../../ui/badge.tsx'
import { Section } from '../../ui/headings.tsx'
import { Table } from '../../ui/table.tsx'
import { ForThoseWhoMay } from '../../ui/permitted.tsx'
import { PAYMENTS_PATH } from './view.tsx'

const dollars = (cents: number): string => money(cents / 100)

/** What waits for an operator. */
export const waitingView = (failed: readonly FoundPayment[], differences: readonly Difference[]): VNode => (
  <>
    {failed.length > 0 && (
      <Section title="Failed refunds">
        <p class="lead">The provider could not return this money. Open a payment and decide.</p>
        <ul>
          {failed.map(({ id, title, customerName, businessName }) => (
            <li>
              <a href={`${PAYMENTS_PATH}/${id}`}>{title}</a>, {customerName}, with {businessName}
            </li>
          ))}
        </ul>
      </Section>
    )}
    {differences.length > 0 && (
      <Section title="Differences from the payment provider">
        <p class="lead">
          The provider keeps another amount than is recorded here. Refund in its dashboard what belongs to no payment;
          the next daily comparison removes the entry.
        </p>
        <Table
          caption={plural(differences.length, 'difference')}
          columns={['Intent', 'Payment', 'At the provider', 'Here']}
          rows={differences.map(({ intentId, paymentId, providerCents, ourCents }) => [
            <code>{intentId}</code>,
            paymentId ? <a href={`${PAYMENTS_PATH}/${paymentId}`}>{paymentId}</a> : '–',
            dollars(providerCents),
            dollars(ourCents),
          ])}
          numbers={2}
        />
      </Section>
    )}
  </>
)

const REASONS: Record<MadeRefund['reason'], string> = {
  cancelled: 'Cancelled',
  rejected: 'The pro declined',
  paid_too_late: 'Paid too late',
  wrong_amount: 'Wrong amount',
  operator: 'By an operator',
  provider: 'At the payment provider',
}

export const ReturnedForm = defineForm({
  refundId: { schema: Uuid() },
  note: {
    schema: FreeText({ minLength: 1 }),
    label: 'How the customer got the money',
    hint: 'Such as a bank transfer with its date. Only operators read it.',
    rows: 3,
  },
})

interface Refunds {
  payment: PaymentDetail
  actions: readonly AuditEntry[]
  /** Of recording that the money of a refund was returned in another way. */
  returnedState: FormState
}

export const refundTable = (session: Session, { payment, actions, returnedState }: Refunds): VNode => (
  <Section title="Refunds">
    {payment.refunds.length === 0 ? (
      <p class="lead">None yet.</p>
    ) : (
      <>
        <Table
          caption={plural(payment.refunds.length, 'refund')}
          columns={['When', 'Reason', 'By', 'Status', 'Amount']}
          rows={payment.refunds.map((refund) => [
            <Time instant={refund.createdAt} />,
            refund.note ?? REASONS[refund.reason],
            madeBy(refund, actions),
            statusOf(refund, payment.disputes),
            dollars(refund.amountCents),
          ])}
          numbers={4}
        />
        {payment.refunds
          .filter(({ status }) => status === 'failed')
          .map((refund) => failedForms(session, payment, { refund, returnedState }))}
      </>
    )}
  </Section>
)

const madeBy = ({ id, reason }: MadeRefund, actions: readonly AuditEntry[]): string => {
  if (reason === 'provider') return 'Provider'
  if (reason !== 'operator') return 'The server'
  return actions.find(({ details }) => details['refundId'] === id || details['newId'] === id)?.by ?? 'Command line'
}

function statusOf(refund: MadeRefund, disputes: readonly PaymentDispute[]): VNode {
  const { status, doneAt, attempts, failure, returnedOtherwise } = refund
  if (status === 'done') {
    const note = returnedOtherwise === null ? '' : `Without the provider: ${returnedOtherwise}`
    return (
      <div>
        <Badge tone="good">Done</Badge> {doneAt && <Time instant={doneAt} />} {note}
      </div>
    )
  }
  if (status === 'failed')
    return (
      <div>
        <Badge tone="bad">Failed</Badge> {failure ?? ''}
      </div>
    )
  if (status === 'replaced')
    return (
      <div>
        <Badge tone="plain">Replaced</Badge> Returned in another way
      </div>
    )
  if (status === 'submitted')
    return (
      <div>
        <Badge tone="wait">On its way</Badge>
      </div>
    )
  const isHeld = disputes.some(({ state, isInquiry }) => state === 'open' && !isInquiry)
  return (
    <div>
      <Badge tone="wait">Requested</Badge> {isHeld ? 'Waits for the dispute' : plural(attempts, 'attempt')}
    </div>
  )
}

function failedForms(
  session: Session,
  { id }: PaymentDetail,
  { refund, returnedState }: { refund: MadeRefund; returnedState: FormState },
): VNode {
  const formState = returnedState.values.get('refundId') === refund.id ? returnedState : EMPTY_FORM
  return (
    <>
      <p class="lead">
        A refund of {dollars(refund.amountCents)} failed. Send it again, for example after topping up the balance at the
        provider, or return the money in another way and record that here.
      </p>
      <Form action={`${PAYMENTS_PATH}/${id}/resend`} session={session}>
        <input type="hidden" name="refundId" value={refund.id} /> <Button>Send again</Button>
      </Form>
      <ForThoseWhoMay session={session} post={`${PAYMENTS_PATH}/${id}/returned`}>
        <Disclosure label="Returned in another way" isOpen={formState !== EMPTY_FORM}>
          <Form
            of={ReturnedForm}
            action={`${PAYMENTS_PATH}/${id}/returned`}
            session={session}
            formState={formState}
            saysProblem={false}
          >
            <input type="hidden" name="refundId" value={refund.id} />
            <Fields of={ReturnedForm} row={refund.id} />
            <Button>Record as returned</Button>
          </Form>
        </Disclosure>
      </ForThoseWhoMay>
    </>
  )
}

const DISPUTE_STATES: Record<PaymentDispute['state'], VNode> = {
  open: <Badge tone="wait">Open</Badge>,
  won: <Badge tone="good">Won</Badge>,
  lost: <Badge tone="bad">Lost</Badge>,
}

export const disputeTable = ({ disputes }: PaymentDetail): VNode | false =>
  disputes.length > 0 && (
    <Section title="Disputes">
      <p class="lead">
        Answer an open dispute in the provider’s dashboard. Refunds wait until it is closed; money of a lost one is not
        refunded again.
      </p>
      <Table
        caption={plural(disputes.length, 'dispute')}
        columns={['Since', 'Reason', 'Status', 'Amount']}
        rows={disputes.map(({ openedAt, reason, state, isInquiry, amountCents }) => [
          <Time instant={openedAt} />,
          isInquiry ? `Question of the bank: ${reason}` : reason,
          DISPUTE_STATES[state],
          dollars(amountCents),
        ])}
        numbers={3}
      />
    </Section>
  )
