// Encrypts tokens in links and secrets at rest: AES-256-GCM with keys derived by HKDF.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

const IV_BYTES = 12
const TAG_BYTES = 16

export interface Encryption {
  /** Returns base64url text that only `decrypt` with the same purpose accepts, until `expiresAt`. */
  encrypt(purpose: string, value: unknown, expiresAt?: Date): string
  /** The encrypted value. Undefined if the text is forged, has another purpose or has expired. */
  decrypt(purpose: string, text: string, now: Date): unknown
  /** Encrypts the id in a customer's link. The same arguments give the same text, so that a link need not be stored. */
  linkToken(purpose: string, id: string, options?: { expiresAt?: Date | undefined; isMailed?: boolean }): string
  /** The id in a link, and whether the link went to its owner by mail only. Undefined like `decrypt`. */
  readLinkToken(purpose: string, token: string, now: Date): LinkContent | undefined
  /** A digest of `text` in base64url that cannot be checked against guesses without the secret. */
  digest(purpose: string, text: string): string
}

export interface LinkContent {
  readonly id: string
  /** The bearer reads the mail of the address that the link went to. */
  readonly isMailed: boolean
}

interface Plain {
  v: unknown
  /** The time of expiry. */
  e?: number
  /** Set for links that were mailed. */
  m?: true
}

/** Derives a key from `secret` for each purpose (RFC 5869). */
export function openEncryption(secret: string): Encryption {
  const keyFor = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, 'hearth', purpose, 32))
  const encryptText = (purpose: string, plain: string, iv: Buffer): string => {
    const cipher = createCipheriv('aes-256-gcm', keyFor(purpose), iv)
    const encrypted = Buffer.concat([iv, cipher.update(plain, 'utf8'), cipher.final()])
    return Buffer.concat([encrypted, cipher.getAuthTag()]).toString('base64url')
  }
  const read = (purpose: string, text: string, now: Date): Plain | undefined => {
    const bytes = Buffer.from(text, 'base64url')
    // Node ignores what is no base64url, so one link would have many spellings.
    if (bytes.length <= IV_BYTES + TAG_BYTES || bytes.toString('base64url') !== text) return undefined
    const decipher = createDecipheriv('aes-256-gcm', keyFor(purpose), bytes.subarray(0, IV_BYTES))
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    const plain = finalText(decipher, bytes.subarray(IV_BYTES, -TAG_BYTES))
    if (plain === undefined) return undefined
    const content = JSON.parse(plain) as Plain
    return content.e !== undefined && content.e <= now.getTime() ? undefined : content
  }
  return {
    encrypt: (purpose, value, expiresAt) => encryptText(purpose, textOf(value, expiresAt), randomBytes(IV_BYTES)),
    decrypt: (purpose, text, now) => read(purpose, text, now)?.v,
    linkToken: (purpose, id, { expiresAt, isMailed = false } = {}) => {
      const plain = textOf(id, expiresAt, isMailed)
      // GCM must not use an IV for two texts. This one depends on the text under a key of its own, as in RFC 5297.
      const iv = createHmac('sha256', keyFor(`${purpose} iv`))
        .update(plain)
        .digest()
        .subarray(0, IV_BYTES)
      return encryptText(purpose, plain, iv)
    },
    readLinkToken: (purpose, token, now) => {
      const { v: id, m } = read(purpose, token, now) ?? {}
      return typeof id === 'string' ? { id, isMailed: m === true } : undefined
    },
    digest: (purpose, text) => createHmac('sha256', keyFor(purpose)).update(text).digest('base64url'),
  }
}

const textOf = (value: unknown, expiresAt: Date | undefined, isMailed = false): string =>
  JSON.stringify({
    v: value,
    ...(expiresAt ? { e: expiresAt.getTime() } : {}),
    ...(isMailed ? { m: true } : {}),
  } satisfies Plain)

/** Undefined if the tag does not match: the text is not ours. */
function finalText(decipher: ReturnType<typeof createDecipheriv>, bytes: Buffer): string | undefined {
  try {
    return Buffer.concat([decipher.update(bytes), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
