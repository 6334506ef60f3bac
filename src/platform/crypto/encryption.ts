// Sealed values: tokens in links that only we can make and read, and secrets at rest. AES-256-GCM, keys by HKDF.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const IV_BYTES = 12
const TAG_BYTES = 16

export interface Encryption {
  /** `value` as an unreadable, unforgeable base64url text that opens for the same purpose only, until `expiresAt`. */
  close(purpose: string, value: unknown, expiresAt?: Date): string
  /** What was sealed, or undefined for a text that is forged, of another purpose, or past its time. */
  open(purpose: string, text: string, now: Date): unknown
}

/** A seal whose keys are made from `secret`, one per purpose (RFC 5869). */
export function openEncryption(secret: string): Encryption {
  const keyFor = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, 'hearth', purpose, 32))
  return {
    close: (purpose, value, expiresAt) => {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', keyFor(purpose), iv)
      const plain = JSON.stringify({ v: value, ...(expiresAt ? { e: expiresAt.getTime() } : {}) })
      const sealed = Buffer.concat([iv, cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([sealed, cipher.getAuthTag()]).toString('base64url')
    },
    open: (purpose, text, now) => {
      const bytes = Buffer.from(text, 'base64url')
      if (bytes.length <= IV_BYTES + TAG_BYTES) return undefined
      const decipher = createDecipheriv('aes-256-gcm', keyFor(purpose), bytes.subarray(0, IV_BYTES))
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
      const plain = decrypt(decipher, bytes.subarray(IV_BYTES, -TAG_BYTES))
      if (plain === undefined) return undefined
      const { v, e } = JSON.parse(plain) as { v: unknown; e?: number }
      return e !== undefined && e <= now.getTime() ? undefined : v
    },
  }
}

/** The plain text, or undefined where the tag does not fit: somebody else's text, not an error of ours. */
function decrypt(decipher: ReturnType<typeof createDecipheriv>, bytes: Buffer): string | undefined {
  try {
    return Buffer.concat([decipher.update(bytes), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
