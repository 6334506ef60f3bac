// The log of messages, and what an operator does about one.
import type { Ctx } from '../../../../ctx.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { normalEmail } from '../../../../platform/schema/email.ts'
import { type PageMeta, pageOf } from '../../../../platform/schema/paging.ts'
import { OPTIONAL_KINDS, URGENT_KINDS } from './secret-data.ts'
import { type OperatorId, recordAction, recordMarketplaceAction } from '../../../upkeep/audit/verbs.ts'
import type { RenderedMessage } from '../templates/rendered.ts'
import { type StoredMessage, findMessage, updateToDue } from '../queries/log.ts'
import { selectBookingMessages, selectMessages } from '../queries/log.sql.ts'
import { findMail } from '../queries/mailbox.sql.ts'
import { type MessageBacklog, measureBacklog } from '../queries/messages.ts'
import { type Suppression, deleteSuppression, insertSuppression } from '../queries/suppressions.ts'
import { selectSuppressions } from '../queries/suppressions.sql.ts'
import type { BookingMessage, LoggedMessage, MessagesQuery } from '../schemas.ts'
import { previewOfMessage } from './compose-message.ts'
import { readUnsubscribeToken } from './links.ts'

export type { MessageBacklog, Suppression }

/** The messages about a booking of the pro, oldest first. */
export const listBookingMessages = (
  ctx: Ctx,
  { professionalId, bookingId }: { professionalId: string; bookingId: string },
): Promise<BookingMessage[]> => selectBookingMessages(ctx, { professionalId, bookingId })

/** The due messages, and how many of them failed before. */
export const getMessageBacklog = (ctx: Ctx): Promise<MessageBacklog> =>
  measureBacklog(ctx, { now: ctx.clock.now(), urgentKinds: URGENT_KINDS, optionalKinds: OPTIONAL_KINDS })

/** A page of all messages, newest first. The total counts one more than the page if there are further ones. */
export async function listMessages(
  ctx: Ctx,
  query: MessagesQuery,
): Promise<{ messages: LoggedMessage[]; meta: PageMeta }> {
  const { limit, offset } = pageOf(query)
  const recipient = query.recipient ? normalEmail(query.recipient.trim()) : null
  const found = await selectMessages(ctx, { recipient, status: query.status || null, limit: limit + 1, offset })
  const messages = found.slice(0, limit)
  return { messages, meta: { total: offset + found.length, limit, offset, hasMore: found.length > limit } }
}

export interface ViewedMessage {
  message: StoredMessage
  /** From the mailbox, or rendered again with links that lead nowhere; undefined if it had a secret. */
  content: RenderedMessage | undefined
  /** As it was sent, from the mailbox. */
  source: string | undefined
  suppressions: Suppression[]
}

/** A message as an operator sees it. Throws not_found. */
export async function viewMessage(ctx: Ctx, { id }: { id: number }): Promise<ViewedMessage> {
  const message = await findMessage(ctx, { id, now: ctx.clock.now() })
  if (!message) throw new AppError('not_found', 'There is no message with this number.')
  const [mail, suppressions] = await Promise.all([
    findMail(ctx, { messageId: id }),
    selectSuppressions(ctx, { email: message.recipient }),
  ])
  const rendered = await previewOfMessage(ctx, message)
  const attachments = rendered?.attachments ?? []
  const content = mail ? { subject: mail.subject, text: mail.text, html: mail.html, attachments } : rendered
  return { message, content, source: mail?.source, suppressions }
}

/** Sends a message now that waits for a retry or was given up. Throws not_found and invalid_transition. */
export const resendMessage = (ctx: Ctx, { id, by = null }: { id: number; by?: OperatorId }): Promise<void> =>
  ctx.transaction('resendMessage', async (ctx) => {
    const resent = await updateToDue(ctx, { id, now: ctx.clock.now() })
    if (!resent)
      throw new AppError(
        'invalid_transition',
        'This message cannot be sent again: it was sent, is not due yet, or its secret was deleted.',
      )
    const { kind, bookingId } = resent
    const details = { messageId: id, kind }
    await recordAction(ctx, { action: 'message.resent', subjectId: bookingId, professionalId: null, by, details })
  })

/** Sends messages to an address again that was suppressed. Returns whether it was. */
export const liftSuppression = (
  ctx: Ctx,
  { email, reason, by = null }: Pick<Suppression, 'email' | 'reason'> & { by?: OperatorId },
): Promise<boolean> =>
  ctx.transaction('liftSuppression', async (ctx) => {
    const isLifted = await deleteSuppression(ctx, { email: normalEmail(email), reason })
    // Without the address, which its owner may have erased later.
    if (isLifted) await recordMarketplaceAction(ctx, { action: 'address.lifted', by, details: { reason } })
    return isLifted
  })

export interface Subscription {
  email: string
  isSubscribed: boolean
}

/** The address in an unsubscribe link. Throws not_found. */
export async function getSubscription(ctx: Ctx, { token }: { token: string }): Promise<Subscription> {
  const email = addressOf(ctx, token)
  // From the primary: the recipient may have changed it a moment ago.
  const suppressions = await selectSuppressions(ctx, { email })
  return { email, isSubscribed: !suppressions.some(({ reason }) => reason === 'unsubscribed') }
}

/** Ends or resumes the messages that are not essential. Repeating it changes nothing. Throws not_found. */
export async function setSubscription(
  ctx: Ctx,
  { token, isSubscribed }: { token: string; isSubscribed: boolean },
): Promise<void> {
  const email = addressOf(ctx, token)
  if (isSubscribed) await deleteSuppression(ctx, { email, reason: 'unsubscribed' })
  else await insertSuppression(ctx, { email, reason: 'unsubscribed', detail: null, now: ctx.clock.now() })
}

function addressOf(ctx: Ctx, token: string): string {
  const email = readUnsubscribeToken(ctx, { token })
  if (email === undefined)
    throw new AppError('not_found', 'No address has this link. Open the link exactly as you received it.')
  return email
}
