// The shapes of webhook endpoints, their deliveries, and what they are sent.
import { type Static, type TSchema, Type } from '@sinclair/typebox'

import { Instant, Name, Nullable, OneOf, Uri, Uuid } from '../../platform/schema/types.ts'
import { PageMeta, pageParameters } from '../../platform/schema/paging.ts'
import { EVENT_KINDS } from './events.ts'

const url = Uri({
  description: 'Where events are sent. https, and an address of the public Internet',
  examples: ['https://shop.example/hooks'],
})
const events = Type.Array(OneOf(EVENT_KINDS), { minItems: 1, maxItems: 50, uniqueItems: true })
const ordered = Type.Boolean({
  default: false,
  description: 'One delivery at a time, in the order of the events: the next waits until the one before is done with',
})
const maxRetries = Type.Integer({
  minimum: 0,
  maximum: 15,
  default: 8,
  description: 'Further attempts after the first',
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
    maxRetries: Type.Optional(Type.Integer({ minimum: 0, maximum: 15 })),
    status: Type.Optional(
      OneOf(['enabled', 'disabled'], {
        description: 'A disabled endpoint gets nothing; what waited for it has failed, and can be replayed',
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
  maxRetries: Type.Integer(),
  status: OneOf(['enabled', 'disabled']),
  disabledReason: Nullable(
    OneOf(['by_owner', 'gone', 'failing'], {
      description: '`gone`: it answered 410. `failing`: five days without success',
    }),
  ),
  disabledAt: Nullable(Instant()),
  failingSince: Nullable(Instant({ description: 'Since when no delivery has succeeded' })),
  previousSecretUntil: Nullable(Instant({ description: 'Until when the secret before the last rotation signs, too' })),
  createdAt: Instant(),
  updatedAt: Instant(),
}

export const Webhook = Type.Object(shape, { $id: 'Webhook' })
export type Webhook = Static<typeof Webhook>

const secret = Type.String({ description: 'Signs what is sent. Shown this once', examples: ['whsec_2l9zfZ…'] })
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
  number: Type.Integer(),
  at: Instant(),
  durationMs: Type.Integer(),
  status: Nullable(Type.Integer({ description: 'Of the answer' })),
  error: Nullable(Type.String({ description: 'Why there was none' })),
}

const delivery = {
  eventId: Type.String(),
  type: Type.String(),
  state: DeliveryState,
  attemptsMade: Type.Integer(),
  nextAttemptAt: Nullable(Instant()),
  createdAt: Instant(),
  finishedAt: Nullable(Instant()),
}

export const Delivery = Type.Object(
  { ...delivery, attempts: Type.Array(Type.Object(attempt), { description: 'In order' }) },
  { $id: 'Delivery' },
)
export type Delivery = Static<typeof Delivery>

export const DeliveryDetail = Type.Object(
  {
    ...delivery,
    body: Type.String({ description: 'Exactly what is sent' }),
    attempts: Type.Array(
      Type.Object({
        ...attempt,
        response: Nullable(Type.String({ description: 'The answer’s beginning, up to 4 KiB' })),
      }),
    ),
  },
  { $id: 'DeliveryDetail' },
)
export type DeliveryDetail = Static<typeof DeliveryDetail>

export const DeliveryQuery = Type.Object({ state: Type.Optional(DeliveryState), ...pageParameters })
export type DeliveryQuery = Static<typeof DeliveryQuery>

export const DeliveryList = Type.Object({ deliveries: Type.Array(Delivery), meta: PageMeta }, { $id: 'DeliveryList' })
export type DeliveryList = Static<typeof DeliveryList>

export const TestSent = Type.Object(
  { eventId: Type.String({ description: 'See how it goes at `…/deliveries/{eventId}`' }) },
  { $id: 'WebhookTestSent' },
)
export type TestSent = Static<typeof TestSent>

export const Replay = Type.Object(
  {
    from: Instant({ description: 'Events from then' }),
    to: Instant({ description: 'to before then' }),
    state: Type.Optional(
      OneOf(['delivered', 'failed', 'all'], { default: 'failed', description: 'Which of their deliveries' }),
    ),
  },
  { $id: 'WebhookReplay', additionalProperties: false },
)
export type Replay = Static<typeof Replay>

export const Replayed = Type.Object(
  {
    replayed: Type.Integer({ description: 'How many deliveries are sent again' }),
    continueFrom: Nullable(Instant({ description: 'Up to 5,000 go at once: ask for the others with this as `from`' })),
  },
  { $id: 'WebhookReplayed' },
)
export type Replayed = Static<typeof Replayed>

export const ToVerify = Type.Object(
  {
    signature: Type.String({ minLength: 1, maxLength: 1000, description: 'The header `X-Webhook-Signature`' }),
    body: Type.String({ maxLength: 200_000, description: 'The raw body, as text: every byte counts' }),
    webhookId: Type.Optional(Uuid({ description: 'The endpoint it came to; all of yours are tried without it' })),
  },
  { $id: 'WebhookToVerify', additionalProperties: false },
)
export type ToVerify = Static<typeof ToVerify>

export const Verification = Type.Object(
  {
    valid: Type.Boolean(),
    reason: Nullable(OneOf(['malformed_header', 'timestamp_out_of_tolerance', 'signature_mismatch'])),
    detail: Nullable(Type.String({ description: 'For people: what is wrong, and what to look at' })),
    webhookId: Nullable(Type.String({ description: 'The endpoint whose secret made it' })),
    timestamp: Nullable(Instant({ description: 'When it was signed' })),
  },
  { $id: 'WebhookVerification' },
)
export type Verification = Static<typeof Verification>

/** The body that is sent for an event about `object`. */
export const webhookBody = <T extends TSchema>(type: string, object: T) =>
  Type.Object({
    id: Type.String({ pattern: '^evt_', description: 'The same at each attempt, and in `X-Webhook-Id`' }),
    type: Type.Literal(type),
    createdAt: Instant(),
    sequence: Type.Integer({ minimum: 1, description: 'Counts the events about one thing' }),
    data: Type.Object({ object }),
  })
