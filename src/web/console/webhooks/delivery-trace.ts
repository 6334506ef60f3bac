// The trace of a webhook delivery for the account that receives it: the request, its event, and this delivery. Statements, other
// deliveries and the attributes of other accounts' requests are left out.
import type { PartSpan, TracePart } from '../../../platform/telemetry/trace-part.ts'
import { publicEventId } from '../../../webhooks/endpoints/events.ts'
import type { DeliveryDetail } from '../../../webhooks/endpoints/schemas.ts'

/** W3C Trace Context §3.2: `00-<trace id>-<span id>-<flags>`. */
const TRACEPARENT = /^00-([0-9a-f]{32})-/

/** The trace of the latest attempt. */
export const traceIdOf = ({ attempts }: DeliveryDetail): string | undefined => {
  const sent = attempts.findLast(({ requestHeaders }) => requestHeaders?.['traceparent'] !== undefined)
  return TRACEPARENT.exec(sent?.requestHeaders?.['traceparent'] ?? '')?.[1]
}

const SHOWN = new Set([
  'http.request.method',
  'http.route',
  'http.response.status_code',
  'hearth.event.type',
  'hearth.outcome',
])

/** The parts of a trace with the spans that concern the delivery of this event. */
export function partsOfDelivery(parts: readonly TracePart[], eventId: string): TracePart[] {
  const concerns = ({ kind, attributes }: PartSpan) => {
    const event = attributes['hearth.event.id']
    if (event === undefined) return kind !== 'internal' && kind !== 'client'
    // The relay's span has the id without its public form.
    return event === eventId || publicEventId(String(event)) === eventId
  }
  return parts.flatMap((part) => {
    const spans = part.spans.filter(concerns).map((span) => ({ ...span, attributes: shownOf(span) }))
    return spans.length === 0 ? [] : [{ ...part, spans, omittedSpans: 0 }]
  })
}

const shownOf = ({ attributes }: PartSpan): PartSpan['attributes'] =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => SHOWN.has(name)))
