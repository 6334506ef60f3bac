// The shapes of webhook endpoints, deliveries and events.
import { type Static, type TSchema, Type } from '@sinclair/typebox'

import { Integer, Natural } from '../../platform/schema/numbers.ts'
import { Instant, Name, Nullable, OneOf, Text, Uri, Uuid } from '../../platform/schema/types.ts'
import { PageMeta, pageParameters } from '../../platform/schema/paging.ts'
import { EVENT_KINDS } from './events.ts'

const url = Uri({
  description: 'The receiver of the events: an https URL on the public Internet',
  examples: ['https://shop.example/hooks'],
})
const events = Type.Array(OneOf(EVENT_KINDS), { minItems: 1, maxItems: 50, uniqueItems: true })
const ordered = Type.Boolean({
  default: false,
  description:
    'One delivery at a time, in the order of the events: each waits until the previous one has succeeded or failed for good',
})
const maxRetries = Integer({
  minimum: 0,
  maximum: 15,
  default: 8,
  description: 'Attempts after the first one',
})

export const NewWebhook = Type.Object(
  {
    name: Name({ examples: ['Orders'] }),
    url,
    events,
    ordered: Type.Optional(ordered),
    maxRetries: Type.Optional(maxRetries),
  },
  { $id: 'NewWebhook', additionalProperties: false },
)
export type NewWebhook = Static<typeof NewWebhook>

export const WebhookChange = Type.Object(
  {
    name: Type.Optional(Name()),
    url: Type.Optional(url),
    events: Type.Optional(events),
    ordered: Type.Optional(Type.Boolean()),
    maxRetries: Type.Optional(Integer({ minimum: 0, maximum: 15 })),
    status: Type.Optional(
      OneOf(['enabled', 'disabled'], {
        description: 'A disabled endpoint receives nothing; its pending deliveries fail and can be replayed',
      }),
    ),
  },
  { $id: 'WebhookChange', additionalProperties: false, minProperties: 1 },
)
export type WebhookChange = Static<typeof WebhookChange>

const shape = {
  id: Type.String(),
  name: Type.String(),
  url: Type.String(),
  events: Type.Array(OneOf(EVENT_KINDS)),
  ordered: Type.Boolean(),
  maxRetries: Natural(),
  status: OneOf(['enabled', 'disabled']),
  disabledReason: Nullable(
    OneOf(['by_owner', 'gone', 'failing'], {
      description: '`gone`: the endpoint responded with 410. `failing`: five days without success',
    }),
  ),
  disabledAt: Nullable(Instant()),
  failingSince: Nullable(Instant({ description: 'Since when no delivery has succeeded' })),
  previousSecretUntil: Nullable(Instant({ description: 'Until when the previous secret also signs' })),
  createdAt: Instant(),
  updatedAt: Instant(),
}

export const Webhook = Type.Object(shape, { $id: 'Webhook' })
export type Webhook = Static<typeof Webhook>

const secret = Type.String({ description: 'Signs the deliveries. Shown only once', examples: ['whsec_2l9zfZ…'] })
export const WebhookWithSecret = Type.Object({ ...shape, secret }, { $id: 'WebhookWithSecret' })
export type WebhookWithSecret = Static<typeof WebhookWithSecret>

export const WebhookList = Type.Object({ webhooks: Type.Array(Webhook), meta: PageMeta }, { $id: 'WebhookList' })
export type WebhookList = Static<typeof WebhookList>

export const WebhookParams = Type.Object({ id: Uuid() })

const EventId = Type.String({
  pattern: '^evt_[0-9a-f]{32}$',
  description: 'The event’s id',
  examples: ['evt_019a9f0c5d3c7e1fa1b2c3d4e5f60718'],
})
export const DeliveryParams = Type.Object({ id: Uuid(), eventId: EventId })

export const DeliveryState = OneOf(['pending', 'delivered', 'failed'])
export type DeliveryState = Static<typeof DeliveryState>

const attempt = {
  number: Natural(),
  at: Instant(),
  durationMs: Natural(),
  status: Nullable(Natural({ description: 'The HTTP status of the response' })),
  error: Nullable(Type.String({ description: 'Why there was no response' })),
}

const delivery = {
  eventId: Type.String(),
  type: Type.String(),
  state: DeliveryState,
  attemptsMade: Natural(),
  nextAttemptAt: Nullable(Instant()),
  createdAt: Instant(),
  finishedAt: Nullable(Instant()),
}

export const Delivery = Type.Object(
  { ...delivery, attempts: Type.Array(Type.Object(attempt), { description: 'Oldest first' }) },
  { $id: 'Delivery' },
)
export type Delivery = Static<typeof Delivery>

export const DeliveryDetail = Type.Object(
  {
    ...delivery,
    body: Type.String({ description: 'The exact body that is sent' }),
    attempts: Type.Array(
      Type.Object({
        ...attempt,
        requestHeaders: Nullable(
          Type.Record(Type.String(), Type.String(), {
            description: 'As they were sent; null if nothing was, or for an attempt before 0.2.0',
          }),
        ),
        response: Nullable(Type.String({ description: 'The first 4 KiB of the response' })),
      }),
    ),
  },
  { $id: 'DeliveryDetail' },
)
export type DeliveryDetail = Static<typeof DeliveryDetail>

export const DeliveryQuery = Type.Object({ state: Type.Optional(DeliveryState), ...pageParameters })
export type DeliveryQuery = Static<typeof DeliveryQuery>

/** Which deliveries of an account to list. */
export interface DeliveryFilter {
  endpointId?: string | undefined
  type?: string | undefined
  state?: DeliveryState | undefined
  /** The id of an event, or the id or booking code of what it is about. */
  about?: string | undefined
  /** Created on this day, in UTC. */
  day?: string | undefined
  limit?: number | undefined
  offset?: number | undefined
}

/** A delivery in a list of several endpoints. */
export type AccountDelivery = Delivery & { endpoint: { id: string; name: string } }

export const DeliveryList = Type.Object({ deliveries: Type.Array(Delivery), meta: PageMeta }, { $id: 'DeliveryList' })
export type DeliveryList = Static<typeof DeliveryList>

export const TestSent = Type.Object(
  { eventId: Type.String({ description: 'Follow it at `…/deliveries/{eventId}`' }) },
  { $id: 'WebhookTestSent' },
)
export type TestSent = Static<typeof TestSent>

export const ReplayInput = Type.Object(
  {
    from: Instant({ description: 'The start of the period, inclusive' }),
    to: Instant({ description: 'The end of the period, exclusive' }),
    state: Type.Optional(
      OneOf(['delivered', 'failed', 'all'], { default: 'failed', description: 'The deliveries to replay' }),
    ),
  },
  { $id: 'WebhookReplay', additionalProperties: false },
)
export type ReplayInput = Static<typeof ReplayInput>

export const ReplayResult = Type.Object(
  {
    replayed: Natural({ description: 'The number of deliveries that are sent again' }),
    continueFrom: Nullable(
      Instant({ description: 'One request replays up to 5,000 deliveries: pass this as `from` to replay the others' }),
    ),
  },
  { $id: 'WebhookReplayed' },
)
export type ReplayResult = Static<typeof ReplayResult>

export const SignatureInput = Type.Object(
  {
    signature: Type.String({
      minLength: 1,
      maxLength: 1000,
      description: 'The header `X-Webhook-Signature`, or `webhook-signature` together with `id` and `timestamp`',
    }),
    id: Type.Optional(Text(100, { minLength: 1, description: 'The header `webhook-id`' })),
    timestamp: Type.Optional(Text(20, { minLength: 1, description: 'The header `webhook-timestamp`' })),
    body: Type.String({ maxLength: 200_000, description: 'The raw body, unchanged' }),
    webhookId: Type.Optional(
      Uuid({ description: 'The endpoint that received it; all your endpoints are tried without it' }),
    ),
  },
  { $id: 'WebhookToVerify', additionalProperties: false },
)
export type SignatureInput = Static<typeof SignatureInput>

export const Verification = Type.Object(
  {
    valid: Type.Boolean(),
    reason: Nullable(OneOf(['malformed_header', 'timestamp_out_of_tolerance', 'signature_mismatch'])),
    detail: Nullable(Type.String({ description: 'For people: what is wrong and what to check' })),
    webhookId: Nullable(Type.String({ description: 'The endpoint whose secret signed it' })),
    timestamp: Nullable(Instant({ description: 'The time of the signature' })),
  },
  { $id: 'WebhookVerification' },
)
export type Verification = Static<typeof Verification>

/** The body of an event about `object`. */
export const webhookBody = <T extends TSchema>(type: string, object: T) =>
  Type.Object({
    id: Type.String({ pattern: '^evt_', description: 'The same at each attempt and in `X-Webhook-Id`' }),
    type: Type.Literal(type),
    createdAt: Instant({ description: 'When the event happened' }),
    timestamp: Instant({ description: 'The same, by its name in Standard Webhooks' }),
    sequence: Natural({ minimum: 1, description: 'Counts the events about one object' }),
    data: Type.Object({ object }),
  })
