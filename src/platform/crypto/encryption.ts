// Encrypts tokens in links and secrets at rest: AES-256-GCM with keys derived by HKDF.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const IV_BYTES = 12
const TAG_BYTES = 16

export interface Encryption {
  /** Returns base64url text that only `decrypt` with the same purpose accepts, until `expiresAt`. */
  encrypt(purpose: string, value: unknown, expiresAt?: Date): string
  /** The encrypted value. Undefined if the text is forged, has another purpose or has expired. */
  decrypt(purpose: string, text: string, now: Date): unknown
}

/** Derives a key from `secret` for each purpose (RFC 5869). */
export function openEncryption(secret: string): Encryption {
  const keyFor = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, 'hearth', purpose, 32))
  return {
    encrypt: (purpose, value, expiresAt) => {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', keyFor(purpose), iv)
      const plain = JSON.stringify({ v: value, ...(expiresAt ? { e: expiresAt.getTime() } : {}) })
      const encrypted = Buffer.concat([iv, cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([encrypted, cipher.getAuthTag()]).toString('base64url')
    },
    decrypt: (purpose, text, now) => {
      const bytes = Buffer.from(text, 'base64url')
      if (bytes.length <= IV_BYTES + TAG_BYTES) return undefined
      const decipher = createDecipheriv('aes-256-gcm', keyFor(purpose), bytes.subarray(0, IV_BYTES))
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
      const plain = finalText(decipher, bytes.subarray(IV_BYTES, -TAG_BYTES))
      if (plain === undefined) return undefined
      const { v, e } = JSON.parse(plain) as { v: unknown; e?: number }
      return e !== undefined && e <= now.getTime() ? undefined : v
    },
  }
}

/** Undefined if the tag does not match: the text is not ours. */
function finalText(decipher: ReturnType<typeof createDecipheriv>, bytes: Buffer): string | undefined {
  try {
    return Buffer.concat([decipher.update(bytes), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
