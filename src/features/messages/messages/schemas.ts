// The messages of a booking in the API, and the log of all messages for operators.
import { type Static, Type } from '@sinclair/typebox'

import { pageParameters } from '../../../platform/schema/paging.ts'
import { Instant, Nullable, OneOf, Text } from '../../../platform/schema/types.ts'
import type { MessageKind } from './kinds.ts'
import { MESSAGE_KINDS } from './kind-facts.ts'

export const MESSAGE_STATUSES = ['pending', 'sent', 'failed', 'suppressed', 'dropped', 'joined'] as const

/**
 * The status of a message. `pending`: it waits or is sent again. `sent`: the mail server accepted it. `failed`: given up.
 * `suppressed`: the recipient does not want it or does not exist. `dropped`: its content is not true any more. `joined`: part
 * of a digest.
 */
export type MessageStatus = (typeof MESSAGE_STATUSES)[number]

export const BookingMessage = Type.Object(
  {
    kind: Type.String({ examples: ['booking-confirmed'] }),
    recipient: Type.String({ format: 'email' }),
    status: OneOf(MESSAGE_STATUSES, {
      description:
        'pending: waits for its time or is sent again. sent: the mail server accepted it. failed: given up. suppressed: the address does not exist or its owner unsubscribed. dropped: what it says was no longer so. joined: told in a digest, because the recipient got many messages in an hour',
    }),
    sentAt: Nullable(Instant()),
  },
  { $id: 'BookingMessage' },
)
export type BookingMessage = Static<typeof BookingMessage>

export const MessagesQuery = Type.Object({
  recipient: Type.Optional(Text(320)),
  status: Type.Optional(OneOf([...MESSAGE_STATUSES, ''])),
  ...pageParameters,
})
export type MessagesQuery = Static<typeof MessagesQuery>

const NUMBER = { pattern: '^[1-9][0-9]{0,15}$' }
export const MessageParams = Type.Object({ id: Type.String(NUMBER) })

const KINDS = Object.keys(MESSAGE_KINDS) as MessageKind[]
export const KindParams = Type.Object({ kind: OneOf(KINDS) })

/** A message in the operator's log. */
export interface LoggedMessage {
  id: number
  /** One of MESSAGE_KINDS, or one that a newer version planned. */
  kind: string
  recipient: string
  status: MessageStatus
  attempts: number
  /** What the mail server said last, or why the message was not sent. */
  outcome: string | null
  sendAt: string
  nextAttemptAt: string | null
  createdAt: string
  finishedAt: string | null
}
