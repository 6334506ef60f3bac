// Opens the configured payment provider: Stripe, or the embedded sandbox for demos and tests.
import { randomBytes } from 'node:crypto'

import { type Deps, oncePerDeps } from '../deps.ts'
import type { PaymentProvider, ProviderName } from './provider.ts'
import { openStripe } from './stripe.ts'

/** The sandbox moves no money and has no state. POST /sandbox/payments and the page /pay complete its payments. */
const openSandbox = ({ ids }: Pick<Deps, 'ids'>): PaymentProvider => ({
  name: 'sandbox',
  createIntent: () =>
    Promise.resolve({
      intentId: `sandbox_${ids.uuid()}`,
      clientSecret: `sandbox_secret_${randomBytes(24).toString('base64url')}`,
    }),
  refund: ({ refundId, amountCents }) =>
    Promise.resolve({ id: `sandbox_refund_${refundId}`, refundId, amountCents, state: 'done', failure: null }),
})

const sandboxOf = oncePerDeps(openSandbox)

/** The configured provider, opened on first use. */
export const paymentProviderOf = oncePerDeps((deps: Deps): PaymentProvider => {
  const { stripe, environment } = deps.config
  if (stripe) return openStripe(stripe)
  if (environment === 'production')
    deps.log.warn('Payments use the sandbox, which takes no money. Set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET.')
  return sandboxOf(deps)
})

/** The provider of a stored payment: those of test mode are the sandbox's, whichever provider is configured. */
export const providerNamed = (deps: Deps, name: ProviderName): PaymentProvider =>
  name === 'sandbox' ? sandboxOf(deps) : paymentProviderOf(deps)
