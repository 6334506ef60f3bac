// Opens the configured payment provider.
import { type Deps, oncePerDeps } from '../deps.ts'
import type { PaymentProvider } from './provider.ts'
import { openSandbox } from './sandbox.ts'
import { openStripe } from './stripe.ts'

/** The configured provider, opened on first use. */
export const paymentProviderOf = oncePerDeps((deps: Deps): PaymentProvider => {
  const { stripe, environment } = deps.config
  if (stripe) return openStripe(stripe)
  if (environment === 'production')
    deps.log.warn('Payments use the sandbox, which takes no money. Set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET.')
  return openSandbox(deps)
})
