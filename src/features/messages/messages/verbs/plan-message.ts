// Plans messages: rows that the actor `send-messages` sends after the transaction was committed.
import type { TxCtx } from '../../../../ctx.ts'
import { currentTraceparent } from '../../../../platform/telemetry/trace-context.ts'
import type { MessageData, MessageKind } from '../kinds.ts'
import { callPlanMessages, insertMessage } from '../queries/messages.ts'
import { callPlanReminders } from '../queries/messages.sql.ts'
import { encryptData, isSecret } from './secret-data.ts'

export interface NewMessage<Kind extends MessageKind = MessageKind> {
  readonly kind: Kind
  /** The recipient's e-mail address. */
  readonly to: string
  readonly data: MessageData[Kind]
  /** What the message is about, such as `event:<id>`. A second message with the same key and recipient is not planned. */
  readonly key: string
  readonly professionalId?: string
  /** The booking in whose log the message appears. Its customer's erasure deletes the message. */
  readonly bookingId?: string
  /** The customer whom a message without `bookingId` tells about, or is sent to. */
  readonly customerEmail?: string
  /** Not before this instant; at once if absent. */
  readonly sendAt?: Date
}

/**
 * Plans a message in the transaction of what it tells, so that it is sent if and only if that is committed. Returns whether it
 * is new. The data of kinds with a secret is stored encrypted and deleted once it is sent.
 */
export async function planMessage<Kind extends MessageKind>(ctx: TxCtx, message: NewMessage<Kind>): Promise<boolean> {
  const { data, ...row } = message
  const content = isSecret(message.kind) ? { dataEncrypted: encryptData(ctx, { data }) } : { data }
  const traceparent = currentTraceparent() ?? null
  return await insertMessage(ctx, { row: { ...row, ...content, traceparent }, now: ctx.clock.now() })
}

/**
 * Plans, in the relay's transaction, the messages of events that are still in the outbox: one per event and person. Planning an
 * event twice changes nothing.
 */
export async function planEventMessages(
  ctx: TxCtx,
  { events, now }: { events: readonly { id: string }[]; now: Date },
): Promise<void> {
  if (events.length === 0) return
  await callPlanMessages(ctx, { eventIds: events.map(({ id }) => id), now })
}

/** Plans the reminders of a pro's bookings anew, in the transaction that changed when the pro's customers are reminded. */
export const planRemindersAgain = (
  ctx: TxCtx,
  { professionalId, now }: { professionalId: string; now: Date },
): Promise<void> => callPlanReminders(ctx, { professionalId, now })
