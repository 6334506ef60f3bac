// GET /pay/{clientSecret}: what is to be paid, for what, until when; in the sandbox with buttons that stand for a bank.
import { Elysia } from 'elysia'

import type { Deps } from '../deps.ts'
import { type PaymentView, getPaymentView, paySandbox } from '../features/bookings/sandbox.ts'
import { wholeCurrency } from '../features/payments/service.ts'
import type { Access } from '../http/access.ts'
import { readText } from '../http/body.ts'
import { ACCESS_KEY, gate } from '../http/gate.ts'
import { CACHING_KEY, type Caching, pageHeaders } from '../http/headers.ts'
import { limitsOf } from '../http/limits.ts'
import { type Html, html } from './html.ts'
import { PAGE_TYPE, page } from './layout.ts'

const PATH = '/pay/:clientSecret'
/** Whoever has the client secret may see and pay. */
const anyone: Access = { key: 'none', scopes: [] }
/** What routes without the gate declare themselves. Nobody keeps a copy. */
const FORM = { detail: { hide: true, [ACCESS_KEY]: anyone, [CACHING_KEY]: 'personal' as Caching } }

export const payPages = (deps: Deps) => {
  const pages = new Elysia({ name: 'pay-pages' }).use(gate(deps)).get(
    PATH,
    async function getPayPage({ params }) {
      const view = await getPaymentView(deps, params.clientSecret)
      return new Response(payPage(view, deps.clock.now()), {
        headers: { 'content-type': PAGE_TYPE, ...pageHeaders({ 'form-action': "'self'" }) },
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

const payPage = ({ payment, booking }: PaymentView, now: Date): string =>
  page({
    title: 'Pay for your booking',
    description: 'What is to be paid for a booking, and until when.',
    content: html`
      <h1>${HEADINGS[payment.status]}</h1>
      <ul class="facts">
        <li><strong>${money(payment.amountCents, payment.currency)}</strong></li>
        <li>${booking.service.name} with ${booking.professional.businessName}</li>
        <li>${booking.scheduledDate} at ${booking.scheduledTime}, ${booking.professional.location}</li>
      </ul>
      ${payment.status === 'requires_payment' || payment.status === 'failed' ? toPay(payment, now) : ''}
      <p class="lead">Your confirmation code is <code>${booking.confirmationCode}</code>.</p>
    `,
  })

const HEADINGS: Record<PaymentView['payment']['status'], string> = {
  requires_payment: 'Pay for your booking',
  failed: 'That did not work. Try again',
  succeeded: 'Paid. Thank you',
  expired: 'The time to pay is over',
  refunding: 'Your money is on its way back',
  refunded: 'Your money was given back',
}

function toPay({ expiresAt, provider }: PaymentView['payment'], now: Date): Html {
  const minutes = Math.ceil((Date.parse(expiresAt) - now.getTime()) / 60_000)
  return html`
    <p>
      The time is held for you for
      <time datetime="${expiresAt}">${minutes} ${minutes === 1 ? 'minute' : 'minutes'}</time>
      more. Until it is paid, the booking is not confirmed.
    </p>
    ${
      provider === 'sandbox'
        ? html`<form method="post">
              <button name="outcome" value="succeeds">Pay</button>
              <button name="outcome" value="fails" class="quiet">Let the payment fail</button>
            </form>
            <p class="lead">This is a sandbox: no money is taken.</p>`
        : html`<p>Pay where you booked: the app or page that sent you here takes the payment.</p>`
    }
  `
}

const money = (cents: number, currency: string) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(wholeCurrency(cents))
