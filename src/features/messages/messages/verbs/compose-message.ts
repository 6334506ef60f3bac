// A stored message as an e-mail: rendered by its template, with the headers of all its attempts.
import type { Ctx } from '../../../../ctx.ts'
import type { Mail, Sender } from '../../../../platform/mail/compose.ts'
import { ensureZones } from '../../../calendar/time-zones/verbs.ts'
import { getMarketplace } from '../../../upkeep/marketplace/verbs.ts'
import type { MessageKind } from '../kinds.ts'
import { MESSAGE_KINDS, isKnownKind } from '../kind-facts.ts'
import type { RenderedMessage } from '../templates/rendered.ts'
import { renderMessage } from '../templates/render.ts'
import { digestData } from './digest.ts'
import { unsubscribeUrl, withHiddenLinks, withLinks } from './links.ts'
import { decryptData, isExpired } from './secret-data.ts'

export interface StoredMessage {
  readonly id: number
  readonly kind: MessageKind
  readonly recipient: string
  readonly data: object | null
  readonly dataEncrypted: string | null
  readonly bookingId: string | null
  readonly createdAt: string
}

/**
 * The e-mail of a message. Undefined if its secret has expired or was encrypted with another HEARTH_SECRET, and for a digest
 * in which nothing is true any more.
 */
export async function mailOfMessage(ctx: Ctx, message: StoredMessage): Promise<Mail | undefined> {
  const { kind, recipient, bookingId, dataEncrypted } = message
  const data =
    kind === 'digest'
      ? await digestData(ctx, { id: message.id })
      : (message.data ?? (dataEncrypted === null ? undefined : decryptData(ctx, { text: dataEncrypted })))
  if (typeof data !== 'object' || data === null || isExpired(data, message.createdAt, ctx.clock.now())) return undefined
  await ensureZones(ctx)
  const linked = await withLinks(ctx, { kind, data, bookingId })
  const unsubscribe = MESSAGE_KINDS[kind].isEssential ? undefined : unsubscribeUrl(ctx, { email: recipient })
  return {
    ...renderMessage(kind, linked, { ...(await renderOptions(ctx, recipient)), unsubscribeUrl: unsubscribe }),
    to: recipient,
    messageId: messageIdOf(ctx, message),
    date: ctx.clock.now(),
    unsubscribeUrl: unsubscribe,
  }
}

/**
 * The preview of a message for operators, with links that lead nowhere. Undefined for a message with a secret, for one whose data
 * is read only when it is sent, and for a kind of a newer version.
 */
export async function previewOfMessage(
  ctx: Ctx,
  { kind, recipient, data }: Pick<StoredMessage, 'recipient' | 'data'> & { readonly kind: string },
): Promise<RenderedMessage | undefined> {
  if (data === null || isOfLater(data) || !isKnownKind(kind)) return undefined
  return renderMessage(kind, withHiddenLinks(ctx, { kind, data }), await renderOptions(ctx, recipient))
}

/** Whether the data is read when the message is sent: the stored data of a reminder only names its subject. */
const isOfLater = (data: object): boolean => Object.keys(data).every((key) => key === 'startsAt' || key === 'quoteId')

/** Whom messages are from. */
export async function senderOf(ctx: Ctx): Promise<Sender> {
  const { name, address } = ctx.config.mail.from
  return { name: name ?? (await getMarketplace(ctx)).name, address }
}

const renderOptions = async (ctx: Ctx, to: string) => ({
  site: await getMarketplace(ctx),
  baseUrl: ctx.config.baseUrl,
  from: ctx.config.mail.from.address,
  to,
})

/** Stays the same at every attempt. The time keeps it unique after a database was made anew. */
export const messageIdOf = (ctx: Ctx, { id, createdAt }: StoredMessage): string =>
  `${id}.${Date.parse(createdAt).toString(36)}@${ctx.config.mail.from.address.split('@').at(-1)}`
