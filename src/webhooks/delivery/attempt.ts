// One attempt: the signed request that carries an event, and what came of it.
import { SpanKind, context, trace } from '@opentelemetry/api'
import { LRUCache } from 'lru-cache'

import { type Deps, oncePerDeps } from '../../deps.ts'
import { type Outbound, type Outcome, openOutbound } from '../../platform/net/outbound-fetch.ts'
import { contextOf, currentTraceparent, inSpan } from '../../platform/telemetry/trace-context.ts'
import type { Claimed } from './queries.ts'
import { openSecret } from '../endpoints/secrets.ts'
import { sign } from './signature.ts'

/** For the whole of an attempt. */
export const ATTEMPT_LIMIT_MS = 15_000
/** How much of an answer is kept. */
const ANSWER_BYTES = 4096
const USER_AGENT = 'Hearth-Webhooks/1.0'

const tracer = trace.getTracer('hearth.webhooks')

/** How webhooks leave, by this configuration. */
export const outboundOf = oncePerDeps(({ config }) =>
  openOutbound({
    allowPrivate: config.webhookAllowPrivate,
    httpsOnly: config.environment === 'production',
    timeoutMs: ATTEMPT_LIMIT_MS,
    answerBytes: ANSWER_BYTES,
  }),
)

/** As much of a delivery as an attempt is made of. */
export type Sendable = Pick<Claimed, 'eventId' | 'type' | 'body' | 'traceparent' | 'url' | 'secrets'>

/**
 * Signs at this moment and sends. The same event keeps its id and its bytes at every attempt; the signature's time is
 * the attempt's own, so that receivers may refuse old ones.
 */
export async function sendEvent(deps: Deps, outbound: Outbound, event: Sendable): Promise<Outcome> {
  const options = {
    kind: SpanKind.CLIENT,
    attributes: { 'hearth.event.type': event.type, 'hearth.event.id': event.eventId },
  }
  return await context.with(contextOf(event.traceparent), () =>
    inSpan(tracer, 'deliver webhook', options, async () => {
      const secrets = event.secrets.map((sealed) => secretsOf(deps)(sealed))
      const traceparent = currentTraceparent() ?? event.traceparent
      const outcome = await outbound.post(
        event.url,
        {
          'content-type': 'application/json',
          'user-agent': USER_AGENT,
          'x-webhook-signature': sign(secrets, Math.floor(deps.clock.now().getTime() / 1000), event.body),
          'x-webhook-event': event.type,
          'x-webhook-id': event.eventId,
          ...(traceparent ? { traceparent } : {}),
        },
        event.body,
      )
      trace
        .getActiveSpan()
        ?.setAttribute('hearth.outcome', outcome.kind === 'answered' ? outcome.status : outcome.reason)
      return outcome
    }),
  )
}

/** Opening a seal costs a key derivation: the same secret signs thousands of times. */
const secretsOf = oncePerDeps((deps) => {
  const opened = new LRUCache<string, string>({ max: 10_000, ttl: 600_000 })
  return (sealed: string): string => {
    const secret = opened.get(sealed) ?? openSecret(deps, sealed)
    opened.set(sealed, secret)
    return secret
  }
})
