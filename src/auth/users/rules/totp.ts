// One-time codes of an app on a phone (TOTP, RFC 6238): six digits that change every 30 seconds. It is a dozen lines over node:crypto, and
// the libraries for it say whether a code is right, but not of which step, which a code that works once needs.
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Of a secret: 160 bits, as RFC 4226 §4 recommends. */
export const SECRET_BYTES = 20
const STEP_MS = 30_000
const DIGITS = 6
/** Steps before and after the current one: clocks differ, and people type slowly (RFC 6238 §5.2). */
const WINDOW = 1

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** In base32 (RFC 4648 §6) without padding, as apps read a secret. */
export const base32Of = (bytes: Uint8Array): string =>
  (
    Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0'))
      .join('')
      .match(/.{5}/g) ?? []
  )
    .map((bits) => BASE32[Number.parseInt(bits, 2)])
    .join('')

function bytesOf(secret: string): Buffer {
  const bits = Array.from(secret, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** The number of the step of an instant. */
export const stepAt = (now: Date): number => Math.floor(now.getTime() / STEP_MS)

/** The code of a step: the dynamic truncation of RFC 4226 §5.3. */
export function totpCode(secret: string, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', bytesOf(secret)).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 0xf
  const number = digest.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** Whether a text has the form of a code. */
export const isTotpCode = (text: string): boolean => /^\d{6}$/.test(text)

/** The step of a code, which lies within the window around `now`, and after `lastStep`; undefined for a wrong code and a used one. */
export function stepOfCode(
  secret: string,
  { code, now, lastStep }: { code: string; now: Date; lastStep: number },
): number | undefined {
  const current = stepAt(now)
  for (let step = Math.max(current - WINDOW, lastStep + 1); step <= current + WINDOW; step++)
    if (timingSafeEqual(Buffer.from(totpCode(secret, step)), Buffer.from(code))) return step
  return undefined
}

/** The address that an app reads from the QR code (Key Uri Format). */
export function totpUri(secret: string, { issuer, email }: { issuer: string; email: string }): string {
  // A colon separates the two, and some apps show a plus sign instead of a space.
  const [by, of] = [issuer.replaceAll(':', ' '), email].map(encodeURIComponent)
  return `otpauth://totp/${by}:${of}?secret=${secret}&issuer=${by}`
}
