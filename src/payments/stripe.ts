// Stripe, through its own library. Intents carry our payment id in metadata; our ids are Stripe's idempotency keys.
import { SpanKind, trace } from '@opentelemetry/api'
import { Value } from '@sinclair/typebox/value'
import { Stripe } from 'stripe'

import type { StripeConfig } from '../config.ts'
import { Uuid } from '../platform/schema/types.ts'
import { inSpan } from '../platform/telemetry/trace-context.ts'
import { type Notification, type PaymentProvider, ProviderUnavailable } from './provider.ts'

const tracer = trace.getTracer('hearth.stripe')

const TIMEOUT_MS = 8000
/** The maximum age of a signed notification (Stripe's default). */
const TOLERANCE_SECONDS = 300

const PAYMENT_ID = Uuid()

/** Opens the Stripe client without connecting. */
export function openStripe({ secretKey, webhookSecret, apiBase }: StripeConfig): PaymentProvider {
  const base = new URL(apiBase)
  const isSecure = base.protocol === 'https:'
  const stripe = new Stripe(secretKey, {
    host: base.hostname,
    port: base.port || (isSecure ? 443 : 80),
    protocol: isSecure ? 'https' : 'http',
    // The library's default client uses node:http; this one uses Bun's fetch.
    httpClient: Stripe.createFetchHttpClient(),
    timeout: TIMEOUT_MS,
    // Callers and the refund sweep retry with the same idempotency key.
    maxNetworkRetries: 0,
    telemetry: false,
  })
  const crypto = Stripe.createSubtleCryptoProvider()
  return {
    name: 'stripe',
    createIntent: ({ paymentId, purpose, amountCents, currency }) =>
      callStripe('createIntent', async () => {
        const intent = await stripe.paymentIntents.create(
          {
            amount: amountCents,
            currency: currency.toLowerCase(),
            automatic_payment_methods: { enabled: true },
            metadata: {
              payment_id: paymentId,
              ...('bookingId' in purpose ? { booking_id: purpose.bookingId } : { quote_id: purpose.quoteId }),
            },
          },
          { idempotencyKey: `hearth-intent-${paymentId}` },
        )
        if (!intent.client_secret) throw new ProviderUnavailable('Stripe returned an intent without a client secret.')
        return { intentId: intent.id, clientSecret: intent.client_secret }
      }),
    refund: ({ refundId, intentId, amountCents }) =>
      callStripe('refund', async () => {
        const { id, status } = await stripe.refunds.create(
          { payment_intent: intentId, amount: amountCents, metadata: { refund_id: refundId } },
          { idempotencyKey: `hearth-refund-${refundId}` },
        )
        // The refund stays due and is logged at each attempt until a person resolves it.
        if (status === 'failed' || status === 'canceled') throw new ProviderUnavailable(`A refund is ${status}.`)
        return id
      }),
    readNotification: async (body, signature, now) => {
      const event = await verified(() =>
        stripe.webhooks.constructEventAsync(body, signature, webhookSecret, TOLERANCE_SECONDS, crypto, now.getTime()),
      )
      return event && notificationOf(event)
    },
  }
}

/** The notification of an event; `other` unless it is the result of one of our payments. */
function notificationOf(event: Stripe.Event): Notification {
  const { id } = event
  if (event.type !== 'payment_intent.succeeded' && event.type !== 'payment_intent.payment_failed')
    return { kind: 'other', id }
  const intent = event.data.object
  const paymentId = intent.metadata['payment_id']
  // Another system may share the Stripe account and use other ids.
  if (!Value.Check(PAYMENT_ID, paymentId)) return { kind: 'other', id }
  if (event.type === 'payment_intent.payment_failed') return { kind: 'failed', id, paymentId }
  const { amount_received: amountCents, currency } = intent
  return { kind: 'captured', id, paymentId, intentId: intent.id, amountCents, currency: currency.toUpperCase() }
}

async function verified(construct: () => Promise<Stripe.Event>): Promise<Stripe.Event | undefined> {
  try {
    return await construct()
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError || error instanceof SyntaxError)
      return undefined
    throw error
  }
}

async function callStripe<T>(name: string, call: () => Promise<T>): Promise<T> {
  try {
    return await inSpan(tracer, `stripe ${name}`, { kind: SpanKind.CLIENT }, call)
  } catch (cause) {
    if (cause instanceof ProviderUnavailable) throw cause
    throw new ProviderUnavailable('The call to Stripe failed.', { cause })
  }
}
