/** @jsxImportSource preact */
// The receipt of a payment: what was paid, when, by what, to whom and for what. It prints on one page.
import { Button } from '../ui/buttons.tsx'
import type { Ctx } from '../../ctx.ts'
import type { Balance, BookingPayment } from '../../payments/schemas.ts'
import { findReceipt } from '../../payments/verbs/payments.ts'
import { fromCents } from '../../platform/schema/money.ts'
import { longDay, money } from '../../platform/text/format.ts'
import type { ComponentChildren, VNode } from 'preact'
import type { Page } from '../ui/layout.tsx'
import { BackLink } from '../ui/headings.tsx'
import { TermsOfBooking } from '../ui/legal-texts.tsx'
import { DetailList } from '../ui/table.tsx'

export interface PaidWork {
  purpose: { bookingId: string } | { quoteId: string }
  payment: BookingPayment | null
  balance: Balance
  pro: string
  customer: string
  /** When a booking was made. */
  bookedAt?: string
  /** What the payment was for. */
  facts: readonly (readonly [name: string, value: ComponentChildren])[]
  back: { label: string; href: string }
}

const METHODS = { stripe: 'Card, through Stripe', sandbox: 'Test payment: no money was taken' } as const

/** The page of a receipt, or that nothing is paid. */
export async function receiptPage(
  ctx: Ctx,
  { purpose, payment, balance, pro, customer, bookedAt, facts, back }: PaidWork,
): Promise<Page> {
  const receipt = await findReceipt(ctx, purpose)
  if (!receipt || !payment) return nothingPaidPage(back)
  return {
    title: `Receipt ${receipt.number}`,
    description: 'The receipt of your payment.',
    styles: ['booking.css'],
    scripts: ['print.js'],
    content: (
      <>
        <BackLink href={back.href}>{back.label}</BackLink>
        <h1>Receipt</h1>
        <DetailList
          pairs={[
            ['Number', <code>{receipt.number}</code>],
            ['Paid on', longDay(receipt.capturedAt)],
            ['Paid by', customer],
            ['Method', METHODS[receipt.provider]],
            ['Pro', pro],
            ...facts,
          ]}
        />
        <Sums receipt={receipt} payment={payment} balance={balance} />
        {bookedAt !== undefined && (
          <p class="hint">
            <TermsOfBooking bookedAt={bookedAt} />
          </p>
        )}
        <p class="actions">
          <Button look="quiet" type="button" data-print="" hidden>
            Print
          </Button>
        </p>
      </>
    ),
  }
}

function Sums({
  receipt,
  payment: { currency, fee, deposit },
  balance: { paid, refunded, refunding, netPaid },
}: {
  receipt: NonNullable<Awaited<ReturnType<typeof findReceipt>>>
  payment: NonNullable<PaidWork['payment']>
  balance: PaidWork['balance']
}): VNode {
  const sum = (value: number) => money(value, currency)
  return (
    <table class="sums">
      <caption>Payment</caption>
      <thead>
        <tr>
          <th scope="col">Item</th>
          <th scope="col">Amount</th>
        </tr>
      </thead>
      <tbody>
        {[fee > 0 && row('Booking fee', sum(fee)), deposit > 0 && row('Deposit, a part of the price', sum(deposit))]}
        {[
          refunded > 0 && row('Refunded', sum(-refunded)),
          refunding > 0 && row('Refund on its way', sum(-refunding)),
          receipt.failedCents > 0 &&
            row('Refund delayed: we send it again or return it in another way', sum(fromCents(receipt.failedCents))),
        ]}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{netPaid < paid ? 'Paid in the end' : 'Paid'}</th>
          <td>{sum(netPaid)}</td>
        </tr>
      </tfoot>
    </table>
  )
}

const nothingPaidPage = (back: PaidWork['back']): Page => ({
  title: 'No receipt',
  content: (
    <>
      <BackLink href={back.href}>{back.label}</BackLink>
      <h1>There is no receipt yet</h1>
      <p class="lead">Nothing was paid here. What you pay the pro on the day is on the pro’s own bill.</p>
    </>
  ),
})

const row = (label: string, amount: string) => (
  <tr>
    <td>{label}</td>
    <td>{amount}</td>
  </tr>
)
