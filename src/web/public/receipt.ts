// The receipt of a payment: what was paid, when, by what, to whom and for what. It prints on one page.
import type { Ctx } from '../../ctx.ts'
import type { Balance, BookingPayment } from '../../payments/schemas.ts'
import { findReceipt } from '../../payments/verbs/payments.ts'
import { fromCents } from '../../platform/schema/money.ts'
import { longDay, money } from '../../platform/text/format.ts'
import { type HtmlValue, html } from '../../platform/text/html.ts'
import type { Page } from '../ui/layout.ts'
import { backLink, detailList } from '../ui/parts.ts'

export interface PaidWork {
  purpose: { bookingId: string } | { quoteId: string }
  payment: BookingPayment | null
  balance: Balance
  pro: string
  customer: string
  /** What the payment was for. */
  facts: readonly (readonly [name: string, value: HtmlValue])[]
  back: { label: string; href: string }
}

const METHODS = { stripe: 'Card, through Stripe', sandbox: 'Test payment: no money was taken' } as const

/** The page of a receipt, or that nothing is paid. */
export async function receiptPage(
  ctx: Ctx,
  { purpose, payment, balance, pro, customer, facts, back }: PaidWork,
): Promise<Page> {
  const receipt = await findReceipt(ctx, purpose)
  if (!receipt || !payment) return nothingPaidPage(back)
  const { currency, fee, deposit } = payment
  const { paid, refunded, refunding, netPaid } = balance
  const sum = (value: number) => money(value, currency)
  return {
    title: `Receipt ${receipt.number}`,
    description: 'The receipt of your payment.',
    styles: ['booking.css'],
    scripts: ['print.js'],
    content: html`
      ${backLink(back.label, back.href)}
      <h1>Receipt</h1>
      ${detailList([
        ['Number', html`<code>${receipt.number}</code>`],
        ['Paid on', longDay(receipt.capturedAt)],
        ['Paid by', customer],
        ['Method', METHODS[receipt.provider]],
        ['Pro', pro],
        ...facts,
      ])}
      <table class="sums">
        <caption>
          Payment
        </caption>
        <thead>
          <tr>
            <th scope="col">Item</th>
            <th scope="col">Amount</th>
          </tr>
        </thead>
        <tbody>
          ${[fee > 0 && row('Booking fee', sum(fee)), deposit > 0 && row('Deposit, a part of the price', sum(deposit))]}
          ${[
            refunded > 0 && row('Refunded', sum(-refunded)),
            refunding > 0 && row('Refund on its way', sum(-refunding)),
            receipt.failedCents > 0 &&
              row('Refund delayed: we send it again or return it in another way', sum(fromCents(receipt.failedCents))),
          ]}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">${netPaid < paid ? 'Paid in the end' : 'Paid'}</th>
            <td>${sum(netPaid)}</td>
          </tr>
        </tfoot>
      </table>
      <p class="actions"><button type="button" class="quiet" data-print hidden>Print</button></p>
    `,
  }
}

const nothingPaidPage = (back: PaidWork['back']): Page => ({
  title: 'No receipt',
  content: html`
    ${backLink(back.label, back.href)}
    <h1>There is no receipt yet</h1>
    <p class="lead">Nothing was paid on Hearth. What you pay the pro on the day is on the pro’s own bill.</p>
  `,
})

const row = (label: string, amount: string) =>
  html`<tr>
    <td>${label}</td>
    <td>${amount}</td>
  </tr>`
