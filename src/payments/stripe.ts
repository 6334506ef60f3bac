// Stripe, through its own library. Payment intents carry our payment's id; refunds and intents carry idempotency keys.
import { SpanKind, trace } from '@opentelemetry/api'
import { Value } from '@sinclair/typebox/value'
import { Stripe } from 'stripe'

import type { StripeConfig } from '../config.ts'
import { Uuid } from '../platform/schema/types.ts'
import { inSpan } from '../platform/telemetry/trace-context.ts'
import { type Notification, type PaymentProvider, ProviderUnavailable } from './provider.ts'

const tracer = trace.getTracer('hearth.stripe')

const TIMEOUT_MS = 8000
/** How old a signed notification may be (Stripe's own default). */
const TOLERANCE_SECONDS = 300

const PAYMENT_ID = Uuid()

/** Opens Stripe. Nothing is asked of it yet. */
export function openStripe({ secretKey, webhookSecret, apiBase }: StripeConfig): PaymentProvider {
  const base = new URL(apiBase)
  const isSecure = base.protocol === 'https:'
  const stripe = new Stripe(secretKey, {
    host: base.hostname,
    port: base.port || (isSecure ? 443 : 80),
    protocol: isSecure ? 'https' : 'http',
    // Bun's fetch: the library's other client is built on node:http.
    httpClient: Stripe.createFetchHttpClient(),
    timeout: TIMEOUT_MS,
    // Our caller, or the retry of a refund, asks again under the same key: no waiting in here.
    maxNetworkRetries: 0,
    telemetry: false,
  })
  const crypto = Stripe.createSubtleCryptoProvider()
  return {
    name: 'stripe',
    createIntent: ({ paymentId, bookingId, amountCents, currency }) =>
      asked('createIntent', async () => {
        const intent = await stripe.paymentIntents.create(
          {
            amount: amountCents,
            currency: currency.toLowerCase(),
            automatic_payment_methods: { enabled: true },
            metadata: { payment_id: paymentId, booking_id: bookingId },
          },
          { idempotencyKey: `hearth-intent-${paymentId}` },
        )
        if (!intent.client_secret) throw new ProviderUnavailable('Stripe made an intent without a client secret.')
        return { intentId: intent.id, clientSecret: intent.client_secret }
      }),
    refund: ({ refundId, intentId, amountCents }) =>
      asked('refund', async () => {
        const { id, status } = await stripe.refunds.create(
          { payment_intent: intentId, amount: amountCents, metadata: { refund_id: refundId } },
          { idempotencyKey: `hearth-refund-${refundId}` },
        )
        // It stays due, and in the log, until a person has looked at it.
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

/** Of all events, those that say what became of a payment of ours. */
function notificationOf(event: Stripe.Event): Notification {
  const { id } = event
  if (event.type !== 'payment_intent.succeeded' && event.type !== 'payment_intent.payment_failed')
    return { kind: 'other', id }
  const intent = event.data.object
  const paymentId = intent.metadata['payment_id']
  // Another system may share the account, and names its payments as it likes.
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

async function asked<T>(name: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await inSpan(tracer, `stripe ${name}`, { kind: SpanKind.CLIENT }, ask)
  } catch (cause) {
    if (cause instanceof ProviderUnavailable) throw cause
    throw new ProviderUnavailable('Stripe did not do as asked.', { cause })
  }
}
