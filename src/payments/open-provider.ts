// Which provider takes the money, by configuration.
import { type Deps, oncePerDeps } from '../deps.ts'
import type { PaymentProvider } from './provider.ts'
import { openSandbox } from './sandbox.ts'
import { openStripe } from './stripe.ts'

/** The provider of this configuration, opened once. */
export const paymentProviderOf = oncePerDeps((deps: Deps): PaymentProvider => {
  const { stripe, environment } = deps.config
  if (stripe) return openStripe(stripe)
  if (environment === 'production')
    deps.log.warn('Payments go to the sandbox, which takes no money: set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET.')
  return openSandbox(deps)
})
