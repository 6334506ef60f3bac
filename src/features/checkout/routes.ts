// POST /webhooks/stripe, where Stripe is configured; POST /sandbox/payments/{clientSecret} otherwise. Outside /api/v1.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors/app-error.ts'
import { type Access, probe } from '../../auth/access.ts'
import { readText } from '../../http/body.ts'
import { ACCESS_KEY, guard } from '../../http/guard.ts'
import { json } from '../../http/json.ts'
import { takeNotification } from './verbs/payments.ts'
import { paySandbox } from './verbs/sandbox.ts'
import { SandboxParams, SandboxPayment, SandboxReceipt } from '../../payments/schemas.ts'
import { paymentProviderOf } from '../../payments/open-provider.ts'

/** Whoever has the client secret may pay with it. */
const anyone: Access = { key: 'none', scopes: [] }

/** Not a part of the API: the provider calls it. */
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
      access: anyone,
      params: SandboxParams,
      body: SandboxPayment,
      answers: {
        200: { description: 'The payment and its booking as they are now', schema: SandboxReceipt },
        404: { description: 'No payment has this client secret' },
      },
      detail: {
        tags: ['Sandbox'],
        summary: 'Complete a payment without money',
        description: 'Only where no real payment provider is configured.',
      },
    },
  )

/**
 * The signature is over the raw bytes, so the gate's JSON is of no use here. Stripe sends from a few addresses: they are
 * not limited like clients.
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
        throw new AppError('invalid_signature', 'The body is not signed with the secret of this endpoint.')
      await takeNotification(deps, provider.name, notification)
      return json({ received: true })
    },
    { parse: 'none', ...SIGNED },
  )
