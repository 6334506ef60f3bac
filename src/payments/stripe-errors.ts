// What Stripe's errors mean (https://docs.stripe.com/api/errors): the one table of refusals and outages.
import { Stripe } from 'stripe'

/**
 * `declined`: by the bank. `too_small`: below the smallest amount. `refused`: the request cannot be fulfilled. All three are
 * refused again. `misconfigured`: the keys are wrong or lack a permission. `temporary`: a limit, an outage or no answer.
 */
export type StripeErrorKind = 'declined' | 'too_small' | 'refused' | 'misconfigured' | 'temporary'

const CODES: Readonly<Record<string, StripeErrorKind>> = {
  amount_too_small: 'too_small',
  // The first request with the same idempotency key is still in progress.
  idempotency_key_in_use: 'temporary',
  lock_timeout: 'temporary',
  api_key_expired: 'misconfigured',
  // What was read is of another account, or of test mode.
  resource_missing: 'misconfigured',
}

const { errors } = Stripe
const CLASSES: readonly [new (...args: never[]) => Error, StripeErrorKind][] = [
  [errors.StripeCardError, 'declined'],
  [errors.StripeAuthenticationError, 'misconfigured'],
  [errors.StripePermissionError, 'misconfigured'],
  [errors.StripeRateLimitError, 'temporary'],
  [errors.StripeConnectionError, 'temporary'],
  [errors.StripeAPIError, 'temporary'],
  // Another request had the key; it is forgotten after a day.
  [errors.StripeIdempotencyError, 'temporary'],
  [errors.StripeInvalidRequestError, 'refused'],
]

export function kindOfStripeError(error: unknown): StripeErrorKind {
  if (!(error instanceof errors.StripeError)) return 'temporary'
  return CODES[error.code ?? ''] ?? CLASSES.find(([type]) => error instanceof type)?.[1] ?? 'temporary'
}
