// /pay/{clientSecret}: a payment with its amount and deadline. The sandbox's buttons simulate a bank.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { type PaymentView, getPaymentView, paySandbox } from '../../features/checkout/verbs/sandbox.ts'
import type { Booking } from '../../features/bookings/schemas.ts'
import { manageUrl } from '../../features/bookings/verbs/manage-link.ts'
import type { Quote } from '../../features/quotes/schemas.ts'
import { customerUrl } from '../../features/quotes/verbs/link-tokens.ts'
import { type Payment, isDue } from '../../payments/verbs.ts'
import { fromCents } from '../../platform/schema/money.ts'
import { publicPage } from '../../auth/access.ts'
import { readForm } from '../../http/form.ts'
import { guard } from '../../http/guard.ts'
import { queryOf } from '../../http/request-target.ts'
import { assetUrl } from '../ui/assets.ts'
import { appointment, longDay, money, plural } from '../../platform/text/format.ts'
import { type Html, html } from '../../platform/text/html.ts'
import { redirect, renderPersonalPage } from '../ui/responses.ts'

const PATH = '/pay/:clientSecret'

export const payPages = (deps: Deps) => {
  const publishableKey = deps.config.stripe?.publishableKey
  const pages = new Elysia({ name: 'pay-pages' }).use(guard(deps)).get(
    PATH,
    async function getPayPage({ params, request }) {
      const view = await getPaymentView(deps, params.clientSecret)
      // Stripe often redirects the customer here before its webhook arrives: the page reloads until then.
      const hasPaid = queryOf(request.url).get('redirect_status') === 'succeeded'
      const isConfirming = hasPaid && view.payment.status === 'requires_payment'
      const content = isConfirming ? confirming() : payment(deps, view, publishableKey)
      return renderPersonalPage(
        { ...ABOUT, content },
        {
          ...(publishableKey ? { sources: STRIPE_SOURCES } : {}),
          ...(isConfirming ? { headers: { refresh: '1' } } : {}),
        },
      )
    },
    { access: publicPage, caching: 'personal' },
  )
  if (deps.config.stripe) return pages
  return pages.post(
    PATH,
    async function postPayPage({ params, request }) {
      const form = await readForm(deps, request)
      await paySandbox(deps, params.clientSecret, form.get('outcome') === 'fails' ? 'fails' : 'succeeds')
      return redirect(`/pay/${encodeURIComponent(params.clientSecret)}`)
    },
    { access: publicPage },
  )
}

const ABOUT = { title: 'Your payment', description: 'Pay for a booking or the deposit of a quote.' }

/** The sources of Stripe's form (docs.stripe.com/security/guide#content-security-policy). */
const STRIPE_SOURCES = {
  'script-src': "'self' https://js.stripe.com",
  'frame-src': 'https://js.stripe.com https://hooks.stripe.com',
  'connect-src': 'https://api.stripe.com',
}

const confirming = () => html`
  <h1>Your payment is being confirmed</h1>
  <p>This takes a few seconds.</p>
`

const payment = (
  deps: Deps,
  { payment, booking, quote }: PaymentView,
  publishableKey: string | undefined,
): Html => html`
  <h1>${payment.status === 'requires_payment' && quote ? 'Pay the deposit' : HEADINGS[payment.status]}</h1>
  ${booking && bookingSummary(payment, booking)} ${quote && quoteSummary(payment, quote)}
  ${isDue(payment) && html`<p>${deadline(payment, booking, deps.clock.now())}</p>`}
  ${isDue(payment) && paymentForm(payment, publishableKey)}
  ${
    booking &&
    html`<p class="lead">
      Your confirmation code is <code>${booking.confirmationCode}</code>.
      <a href="${manageUrl(deps, booking.id)}">See, move or cancel your booking</a>.
    </p>`
  }
  ${quote && html`<p class="lead"><a href="${customerUrl(deps, quote.id, new Date(payment.expiresAt))}">See the quote</a></p>`}
`

const amountOf = ({ amountCents, currency }: Payment): Html =>
  html`<strong>${money(fromCents(amountCents), currency)}</strong>`

const bookingSummary = (payment: Payment, { service, professional, scheduledDate, scheduledTime }: Booking): Html =>
  html`<p>
    ${amountOf(payment)} for ${service.name} with ${professional.businessName} in ${professional.location}:
    ${appointment(scheduledDate, scheduledTime)}.
  </p>`

const quoteSummary = (payment: Payment, { amount, professional, service, status }: Quote): Html =>
  html`<p>
    ${amountOf(payment)} deposit for ${service?.name ?? 'your request'} with ${professional.businessName}, on a quote of
    ${money(amount)}. ${status === 'accepted' && 'You accepted the quote.'}
  </p>`

const HEADINGS: Record<Payment['status'], string> = {
  requires_payment: 'Pay for your booking',
  failed: 'The payment failed. Try again',
  succeeded: 'Payment received. Thank you',
  expired: 'The time to pay has run out',
  refunding: 'Your refund is on its way',
  refunded: 'Your payment was refunded',
}

function deadline({ expiresAt }: Payment, booking: Booking | null, now: Date): Html {
  if (!booking)
    return html`You accept the quote when you pay. It is valid until
      <time datetime="${expiresAt}">${longDay(expiresAt)}</time>.`
  const minutes = Math.ceil((Date.parse(expiresAt) - now.getTime()) / 60_000)
  return html`We hold your time slot for another <time datetime="${expiresAt}">${plural(minutes, 'minute')}</time>. Your
    booking is confirmed when you pay.`
}

const paymentForm = ({ provider, clientSecret }: Payment, publishableKey: string | undefined): Html =>
  provider === 'sandbox' ? sandboxForm() : stripeForm(clientSecret ?? '', publishableKey)

const sandboxForm = () => html`
  <form method="post">
    <button name="outcome" value="succeeds">Pay</button>
    <button name="outcome" value="fails" class="quiet">Simulate a failed payment</button>
  </form>
  <p class="lead">This is a test environment. You will not be charged.</p>
`

/** Stripe's form. Its fields are in Stripe's frames, so Hearth never sees a card number. */
const stripeForm = (clientSecret: string, publishableKey: string | undefined) =>
  publishableKey
    ? html`<form id="pay" data-key="${publishableKey}" data-secret="${clientSecret}">
          <div id="payment"></div>
          <p role="alert"></p>
          <button>Pay</button>
        </form>
        <script src="https://js.stripe.com/v3/" defer></script>
        <script src="${assetUrl('pay.js')}" defer></script>`
    : html`<p>Pay in the app or on the page where you booked.</p>`
