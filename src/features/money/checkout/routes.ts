// POST /webhooks/stripe where Stripe is configured, otherwise POST /sandbox/payments/{clientSecret}. Outside /api/v1.
import { Elysia } from 'elysia'

import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors/app-error.ts'
import { linkOfCustomer } from '../../../auth/access.ts'
import { actorOf } from '../../../auth/caller.ts'
import { readText } from '../../../http/body.ts'
import { guard } from '../../../http/guard.ts'
import { problems, returns } from '../../../http/responses.ts'
import { processNotification } from './verbs/notifications.ts'
import { payAsCustomer } from './verbs/sandbox.ts'
import { SandboxParams, SandboxPayment, SandboxReceipt } from '../../../payments/schemas.ts'
import { providerNamed } from '../../../payments/open-provider.ts'

export function paymentRoutes(deps: Deps) {
  const routes = new Elysia({ name: 'payments' }).use(sandboxPayments(deps))
  return deps.config.stripe ? routes.use(stripeNotifications(deps)) : routes
}

const sandboxPayments = (deps: Deps) =>
  new Elysia({ name: 'sandbox-payments' }).use(guard(deps)).post(
    '/sandbox/payments/:clientSecret',
    async function postSandboxPayment({ ctx, params, body, caller }) {
      return await payAsCustomer(ctx.as(actorOf(caller)), { clientSecret: params.clientSecret, outcome: body.outcome })
    },
    {
      access: linkOfCustomer,
      params: SandboxParams,
      body: SandboxPayment,
      response: {
        200: returns('The payment, and its booking or quote after the call', SandboxReceipt),
        ...problems({ 404: 'No payment has this client secret' }),
      },
      detail: {
        tags: ['Sandbox'],
        summary: 'Complete a payment in the sandbox',
        description:
          'For payments with a test key, and in development for all where no payment provider is configured. No money moves.',
      },
    },
  )

/** The signature covers the raw body, which the route reads itself. */
const stripeNotifications = (deps: Deps) =>
  new Elysia({ name: 'stripe-notifications' }).use(guard(deps)).post(
    '/webhooks/stripe',
    async function postStripeNotification({ ctx, request }) {
      const provider = providerNamed(ctx, 'stripe')
      const body = await readText(ctx, request)
      const signature = request.headers.get('stripe-signature') ?? ''
      const notification = await provider.readNotification?.(body, signature, ctx.clock.now())
      if (!notification)
        throw new AppError('invalid_signature', 'The signature does not match the body. Check STRIPE_WEBHOOK_SECRET.')
      await processNotification(ctx, { provider: provider.name, notification })
      return { received: true }
    },
    { access: { key: 'none', scopes: [], limit: 'paymentNotifications' }, detail: { hide: true } },
  )
