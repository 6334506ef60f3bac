// /pay/{clientSecret}: a payment with its amount and deadline. The sandbox's buttons simulate a bank.
import { Elysia } from 'elysia'

import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import { getCustomerTerms } from '../../../features/booking/bookings/verbs/customer-actions.ts'
import { type PaymentView, getPaymentView, payAsCustomer } from '../../../features/money/checkout/verbs/sandbox.ts'
import { customerUrl } from '../../../features/quoting/quotes/verbs/link-tokens.ts'
import type { Quote } from '../../../features/quoting/quotes/schemas.ts'
import type { Payment } from '../../../payments/verbs/payments.ts'
import { publicPage } from '../../../auth/access.ts'
import { checkedFields, readForm } from '../../../http/form.ts'
import { guard } from '../../../http/guard.ts'
import { queryOf } from '../../../http/request-target.ts'
import { actorOfBrowser } from '../../../http/session.ts'
import { bookingPathFor, holdsLink } from '../held-links.ts'
import { redirect, renderPersonalPage, withPageFor } from '../../ui/responses.tsx'
import { PayForm, type Payable, confirmingPage, paymentPage, unknownPaymentPage } from './view.tsx'

const PATH = '/pay/:clientSecret'
/** How often the page reloads to check whether the payment has arrived: for a minute, after which the customer reloads it. */
const CHECKS = 30
const CHECK_EVERY_S = 2

export const payPages = (deps: Deps) => {
  const publishableKey = deps.config.stripe?.publishableKey
  return new Elysia({ name: 'pay-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getPayPage({ ctx, params, request }) {
        // Stripe often redirects the customer here before its webhook arrives: the page reloads until then.
        const query = queryOf(request.url)
        const hasPaid = query.get('redirect_status') === 'succeeded'
        const checks = Number(/^\d{1,2}$/.exec(query.get('checks') ?? '0')?.[0] ?? CHECKS)
        return await withPageFor(
          request,
          'payment_not_found',
          async () => {
            const view = await getPaymentView(ctx, { clientSecret: params.clientSecret })
            const payable = await payableOf(ctx, request, view)
            const isConfirming = hasPaid && view.payment.status === 'requires_payment'
            const isChecking = isConfirming && checks < CHECKS
            const content = isConfirming ? confirmingPage(payable, isChecking) : paymentPage(payable, publishableKey)
            return renderPersonalPage(request, content, {
              ...(publishableKey ? { sources: STRIPE_SOURCES } : {}),
              ...(isChecking ? { headers: { refresh: `${CHECK_EVERY_S}; url=?${nextCheck(query, checks)}` } } : {}),
            })
          },
          () => unknownPaymentPage,
        )
      },
      { access: publicPage, caching: 'personal' },
    )
    .post(
      PATH,
      async function postPayPage({ ctx, params, request }) {
        const { outcome } = checkedFields(PayForm, await readForm(ctx, request))
        return await withPageFor(
          request,
          'payment_not_found',
          async () => {
            const { clientSecret } = params
            await payAsCustomer(ctx.as(await actorOfBrowser(ctx, request)), { clientSecret, outcome })
            return redirect(`/pay/${encodeURIComponent(clientSecret)}`)
          },
          () => unknownPaymentPage,
        )
      },
      { access: publicPage, form: PayForm },
    )
}

/** The query of the page that checks once more. */
function nextCheck(query: URLSearchParams, checks: number): string {
  const next = new URLSearchParams(query)
  next.set('checks', String(checks + 1))
  return next.toString()
}

/**
 * A payment with its booking or quote, and the pages around it. A link to pay never leads to a page that can change more than
 * the payment.
 */
async function payableOf(ctx: Ctx, request: Request, { payment, booking, quote }: PaymentView): Promise<Payable> {
  const { clock } = ctx
  if (booking)
    return {
      payment,
      now: clock.now(),
      booking,
      terms: await getCustomerTerms(ctx, { id: booking.id }),
      path: bookingPathFor(ctx, request, booking.id),
    }
  if (quote) return { payment, now: clock.now(), quote, path: quotePathFor(ctx, request, quote, payment) }
  throw new Error('A payment is for a booking or a quote.')
}

/** The page of the quote for a browser that opened its link, otherwise the signed-in customer's requests. */
const quotePathFor = (ctx: Ctx, request: Request, { id, rfqId }: Quote, { expiresAt }: Payment): string | undefined =>
  holdsLink(ctx, request, id) || holdsLink(ctx, request, rfqId)
    ? new URL(customerUrl(ctx, { quoteId: id, validUntil: new Date(expiresAt) })).pathname
    : undefined

/** The sources of Stripe's form (docs.stripe.com/security/guide#content-security-policy). */
const STRIPE_SOURCES = {
  'script-src': "'self' https://js.stripe.com",
  'frame-src': 'https://js.stripe.com https://hooks.stripe.com',
  'connect-src': 'https://api.stripe.com',
}
