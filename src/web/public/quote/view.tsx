/** @jsxImportSource preact */
// The page of a quote: what is offered, the customer's decision, and what comes after it.
import { Form } from '../../ui/form.tsx'
import { LinkButton, Button } from '../../ui/buttons.tsx'
import type { LineItem, Quote } from '../../../features/quoting/quotes/schemas.ts'
import type { NextStep } from '../../../features/quoting/quotes/verbs/visit.ts'
import { longDay, money, plural } from '../../../platform/text/format.ts'
import { depositPolicyOf } from '../../../features/booking/bookings/rules/cancellation.ts'
import { balanceText, paymentText } from '../../../payments/texts.ts'
import { Summary } from '../../ui/summary.tsx'
import type { VNode } from 'preact'
import { PhoneLink } from '../../ui/links.tsx'
import type { Page } from '../../ui/layout.tsx'

export interface QuotePage {
  quote: Quote
  path: string
  /** What comes after an accepted quote. */
  next: NextStep | undefined
  /** The page of the visit that is booked. */
  visitUrl: string | undefined
  /** The page of the request, with all of its quotes. */
  requestUrl: string
  /** Whether a deposit can be paid here. */
  isPayable: boolean
}

export const quotePage = (it: QuotePage): Page => {
  const { quote, path, isPayable } = it
  return {
    title: `Quote from ${quote.professional.businessName}`,
    description: 'A quote for you.',
    styles: ['booking.css'],
    content: (
      <>
        <h1>Quote from {quote.professional.businessName}</h1>
        <p class="lead">
          {quote.service?.name ?? 'Your request'}: {dollars(quote.amount)}
        </p>
        <ul class="facts">
          <li>{STATUS_TEXTS[quote.status](quote)}</li>
          {quote.estimatedDays && <li>About {plural(quote.estimatedDays, 'day')} of work</li>}
          {asksDeposit(quote) && <li>{deposit(quote)}</li>}
          {quote.status === 'accepted' && <li>{balanceText(quote.balance)}</li>}
          {quote.professional.phone && (
            <li>
              <PhoneLink phone={quote.professional.phone} />
            </li>
          )}
        </ul>
        {nextStep(it)}
        {quote.message && <p class="prose">{quote.message}</p>}
        <h2>Your request</h2>
        <p class="prose">{quote.request.description}</p>
        {quote.lineItems.length > 0 && breakdown(quote)}
        {quote.paymentTerms && (
          <>
            <h2>Payment</h2>
            <p class="prose">{quote.paymentTerms}</p>
          </>
        )}
        {(quote.status === 'sent' || quote.status === 'viewed') &&
          (isPayable || quote.depositAmount === null ? buttons(quote, path) : callInstead(quote, path))}
      </>
    ),
  }
}

/** What the customer can do now; the decision on an open quote stands at the end of the page. */
function nextStep({ quote, path, next, visitUrl, requestUrl, isPayable }: QuotePage): VNode | false {
  const { status, professional, payment } = quote
  const receipt = payment?.paidAt !== null && payment?.paidAt !== undefined && (
    <LinkButton href={`${path}/receipt`} look="quiet">
      Receipt
    </LinkButton>
  )
  if (status === 'accepted')
    return next !== undefined && afterAcceptance({ quote, path, next, visitUrl, requestUrl, isPayable }, receipt)
  if (status === 'superseded')
    return step(
      'A newer quote takes the place of this one.',
      <LinkButton href={requestUrl}>See the newer quote</LinkButton>,
    )
  if (status === 'declined' || status === 'expired')
    return step(
      status === 'declined' ? 'If you changed your mind, ask for a new quote.' : 'The pro can send you a new one.',
      <>
        <LinkButton href={`/pros/${professional.slug}/quote${quote.service ? `?service=${quote.service.id}` : ''}`}>
          Ask for a new quote
        </LinkButton>{' '}
        <LinkButton href="/" look="quiet">
          Find another pro
        </LinkButton>
      </>,
    )
  return false
}

function afterAcceptance(
  { quote, path, next, visitUrl }: QuotePage & { next: NextStep },
  receipt: VNode | false,
): VNode {
  const { businessName, phone, slug } = quote.professional
  switch (next.step) {
    case 'choose':
      return step(
        'You accepted the quote. Now choose when the work is done.',
        <>
          <LinkButton href={`${path}/time`}>Choose a time</LinkButton> {next.canCancel && cancelLink(path)} {receipt}
        </>,
      )
    case 'booked':
      return step(
        'You accepted the quote, and the next visit has its time.',
        <>
          <LinkButton href={visitUrl ?? ''}>See, move or cancel the visit</LinkButton> {receipt}
        </>,
      )
    case 'by_phone':
      return step(
        `You accepted the quote. ${businessName} will contact you to agree on a day.`,
        <>
          {phone !== null && <PhoneLink phone={phone} look="button" label={`Call ${businessName}`} />}{' '}
          {next.canCancel && cancelLink(path)} {receipt}
        </>,
      )
    case 'in_progress':
      return step(
        next.canChoose
          ? `${businessName} has begun the work. If it takes another visit, choose its time.`
          : `${businessName} is at work.`,
        <>
          {next.canChoose && <LinkButton href={`${path}/time`}>Choose a time</LinkButton>}{' '}
          {phone !== null && <PhoneLink phone={phone} look="button quiet" label={`Call ${businessName}`} />} {receipt}
        </>,
      )
    case 'completed':
      return step(
        'The work is done.',
        <>
          <LinkButton href="/my">Write a review</LinkButton>{' '}
          <LinkButton href={`/pros/${slug}`} look="quiet">
            Book {businessName} again
          </LinkButton>{' '}
          {receipt}
        </>,
      )
    case 'cancelled':
      return step(
        `${next.by === 'customer' ? 'You' : businessName} cancelled the work. ${whatCameBack(quote)}`,
        <>
          <LinkButton href={`/pros/${slug}/quote`}>Ask for a new quote</LinkButton> {receipt}
        </>,
      )
  }
}

const cancelLink = (path: string): VNode => (
  <LinkButton href={`${path}/cancel`} look="quiet">
    Cancel the work
  </LinkButton>
)

/** What became of the deposit of work that was cancelled. */
function whatCameBack({ balance: { paid, netPaid, refunding } }: Quote): string {
  if (paid === 0) return 'Nothing was paid.'
  if (netPaid > 0) return `${dollars(netPaid)} of the deposit is kept, because it was too late to cancel for free.`
  return refunding > 0 ? 'The deposit is on its way back to you.' : 'The deposit went back to you.'
}

const step = (text: string, actions: VNode): VNode => (
  <Summary when={text}>
    <p class="actions">{actions}</p>
  </Summary>
)

function buttons(quote: Quote, path: string): VNode {
  const { depositAmount, payment, professional, balance } = quote
  const rest = balance.dueAtVisit ?? 0
  const isStarted = payment?.status === 'requires_payment' || payment?.status === 'failed'
  return (
    <>
      <h2>Your decision</h2>
      <p>
        {depositAmount === null
          ? `You accept, then choose a time. You pay ${professional.businessName} ${dollars(rest)} after the work.`
          : `You pay the deposit of ${dollars(depositAmount)} now, then choose a time. You pay ${professional.businessName} the other ${dollars(rest)} after the work.`}
      </p>
      {depositAmount !== null && <p class="hint">{depositPolicyOf(quote)}</p>}
      <Form action={`${path}/accept`}>
        <p class="actions">
          <Button>
            {' '}
            {depositAmount === null
              ? 'Accept the quote'
              : isStarted
                ? `Pay the deposit of ${dollars(depositAmount)}`
                : `Accept and pay the deposit of ${dollars(depositAmount)}`}{' '}
          </Button>{' '}
          <Button look="quiet" formaction={`${path}/decline`}>
            Decline
          </Button>
        </p>
      </Form>
    </>
  )
}

/** Without a payment provider, a quote with a deposit cannot be accepted here. */
const callInstead = ({ depositAmount, professional: { businessName, phone, slug } }: Quote, path: string): VNode => (
  <>
    <h2>Your decision</h2>
    <p>
      The deposit of {dollars(depositAmount ?? 0)} cannot be paid on this site. Call {businessName}, or ask for a quote
      without a deposit.
    </p>
    <Form action={`${path}/decline`}>
      <p class="actions">
        {phone !== null && <PhoneLink phone={phone} look="button" label={`Call ${businessName}`} />}{' '}
        <LinkButton href={`/pros/${slug}/quote`} look="quiet">
          Ask for a new quote
        </LinkButton>{' '}
        <Button look="quiet">Decline</Button>
      </p>
    </Form>
  </>
)

const breakdown = (quote: Quote): VNode => (
  <>
    <h2>Items</h2>
    <table class="sums">
      <thead>
        <tr>
          <th>Item</th>
          <th>Quantity</th>
          <th>Price</th>
          <th>Amount</th>
        </tr>
      </thead>
      <tbody>{quote.lineItems.map(row)}</tbody>
      <tfoot>
        <tr>
          <th colspan={3}>Total</th>
          <td>{dollars(quote.amount)}</td>
        </tr>
      </tfoot>
    </table>
  </>
)

const row = ({ description, quantity, unitPrice, amount }: LineItem): VNode => (
  <tr>
    <td>{description}</td>
    <td>{quantity}</td>
    <td>{dollars(unitPrice)}</td>
    <td>{dollars(amount)}</td>
  </tr>
)

const STATUS_TEXTS: Record<Quote['status'], (quote: Quote) => string> = {
  draft: () => 'Not sent yet',
  sent: ({ validUntil }) => `Valid until ${day(validUntil)}`,
  viewed: ({ validUntil }) => `Valid until ${day(validUntil)}`,
  accepted: ({ acceptedAt }) => `You accepted this quote on ${day(acceptedAt)}`,
  declined: ({ declinedAt }) => `You declined this quote on ${day(declinedAt)}`,
  expired: ({ validUntil }) => `This quote expired on ${day(validUntil)}`,
  superseded: () => 'The pro sent you a newer quote',
}

/** A share that is too small is not asked. */
const asksDeposit = ({ depositRequired, depositPercentage, depositAmount }: Quote): boolean =>
  depositRequired && (depositPercentage === null || depositAmount !== null)

function deposit({ depositPercentage, depositAmount, payment }: Quote): string {
  if (depositPercentage === null || depositAmount === null) return 'A deposit is required'
  return payment
    ? `Deposit: ${paymentText(payment)}`
    : `Deposit: ${dollars(depositAmount)} (${depositPercentage}%), paid when you accept`
}

const dollars = (amount: number): string => money(amount, 'USD', 4)
const day = (instant: string | null): string => (instant === null ? '' : longDay(instant))
