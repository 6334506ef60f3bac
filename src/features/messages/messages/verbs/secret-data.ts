// The data of messages with a secret, such as a code for signing in: encrypted while it waits.
import type { Ctx } from '../../../../ctx.ts'
import type { MessageKind } from '../kinds.ts'
import { MESSAGE_KINDS, kindsWhere } from '../kind-facts.ts'

const PURPOSE = 'message data'

export const isSecret = (kind: MessageKind): boolean => MESSAGE_KINDS[kind].isSecret

export const encryptData = (ctx: Ctx, { data }: { data: unknown }): string => ctx.encryption.encrypt(PURPOSE, data)

/** Undefined if it was encrypted with another HEARTH_SECRET. */
export const decryptData = (ctx: Ctx, { text }: { text: string }): unknown =>
  ctx.encryption.decrypt(PURPOSE, text, ctx.clock.now())

/** Whether the code or link in a message has expired. */
export function isExpired(data: object, createdAt: string, now: Date): boolean {
  if ('expiresAt' in data) return Date.parse(String(data.expiresAt)) <= now.getTime()
  return 'validMinutes' in data && Date.parse(createdAt) + Number(data.validMinutes) * 60_000 <= now.getTime()
}

/** Those that their recipient can do without: they wait for all others. */
export const OPTIONAL_KINDS = kindsWhere(({ isEssential }) => !isEssential)
/** Codes and links that a person waits for: they wait for no other. */
export const URGENT_KINDS = kindsWhere(({ isSecret }) => isSecret)
