// /pay/{clientSecret}: a payment with its amount and deadline. The sandbox's buttons simulate a bank.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { type PaymentView, getPaymentView, paySandbox } from '../../features/checkout/verbs/sandbox.ts'
import { fromCents } from '../../platform/schema/money.ts'
import { linkOnly } from '../../auth/access.ts'
import { readText } from '../../http/body.ts'
import { guard } from '../../http/guard.ts'
import { queryOf } from '../../http/request-target.ts'
import { assetUrl } from '../ui/assets.ts'
import { appointment, money, plural } from '../ui/format.ts'
import { type Html, html } from '../ui/html.ts'
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
      const content = isConfirming ? confirming() : payment(view, deps.clock.now(), publishableKey)
      return renderPersonalPage(
        { ...ABOUT, content },
        {
          ...(publishableKey ? { sources: STRIPE_SOURCES } : {}),
          ...(isConfirming ? { headers: { refresh: '1' } } : {}),
        },
      )
    },
    { access: linkOnly, caching: 'personal', detail: { hide: true } },
  )
  if (deps.config.stripe) return pages
  return pages.post(
    PATH,
    async function postPayPage({ params, request }) {
      const form = new URLSearchParams(await readText(request))
      await paySandbox(deps, params.clientSecret, form.get('outcome') === 'fails' ? 'fails' : 'succeeds')
      return redirect(`/pay/${encodeURIComponent(params.clientSecret)}`)
    },
    { access: linkOnly, detail: { hide: true } },
  )
}

const ABOUT = { title: 'Pay for your booking', description: 'Pay for your booking.' }

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

const payment = ({ payment, booking }: PaymentView, now: Date, publishableKey: string | undefined): Html => html`
  <h1>${HEADINGS[payment.status]}</h1>
  <p>
    <strong>${money(fromCents(payment.amountCents), payment.currency)}</strong> for ${booking.service.name} with
    ${booking.professional.businessName} in ${booking.professional.location}:
    ${appointment(booking.scheduledDate, booking.scheduledTime)}.
  </p>
  ${payment.status === 'requires_payment' || payment.status === 'failed' ? toPay(payment, now, publishableKey) : ''}
  <p class="lead">
    Your confirmation code is
    <a href="/bookings/${booking.confirmationCode}"><code>${booking.confirmationCode}</code></a
    >.
  </p>
`

const HEADINGS: Record<PaymentView['payment']['status'], string> = {
  requires_payment: 'Pay for your booking',
  failed: 'The payment failed. Try again',
  succeeded: 'Payment received. Thank you',
  expired: 'The time to pay has run out',
  refunding: 'Your refund is on its way',
  refunded: 'Your payment was refunded',
}

function toPay(payment: PaymentView['payment'], now: Date, publishableKey: string | undefined): Html {
  const minutes = Math.ceil((Date.parse(payment.expiresAt) - now.getTime()) / 60_000)
  return html`
    <p>
      We hold your time slot for another
      <time datetime="${payment.expiresAt}">${plural(minutes, 'minute')}</time>. Your booking is confirmed when you pay.
    </p>
    ${payment.provider === 'sandbox' ? sandboxForm() : stripeForm(payment.clientSecret ?? '', publishableKey)}
  `
}

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
