// Stripe, through its own library. Intents carry our payment id in metadata; our ids are Stripe's idempotency keys.
import { SpanKind, trace } from '@opentelemetry/api'
import { Value } from '@sinclair/typebox/value'
import { Stripe } from 'stripe'

import type { StripeConfig } from '../config.ts'
import { OutsideWaits, outsideFetch } from '../platform/net/outside.ts'
import { Uuid } from '../platform/schema/types.ts'
import { inSpan } from '../platform/telemetry/trace-context.ts'
import {
  type IntentState,
  type Listed,
  type ListedKind,
  type Listing,
  type Notification,
  type PaymentProvider,
  type ProviderDispute,
  type ProviderRefund,
  PaymentRefused,
  ProviderMisconfigured,
  ProviderUnavailable,
  RefundRefused,
} from './provider.ts'
import { type StripeErrorKind, kindOfStripeError } from './stripe-errors.ts'

const tracer = trace.getTracer('hearth.stripe')

const TIMEOUT_MS = 8000
/** The maximum age of a signed notification (Stripe's default). */
const TOLERANCE_SECONDS = 300

const OUR_ID = Uuid()

/** Stripe's largest page. */
const PAGE = 100
/** More refunds than a payment of a visit can have in practice; a list must end. */
const MAX_LISTED = 1000

/**
 * Limits the requests in progress to Stripe, which allows 100 a second. When Stripe is slow, further requests fail at once
 * and can be tried again.
 */
const WAITS = { perHost: 128, inAll: 128, perAddress: 64 }

/** A `fetch` that does not count waiting for Stripe as work of this server. */
function boundedFetch(host: string): typeof fetch {
  const waits = new OutsideWaits(WAITS)
  const call = (input: string | URL | Request, init?: RequestInit) => waits.run(host, () => outsideFetch(input, init))
  return Object.assign(call, { preconnect: fetch.preconnect })
}

/** Opens the Stripe client without connecting. */
export function openStripe({ secretKey, webhookSecret, apiBase }: StripeConfig): PaymentProvider {
  const base = new URL(apiBase)
  const isSecure = base.protocol === 'https:'
  const stripe = new Stripe(secretKey, {
    host: base.hostname,
    port: base.port || (isSecure ? 443 : 80),
    protocol: isSecure ? 'https' : 'http',
    // The library's default client uses node:http; this one uses Bun's fetch.
    httpClient: Stripe.createFetchHttpClient(boundedFetch(base.host)),
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
        const intent = await refusedAs(paymentRefused, () =>
          stripe.paymentIntents.create(
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
          ),
        )
        if (!intent.client_secret) throw new ProviderUnavailable('Stripe returned an intent without a client secret.')
        return { intentId: intent.id, clientSecret: intent.client_secret }
      }),
    refund: ({ refundId, intentId, amountCents }) =>
      callStripe('refund', async () =>
        refundOf(
          await refusedAs(refundRefused, () =>
            stripe.refunds.create(
              { payment_intent: intentId, amount: amountCents, metadata: { refund_id: refundId } },
              { idempotencyKey: `hearth-refund-${refundId}` },
            ),
          ),
        ),
      ),
    list: (kind, from) => callStripe('list', () => listPage(stripe, kind, from)),
    readIntent: (intentId) => callStripe('readIntent', () => readIntent(stripe, intentId)),
    readNotification: async (body, signature, now) => {
      const event = await verified(() =>
        stripe.webhooks.constructEventAsync(body, signature, webhookSecret, TOLERANCE_SECONDS, crypto, now.getTime()),
      )
      return event && notificationOf(event)
    },
  }
}

/** Reads lists instead of Stripe’s search: lists include a change as soon as Stripe confirmed it, the search does not. */
async function readIntent(stripe: Stripe, intentId: string): Promise<IntentState> {
  const ofIntent = { payment_intent: intentId, limit: PAGE }
  const [intent, refunds, disputes] = await Promise.all([
    stripe.paymentIntents.retrieve(intentId),
    stripe.refunds.list(ofIntent).autoPagingToArray({ limit: MAX_LISTED }),
    stripe.disputes.list(ofIntent).autoPagingToArray({ limit: MAX_LISTED }),
  ])
  return {
    intentId,
    ...ourId('paymentId', intent.metadata['payment_id']),
    capturedCents: intent.amount_received,
    currency: intent.currency.toUpperCase(),
    refunds: refunds.map(refundOf).toReversed(),
    disputes: disputes.map(disputeOf).toReversed(),
  }
}

async function listPage(
  stripe: Stripe,
  kind: ListedKind,
  { since, after }: { since: Date; after: string | undefined },
): Promise<Listing> {
  const created = { gte: Math.floor(since.getTime() / 1000) }
  const query = { created, limit: PAGE, ...(after === undefined ? {} : { starting_after: after }) }
  if (kind === 'intents')
    return pageOf(await stripe.paymentIntents.list(query), ({ id, amount_received: cents }) => ({
      intentId: id,
      cents,
      state: cents > 0 ? 'captured' : 'open',
    }))
  if (kind === 'refunds')
    return pageOf(await stripe.refunds.list(query), (refund) => ({
      intentId: idOf(refund.payment_intent),
      cents: refund.amount,
      state: refundState(refund.status).state,
    }))
  return pageOf(await stripe.disputes.list(query), (dispute) => ({
    intentId: idOf(dispute.payment_intent),
    cents: dispute.amount,
    state: disputeState(dispute.status).state,
  }))
}

/** A page of a list, without objects that belong to no intent: another system made them. */
const pageOf = <T extends { id: string }>(
  { data, has_more: hasMore }: Stripe.ApiList<T>,
  show: (object: T) => Omit<Listed, 'id' | 'intentId'> & { intentId: string | undefined },
): Listing => ({
  listed: data.flatMap((object) => {
    const { intentId, ...rest } = show(object)
    return intentId === undefined ? [] : [{ id: object.id, intentId, ...rest }]
  }),
  after: hasMore ? data.at(-1)?.id : undefined,
})

const idOf = (intent: string | Stripe.PaymentIntent | null | undefined): string | undefined =>
  typeof intent === 'string' ? intent : intent?.id

/** Another system may share the Stripe account and use other ids. */
const ourId = <Name extends string>(name: Name, id: string | undefined): { [N in Name]?: string } =>
  Value.Check(OUR_ID, id) ? ({ [name]: id } as { [N in Name]?: string }) : {}

const refundOf = ({ id, amount, status, metadata, failure_reason: failure }: Stripe.Refund): ProviderRefund => ({
  id,
  ...ourId('refundId', metadata?.['refund_id']),
  amountCents: amount,
  ...refundState(status, failure),
})

/** Stripe accepted a refund that is `pending` or `requires_action` (of the customer). */
function refundState(status: string | null, failure = 'unknown'): Pick<ProviderRefund, 'state' | 'failure'> {
  if (status === 'failed') return { state: 'failed', failure }
  if (status === 'canceled') return { state: 'failed', failure: 'canceled' }
  return { state: status === 'succeeded' ? 'done' : 'submitted', failure: null }
}

function disputeOf({ id, amount, reason, status, created }: Stripe.Dispute): ProviderDispute {
  const openedAt = new Date(created * 1000).toISOString()
  return { id, amountCents: amount, reason, ...disputeState(status), openedAt }
}

/** An inquiry (`warning_…`) takes no money. An appeal begins after the dispute is lost: the money is gone until it is won. */
function disputeState(status: Stripe.Dispute.Status): Pick<ProviderDispute, 'state' | 'isInquiry'> {
  const isInquiry = status.startsWith('warning_')
  if (status === 'won' || status === 'prevented' || status === 'warning_closed') return { state: 'won', isInquiry }
  return { state: status === 'lost' || status.startsWith('appeal_') ? 'lost' : 'open', isInquiry }
}

/** The notification of an event; `other` unless it is about one of our payments. */
function notificationOf(event: Stripe.Event): Notification {
  const { id } = event
  if (event.type === 'payment_intent.succeeded' || event.type === 'payment_intent.payment_failed')
    return paymentNotification(id, event.type === 'payment_intent.succeeded', event.data.object)
  const { object } = event.data
  const intentId = CHANGES.has(event.type) && 'payment_intent' in object ? idOf(object.payment_intent) : undefined
  return intentId === undefined ? { kind: 'other', id } : { kind: 'changed', id, intentId }
}

/** The events about refunds and disputes. */
const CHANGES: ReadonlySet<string> = new Set([
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
])

function paymentNotification(id: string, isCaptured: boolean, intent: Stripe.PaymentIntent): Notification {
  const { paymentId } = ourId('paymentId', intent.metadata['payment_id'])
  if (paymentId === undefined) return { kind: 'other', id }
  if (!isCaptured) return { kind: 'failed', id, paymentId }
  const { amount_received: amountCents, currency } = intent
  return { kind: 'captured', id, paymentId, intentId: intent.id, amountCents, currency: currency.toUpperCase() }
}

type Refusal = Exclude<StripeErrorKind, 'misconfigured' | 'temporary'>

const paymentRefused = (cause: unknown, reason: Refusal) => new PaymentRefused(reason, { cause })
const refundRefused = (cause: unknown) =>
  new RefundRefused(cause instanceof Error ? cause.message : String(cause), { cause })

/** Tells Stripe's refusal from a failure: it made nothing, and the same request is refused again. */
async function refusedAs<T>(refusal: (cause: unknown, reason: Refusal) => Error, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    const kind = kindOfStripeError(error)
    throw kind === 'misconfigured' || kind === 'temporary' ? error : refusal(error, kind)
  }
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
    if (cause instanceof ProviderUnavailable || cause instanceof RefundRefused || cause instanceof PaymentRefused)
      throw cause
    if (kindOfStripeError(cause) === 'misconfigured')
      throw new ProviderMisconfigured('Stripe does not accept STRIPE_SECRET_KEY.', { cause })
    throw new ProviderUnavailable('The call to Stripe failed.', { cause })
  }
}
