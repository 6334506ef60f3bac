// GET /pay/{clientSecret}: what is to be paid, for what, until when; in the sandbox with buttons that stand for a bank.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { type PaymentView, getPaymentView, paySandbox } from '../../features/checkout/verbs/sandbox.ts'
import { wholeCurrency } from '../../payments/verbs.ts'
import type { Access } from '../../auth/access.ts'
import { readText } from '../../http/body.ts'
import { ACCESS_KEY, guard } from '../../http/guard.ts'
import { CACHING_KEY, type Caching, pageHeaders } from '../../http/headers.ts'
import { limitsOf } from '../../rate-limit/rate-limits.ts'
import { queryOf } from '../../http/route-table.ts'
import { assetUrl } from '../ui/assets.ts'
import { money } from '../ui/format.ts'
import { type Html, html } from '../ui/html.ts'
import { PAGE_TYPE, page } from '../ui/layout.ts'

const PATH = '/pay/:clientSecret'
/** Whoever has the client secret may see and pay. */
const anyone: Access = { key: 'none', scopes: [] }
/** What routes without the gate declare themselves. Nobody keeps a copy. */
const FORM = { detail: { hide: true, [ACCESS_KEY]: anyone, [CACHING_KEY]: 'personal' as Caching } }

export const payPages = (deps: Deps) => {
  const publishableKey = deps.config.stripe?.publishableKey
  const pages = new Elysia({ name: 'pay-pages' }).use(guard(deps)).get(
    PATH,
    async function getPayPage({ params, request }) {
      const view = await getPaymentView(deps, params.clientSecret)
      // Stripe sends the customer back here, often before it tells us that they paid: look again until it has.
      const hasPaid = queryOf(request.url).get('redirect_status') === 'succeeded'
      const isComing = hasPaid && view.payment.status === 'requires_payment'
      const content = isComing ? confirming() : payment(view, deps.clock.now(), publishableKey)
      return new Response(page({ ...ABOUT, content }), {
        headers: {
          'content-type': PAGE_TYPE,
          ...pageHeaders(publishableKey ? STRIPE_SOURCES : { 'form-action': "'self'" }),
          ...(isComing ? { refresh: '1' } : {}),
        },
      })
    },
    { access: anyone, caching: 'personal', detail: { hide: true } },
  )
  if (deps.config.stripe) return pages
  return pages.post(
    PATH,
    async function postPayPage({ params, request }) {
      // A form is no JSON, so the gate, which counts requests elsewhere, is not asked.
      await limitsOf(deps).admitAddress(request)
      const form = new URLSearchParams(await readText(request))
      await paySandbox(deps, params.clientSecret, form.get('outcome') === 'fails' ? 'fails' : 'succeeds')
      const location = `/pay/${encodeURIComponent(params.clientSecret)}`
      return new Response(null, { status: 303, headers: { location } })
    },
    { parse: 'none', ...FORM },
  )
}

const ABOUT = { title: 'Pay for your booking', description: 'What is to be paid for a booking, and until when.' }

/** What Stripe's form needs (docs.stripe.com/security/guide#content-security-policy). */
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
    <strong>${money(wholeCurrency(payment.amountCents), payment.currency)}</strong> for ${booking.service.name} with
    ${booking.professional.businessName} in ${booking.professional.location}, on ${booking.scheduledDate} at
    ${booking.scheduledTime}.
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
  failed: 'That did not work. Try again',
  succeeded: 'Paid. Thank you',
  expired: 'The time to pay is over',
  refunding: 'Your money is on its way back',
  refunded: 'Your money was given back',
}

function toPay(payment: PaymentView['payment'], now: Date, publishableKey: string | undefined): Html {
  const minutes = Math.ceil((Date.parse(payment.expiresAt) - now.getTime()) / 60_000)
  return html`
    <p>
      The time is held for you for
      <time datetime="${payment.expiresAt}">${minutes} ${minutes === 1 ? 'minute' : 'minutes'}</time>
      more. Until it is paid, the booking is not confirmed.
    </p>
    ${payment.provider === 'sandbox' ? sandboxForm() : stripeForm(payment.clientSecret ?? '', publishableKey)}
  `
}

const sandboxForm = () => html`
  <form method="post">
    <button name="outcome" value="succeeds">Pay</button>
    <button name="outcome" value="fails" class="quiet">Let the payment fail</button>
  </form>
  <p class="lead">This is a sandbox: no money is taken.</p>
`

/** Stripe's own form, whose fields live in frames of Stripe's: no card number comes near us. */
const stripeForm = (clientSecret: string, publishableKey: string | undefined) =>
  publishableKey
    ? html`<form id="pay" data-key="${publishableKey}" data-secret="${clientSecret}">
          <div id="payment"></div>
          <p role="alert"></p>
          <button>Pay</button>
        </form>
        <script src="https://js.stripe.com/v3/" defer></script>
        <script src="${assetUrl('pay.js')}" defer></script>`
    : html`<p>Pay where you booked: the app or page that sent you here takes the payment.</p>`
