// The data of messages with a secret, such as a code for signing in: encrypted while it waits.
import type { Deps } from '../../../deps.ts'
import { MESSAGE_KINDS, type MessageKind } from '../kinds.ts'

const PURPOSE = 'message data'

export const isSecret = (kind: MessageKind): boolean => MESSAGE_KINDS[kind].isSecret

export const encryptData = ({ encryption }: Pick<Deps, 'encryption'>, data: unknown): string =>
  encryption.encrypt(PURPOSE, data)

/** Undefined if it was encrypted with another HEARTH_SECRET. */
export const decryptData = ({ encryption, clock }: Pick<Deps, 'encryption' | 'clock'>, text: string): unknown =>
  encryption.decrypt(PURPOSE, text, clock.now())

/** Whether the code or link in a message has expired. */
export function isExpired(data: object, createdAt: string, now: Date): boolean {
  if ('expiresAt' in data) return Date.parse(String(data.expiresAt)) <= now.getTime()
  return 'validMinutes' in data && Date.parse(createdAt) + Number(data.validMinutes) * 60_000 <= now.getTime()
}
