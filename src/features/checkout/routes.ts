// POST /webhooks/stripe where Stripe is configured, otherwise POST /sandbox/payments/{clientSecret}. Outside /api/v1.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors/app-error.ts'
import { type Access, probe } from '../../auth/access.ts'
import { readText } from '../../http/body.ts'
import { ACCESS_KEY, guard } from '../../http/guard.ts'
import { json } from '../../http/json.ts'
import { processNotification } from './verbs/notifications.ts'
import { paySandbox } from './verbs/sandbox.ts'
import { SandboxParams, SandboxPayment, SandboxReceipt } from '../../payments/schemas.ts'
import { paymentProviderOf } from '../../payments/open-provider.ts'

/** The client secret in the path is the authorization. */
const withoutKey: Access = { key: 'none', scopes: [] }

/** The provider calls it; it is not part of the documented API. */
const SIGNED = { detail: { hide: true, [ACCESS_KEY]: probe } }

export const paymentRoutes = (deps: Deps) =>
  new Elysia({ name: 'payments' }).use(deps.config.stripe ? stripeNotifications(deps) : sandboxPayments(deps))

const sandboxPayments = (deps: Deps) =>
  new Elysia({ name: 'sandbox-payments' }).use(guard(deps)).post(
    '/sandbox/payments/:clientSecret',
    async function postSandboxPayment({ params, body }) {
      return json(await paySandbox(deps, params.clientSecret, body.outcome))
    },
    {
      access: withoutKey,
      params: SandboxParams,
      body: SandboxPayment,
      answers: {
        200: { description: 'The payment and its booking after the call', schema: SandboxReceipt },
        404: { description: 'No payment has this client secret' },
      },
      detail: {
        tags: ['Sandbox'],
        summary: 'Complete a payment in the sandbox',
        description: 'Exists only when no payment provider is configured. No money moves.',
      },
    },
  )

/**
 * Outside the guard: the signature covers the raw bytes, and Stripe's few addresses must not be rate-limited like clients.
 */
const stripeNotifications = (deps: Deps) =>
  new Elysia({ name: 'stripe-notifications' }).post(
    '/webhooks/stripe',
    async function postStripeNotification({ request }) {
      const provider = paymentProviderOf(deps)
      const body = await readText(request)
      const signature = request.headers.get('stripe-signature') ?? ''
      const notification = await provider.readNotification?.(body, signature, deps.clock.now())
      if (!notification)
        throw new AppError('invalid_signature', 'The signature does not match the body. Check STRIPE_WEBHOOK_SECRET.')
      await processNotification(deps, provider.name, notification)
      return json({ received: true })
    },
    { parse: 'none', ...SIGNED },
  )
