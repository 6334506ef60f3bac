// The `webhooks` section of the OpenAPI document: a path item per event.
import { type TSchema, Type } from '@sinclair/typebox'

import { Booking } from '../../features/booking/bookings/schemas.ts'
import { Quote } from '../../features/quoting/quotes/schemas.ts'
import { RfqReceipt } from '../../features/quoting/rfqs/schemas.ts'
import { ProReview } from '../../features/reviews/reviews/schemas.ts'
import { Schedule } from '../../features/calendar/schedule/schemas.ts'
import { PaymentUpdate } from '../../payments/schemas.ts'
import { EVENTS, type EventKind, EVENT_KINDS } from './events.ts'
import { webhookBody } from './schemas.ts'
import type { SchemaCollector } from '../../http/openapi/schemas.ts'

/** The schema of an event's subject, by the event's first word. */
const OBJECTS: Record<string, TSchema> = {
  booking: Booking,
  rfq: RfqReceipt,
  quote: Quote,
  review: ProReview,
  payment: PaymentUpdate,
  availability: Type.Composite([Type.Object({ professionalId: Type.String() }), Schedule]),
}

const header = (name: string, description: string, schema: object) => ({
  name,
  in: 'header',
  required: name !== 'traceparent',
  description,
  schema: { type: 'string', ...schema },
})

const HEADERS = [
  header(
    'X-Webhook-Signature',
    'HMAC-SHA256 with the endpoint’s secret over the timestamp, a period and the raw body; one `v1` per secret in use',
    { pattern: '^t=\\d+(,v1=[0-9a-f]{64})+$' },
  ),
  header('X-Webhook-Event', 'The type of the event', {}),
  header('X-Webhook-Id', 'The event’s id, the same at each attempt: skip an event that you have handled before', {
    pattern: '^evt_[0-9a-f]{32}$',
  }),
  header('webhook-id', 'The event’s id, for libraries of Standard Webhooks', { pattern: '^evt_[0-9a-f]{32}$' }),
  header('webhook-timestamp', 'The time of the attempt in Unix seconds', { pattern: '^\\d+$' }),
  header(
    'webhook-signature',
    'Standard Webhooks: HMAC-SHA256 with the decoded secret over id, timestamp and raw body, joined by periods; one `v1` per secret in use',
    { pattern: '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$' },
  ),
  header('traceparent', 'The trace of the request that caused the event (W3C Trace Context)', {}),
]

export const webhookPathItems = (schemas: SchemaCollector): Record<string, object> =>
  Object.fromEntries(EVENT_KINDS.map((kind) => [kind, { post: operationOf(kind, schemas) }]))

function operationOf(kind: EventKind, schemas: SchemaCollector): object {
  const words = kind.split(/[._]/)
  const object = OBJECTS[words[0] ?? '']
  if (!object) throw new Error(`OBJECTS lacks the subject of ${kind}.`)
  return {
    operationId: `send${words.map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`).join('')}`,
    tags: ['Webhooks'],
    summary: EVENTS[kind],
    description:
      'Sent to each enabled endpoint that subscribes to it, until the endpoint responds with 2xx or the retries are used up. Delivered at least once.',
    // Receivers authenticate Hearth by the signature, which no security scheme of OpenAPI describes.
    security: [],
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schemas.add(webhookBody(kind, object)) } },
    },
    responses: {
      '2XX': { description: 'Accepted. Respond within 15 seconds and do the work afterwards' },
      '410': { description: 'The endpoint no longer exists: it is disabled at once' },
      default: { description: 'Retried later, not before `Retry-After`' },
    },
  }
}
