// Opens payment providers: Stripe, and the embedded sandbox for demos, tests and test mode. One never stands in for the other.
import { randomBytes } from 'node:crypto'

import type { Config } from '../config.ts'
import { type Deps, oncePerDeps } from '../deps.ts'
import { AppError } from '../errors/app-error.ts'
import type { Metrics } from '../platform/telemetry/metrics.ts'
import { type PaymentProvider, type ProviderName, ProviderMisconfigured, ProviderNotConfigured } from './provider.ts'
import { openStripe } from './stripe.ts'

/** The sandbox moves no money and has no state. POST /sandbox/payments and the page /pay complete its payments. */
const openSandbox = ({ ids }: Deps): PaymentProvider => ({
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
const stripeOf = oncePerDeps(({ config }): PaymentProvider | undefined => config.stripe && openStripe(config.stripe))

type ProviderConfig = Pick<Config, 'stripe' | 'environment' | 'sellsNothing'>

/**
 * The provider of new payments to real pros. Undefined in production without Stripe, and for agents that may not sell: what costs
 * money is refused there.
 */
export const newPaymentProvider = ({ stripe, environment, sellsNothing }: ProviderConfig): ProviderName | undefined =>
  sellsNothing ? undefined : stripe ? 'stripe' : environment === 'production' ? undefined : 'sandbox'

/**
 * Whether what costs money can be booked by a caller who sees the test pros of this account, or (null) real pros. Test pros
 * are paid in the sandbox everywhere.
 */
export const takesPayments = (config: ProviderConfig, testAccountId: string | null): boolean =>
  !config.sellsNothing && (newPaymentProvider(config) !== undefined || testAccountId !== null)

/** The providers whose payments this process can handle. Payments of test mode need the sandbox everywhere. */
export const configuredProviders = ({ stripe }: Pick<Config, 'stripe'>): ProviderName[] =>
  stripe ? ['sandbox', 'stripe'] : ['sandbox']

/** Counts payments of a provider that this process is not configured for. */
const missesOf = oncePerDeps(() => ({ count: 0 }))

/** The provider of a stored payment. Throws {@link ProviderNotConfigured}: no other provider can handle it. */
export function providerNamed(deps: Deps, name: ProviderName): PaymentProvider {
  const provider = name === 'sandbox' ? sandboxOf(deps) : stripeOf(deps)
  if (provider) return provider
  missesOf(deps).count++
  const error = new ProviderNotConfigured(name)
  deps.log.error({ err: error, provider: name }, 'a payment needs a provider that is not configured')
  throw error
}

/** Alerts when the provider does not accept the keys of this process. */
export function reportMisconfigured(deps: Deps, error: unknown): void {
  if (!(error instanceof ProviderMisconfigured)) return
  missesOf(deps).count++
  deps.log.error({ err: error }, 'the payment provider does not accept our keys: check STRIPE_SECRET_KEY')
}

/** Registers what a process reports of its payment provider. `hearth doctor` compares the processes by it. */
export function observeProvider(deps: Deps, metrics: Pick<Metrics, 'gauge' | 'counter'>): void {
  metrics.gauge(PROVIDER_METRIC, 'The payment provider that the process is configured with', () => 1, {
    provider: describeProvider(deps.config),
  })
  metrics.counter(
    'hearth_payment_provider_missing_total',
    'Calls for payments of a provider that is not configured or does not accept its keys',
    () => missesOf(deps).count,
  )
}

export const PROVIDER_METRIC = 'hearth_payment_provider'

/** The provider of new payments, for operators. Test and live keys of Stripe have different payments. */
export const describeProvider = (config: ProviderConfig): string =>
  config.stripe
    ? `stripe with ${/^[rs]k_live_/.test(config.stripe.secretKey) ? 'live' : 'test'} keys`
    : (newPaymentProvider(config) ?? 'none')

export const paymentsNotConfigured = (replayed = false): AppError =>
  new AppError(
    'payments_not_configured',
    'This takes a payment, and no payments are taken here. Ask the pro for a quote instead.',
    { replayed },
  )
