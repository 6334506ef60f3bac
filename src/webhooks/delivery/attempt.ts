// One attempt: the signed request that carries an event.
import { SpanKind, context, trace } from '@opentelemetry/api'
import { LRUCache } from 'lru-cache'

import { type Deps, oncePerDeps } from '../../deps.ts'
import { type Outbound, type Outcome, openOutbound } from '../../platform/net/outbound-fetch.ts'
import { contextOf, currentTraceparent, inSpan } from '../../platform/telemetry/trace-context.ts'
import type { ClaimedDelivery } from './queries.ts'
import { decryptSecret } from './secrets.ts'
import { sign, signStandard } from './signature.ts'

/** The longest attempt. */
export const ATTEMPT_LIMIT_MS = 15_000
/** How much of a response is stored. */
const RESPONSE_BYTES = 4096
const USER_AGENT = 'Hearth-Webhooks/1.0'

const tracer = trace.getTracer('hearth.webhooks')

/** The HTTP client of webhooks, by this configuration. */
export const outboundOf = oncePerDeps(({ config }) =>
  openOutbound({
    allowPrivate: config.webhookAllowPrivate,
    httpsOnly: config.environment === 'production',
    timeoutMs: ATTEMPT_LIMIT_MS,
    maxResponseBytes: RESPONSE_BYTES,
  }),
)

/** The outcome of an attempt, and the headers that were sent; null if nothing was. */
export interface Attempted {
  outcome: Outcome
  requestHeaders: Readonly<Record<string, string>> | null
}

/**
 * Signs and sends an event. It keeps its id and its bytes at every attempt; the signature has the attempt's own time, so
 * that receivers may refuse old ones.
 */
export async function sendEvent(
  deps: Deps,
  outbound: Outbound,
  event: Pick<ClaimedDelivery, 'eventId' | 'type' | 'body' | 'traceparent' | 'url' | 'secrets'>,
): Promise<Attempted> {
  const options = {
    kind: SpanKind.CLIENT,
    attributes: { 'hearth.event.type': event.type, 'hearth.event.id': event.eventId },
  }
  return await context.with(contextOf(event.traceparent), () =>
    inSpan(tracer, 'deliver webhook', options, async () => {
      const secrets = event.secrets.map((encrypted) => secretsOf(deps)(encrypted))
      const traceparent = currentTraceparent() ?? event.traceparent
      const seconds = Math.floor(deps.clock.now().getTime() / 1000)
      const headers = {
        'content-type': 'application/json',
        'user-agent': USER_AGENT,
        'x-webhook-signature': sign(secrets, seconds, event.body),
        'x-webhook-event': event.type,
        'x-webhook-id': event.eventId,
        'webhook-id': event.eventId,
        'webhook-timestamp': String(seconds),
        'webhook-signature': signStandard(secrets, event.eventId, seconds, event.body),
        ...(traceparent ? { traceparent } : {}),
      }
      const outcome = await outbound.post(event.url, headers, event.body)
      trace
        .getActiveSpan()
        ?.setAttribute('hearth.outcome', outcome.kind === 'answered' ? outcome.status : outcome.reason)
      return { outcome, requestHeaders: outcome.kind === 'refused' ? null : headers }
    }),
  )
}

/** Decryption derives a key, which is slow: the same secret signs thousands of times. */
const secretsOf = oncePerDeps((deps) => {
  const decrypted = new LRUCache<string, string>({ max: 10_000, ttl: 600_000 })
  return (encrypted: string): string => {
    const secret = decrypted.get(encrypted) ?? decryptSecret(deps, encrypted)
    decrypted.set(encrypted, secret)
    return secret
  }
})
