/** @jsxImportSource preact */
// The page of a payment: what the sum is made of, until when it can be paid, and what comes next.
import { LinkButton, Button } from '../../ui/buttons.tsx'
import { cancellationPolicyOf, depositPolicyOf } from '../../../features/booking/bookings/rules/cancellation.ts'
import type { Booking } from '../../../features/booking/bookings/schemas.ts'
import type { CustomerTerms } from '../../../features/booking/bookings/verbs/customer-actions.ts'
import type { Quote } from '../../../features/quoting/quotes/schemas.ts'
import { isDue } from '../../../payments/states.ts'
import type { Payment } from '../../../payments/verbs/payments.ts'
import { fromCents } from '../../../platform/schema/money.ts'
import { duration, endingIn, localDateTime, longDay, plural, shortMoney } from '../../../platform/text/format.ts'
import { Summary, Sums } from '../../ui/summary.tsx'
import type { VNode } from 'preact'
import { OneOf } from '../../../platform/schema/types.ts'
import { defineForm } from '../../ui/define-form.tsx'
import { Form } from '../../ui/form.tsx'
import { assetUrl } from '../../ui/assets.ts'
import type { Page } from '../../ui/layout.tsx'
import { sums } from '../booking/terms.tsx'

/**
 * A payment with its booking or quote. `path` is the page of that booking, or of that quote in a browser that opened its
 * link.
 */
export type Payable = { payment: Payment; now: Date } & (
  | { booking: Booking; terms: CustomerTerms; path: string; quote?: undefined }
  | { quote: Quote; path: string | undefined; booking?: undefined }
)

const REQUESTS = '/my/requests'

const ABOUT = {
  title: 'Your payment',
  description: 'Pay for a booking or the deposit of a quote.',
  styles: ['booking.css' as const],
}

/** For a link that leads to no payment. */
export const unknownPaymentPage: Page = {
  ...ABOUT,
  title: 'This link does not lead to a payment',
  content: (
    <>
      <h1>This link does not lead to a payment</h1>
      <p>A part of it may be missing. Nothing was charged.</p>
      <p class="actions">
        <LinkButton href="/my">See what is to be paid in your bookings</LinkButton>{' '}
        <LinkButton href="/bookings" look="quiet">
          Find a booking by its code
        </LinkButton>
      </p>
    </>
  ),
}

/** For a customer who has paid, until the payment provider says so too. `isChecking`: the page reloads by itself. */
export const confirmingPage = ({ path, booking }: Payable, isChecking: boolean): Page => ({
  ...ABOUT,
  content: (
    <>
      <h1>Your payment is being confirmed</h1>
      {isChecking ? (
        <p>This takes a few seconds. You can leave this page: we also tell you by e-mail.</p>
      ) : (
        <>
          <p>This takes longer than usual. You need not pay again: we tell you by e-mail when the payment arrives.</p>
          <p>
            <LinkButton href="?redirect_status=succeeded">Check again</LinkButton>
          </p>
        </>
      )}
      <p>
        <a href={path ?? REQUESTS}>{booking ? 'See your booking' : 'See the quote'}</a>
      </p>
    </>
  ),
})

export const paymentPage = (it: Payable, publishableKey: string | undefined): Page => ({
  ...ABOUT,
  content: (
    <>
      <h1>{headingOf(it)}</h1>
      {it.booking ? bookingSummary(it.booking, it.terms, it.payment) : quoteSummary(it.quote, it.payment)}
      {isDue(it.payment) ? (
        <>
          <p>{deadline(it)}</p>
          <p class="hint">{it.booking ? cancellationPolicyOf(it.booking, it.now) : depositPolicyOf(it.quote)}</p>
          {paymentForm(it.payment, publishableKey)}
          <p>
            <a href={it.path ?? REQUESTS}>{it.booking ? 'See, move or cancel your booking' : 'Back to the quote'}</a>
          </p>
        </>
      ) : (
        <>
          <p class="lead">{outcomeOf(it)}</p>
          <p class="actions">{nextSteps(it)}</p>
        </>
      )}
    </>
  ),
})

const HEADINGS: Record<Payment['status'], string> = {
  requires_payment: 'Pay for your booking',
  failed: 'The payment failed. Try again',
  succeeded: 'Payment received. Thank you',
  expired: 'The time to pay has run out',
  refunding: 'Your refund is on its way',
  refunded: 'Your payment was refunded',
}

const headingOf = ({ payment: { status }, quote }: Payable): string =>
  status === 'requires_payment' && quote ? 'Pay the deposit' : HEADINGS[status]

function bookingSummary(booking: Booking, { startsAt, timeZone }: CustomerTerms, payment: Payment): VNode {
  const { price, professional, package: booked, service, durationMinutes, balance } = booking
  const amount = fromCents(payment.amountCents)
  const { fee, deposit } = booking.payment ?? { fee: 0, deposit: amount }
  const label = isDue(payment) ? 'To pay now' : SUMS[payment.status]
  return (
    <Summary
      when={
        <>
          {localDateTime(startsAt, timeZone)}, {duration(durationMinutes)}
        </>
      }
    >
      <p class="quiet">
        {booked?.name ?? service.name} with {professional.businessName} in {professional.location}. Confirmation code{' '}
        <code>{booking.confirmationCode}</code>
      </p>
      {sums({ price, fee, deposit, dueAtVisit: balance.dueAtVisit }, { label, amount })}
    </Summary>
  )
}

/** What the sum is called once nothing is due. */
const SUMS: Record<Payment['status'], string> = {
  requires_payment: 'To pay now',
  failed: 'To pay now',
  succeeded: 'Paid',
  expired: 'Not paid',
  refunding: 'On its way back to you',
  refunded: 'Refunded',
}

const quoteSummary = (quote: Quote, payment: Payment): VNode => {
  const { amount, depositPercentage, professional, service, balance } = quote
  const deposit = fromCents(payment.amountCents)
  return (
    <Summary
      when={
        <>
          {service?.name ?? 'Your request'} with {professional.businessName}
        </>
      }
    >
      <Sums
        sums={[
          { label: 'Quoted price', value: shortMoney(amount) },
          balance.dueAtVisit !== null &&
            balance.dueAtVisit > 0 && {
              label: 'To the pro, after the work',
              value: shortMoney(balance.dueAtVisit),
            },
          {
            label: isDue(payment) ? `Deposit of ${depositPercentage}%, to pay now` : SUMS[payment.status],
            value: shortMoney(deposit),
            isTotal: true,
          },
        ]}
      />
    </Summary>
  )
}

function deadline({ payment: { expiresAt }, booking, now }: Payable): VNode {
  if (!booking)
    return (
      <>
        You accept the quote when you pay. It is valid until <time datetime={expiresAt}>{longDay(expiresAt)}</time>.
      </>
    )
  const minutes = Math.ceil((Date.parse(expiresAt) - now.getTime()) / 60_000)
  return (
    <>
      We hold your time for another <time datetime={expiresAt}>{plural(minutes, 'minute')}</time>. Your booking is
      confirmed when you pay.
    </>
  )
}

/** What became of a payment that is over. */
function outcomeOf({ payment: { status }, booking, quote }: Payable): string {
  if (status === 'expired')
    return booking
      ? 'Nothing was charged, and your time is free for others again. Choose a time once more: your details are still filled in.'
      : 'Nothing was charged. The quote is over, too: ask the pro for a new one.'
  if (status === 'refunding') return 'It takes some days until your bank shows it.'
  if (status === 'refunded') return 'All of it is back with your bank.'
  if (booking?.status === 'pending')
    return `${booking.professional.businessName} will confirm your booking. You get a message then.`
  if (booking) return 'Your booking is confirmed. We sent you the details by e-mail.'
  return `You accepted the quote of ${endingIn(quote?.professional.businessName ?? 'the pro')} Now choose when the work is done.`
}

function nextSteps({ payment: { status }, ...it }: Payable): VNode {
  if (it.booking) {
    const { booking, path } = it
    const again = `/pros/${booking.professional.id}/book?${booking.package ? `package=${booking.package.id}` : `service=${booking.service.id}`}`
    const isPaid = status === 'succeeded'
    return (
      <>
        {!isPaid && <LinkButton href={again}>Choose a time again</LinkButton>}{' '}
        <a class={`button ${isPaid ? '' : 'quiet'}`} href={path}>
          {isPaid ? 'See, move or cancel your booking' : 'See your booking'}
        </a>{' '}
        {isPaid && (
          <LinkButton href={`/bookings/${booking.confirmationCode}.ics`} look="quiet">
            Add to calendar
          </LinkButton>
        )}{' '}
        {status !== 'expired' && (
          <LinkButton href={`${path}/receipt`} look="quiet">
            Receipt
          </LinkButton>
        )}
      </>
    )
  }
  const { quote, path } = it
  if (path === undefined)
    return (
      <LinkButton href={REQUESTS}>
        {status === 'succeeded' ? 'Sign in to choose a time' : 'Sign in to see the quote'}
      </LinkButton>
    )
  return status === 'succeeded' ? (
    <>
      <LinkButton href={`${path}/time`}>Choose a time</LinkButton>{' '}
      <LinkButton href={`${path}/receipt`} look="quiet">
        Receipt
      </LinkButton>{' '}
      <LinkButton href={path} look="quiet">
        See the quote
      </LinkButton>
    </>
  ) : (
    <>
      <LinkButton href={`/pros/${quote.professional.slug}/quote`}>Ask for a new quote</LinkButton>{' '}
      <LinkButton href={path} look="quiet">
        See the quote
      </LinkButton>
    </>
  )
}

const paymentForm = ({ provider, clientSecret }: Payment, publishableKey: string | undefined): VNode =>
  provider === 'sandbox' ? sandboxForm(clientSecret ?? '') : stripeForm(clientSecret ?? '', publishableKey)

/** Its buttons simulate a bank. */
export const PayForm = defineForm({ outcome: { schema: OneOf(['succeeds', 'fails']) } })

const sandboxForm = (clientSecret: string) => (
  <>
    <Form of={PayForm} action={`/pay/${encodeURIComponent(clientSecret)}`}>
      <p class="actions">
        <Button name="outcome" value="succeeds">
          Pay
        </Button>{' '}
        <Button look="quiet" name="outcome" value="fails">
          Simulate a failed payment
        </Button>
      </p>
    </Form>
    <p class="hint">This is a test environment. You will not be charged.</p>
  </>
)

/** Stripe's form. Its fields are in Stripe's frames, so Hearth never sees a card number. */
const stripeForm = (clientSecret: string, publishableKey: string | undefined) =>
  publishableKey ? (
    <>
      <form id="pay" data-key={publishableKey} data-secret={clientSecret}>
        <div id="payment"></div>
        <p role="alert"></p>
        <Button>Pay</Button>
      </form>
      <script src="https://js.stripe.com/v3/" defer></script>
      <script src={assetUrl('pay.js')} defer></script>
    </>
  ) : (
    <p>Pay in the app or on the page where you booked.</p>
  )
