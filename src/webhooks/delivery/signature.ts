// Signs and verifies webhooks (section 6 of the API's specification; the scheme is Stripe's).
import { createHmac, timingSafeEqual } from 'node:crypto'

/** The largest difference between a signature's time and the receiver's clock. */
export const TOLERANCE_SECONDS = 300

const hmac = (secret: string, seconds: number, body: string | Uint8Array): Buffer =>
  createHmac('sha256', secret).update(`${seconds}.`).update(body).digest()

/** The header's value: `t=<unix seconds>,v1=<hex>`, with one `v1` per secret, so that either verifies. */
export const sign = (secrets: readonly string[], seconds: number, body: string | Uint8Array): string =>
  [`t=${seconds}`, ...secrets.map((secret) => `v1=${hmac(secret, seconds, body).toString('hex')}`)].join(',')

export type SignatureCheck =
  | { valid: true; timestamp: number; secretIndex: number }
  | { valid: false; reason: 'malformed_header' | 'timestamp_out_of_tolerance' | 'signature_mismatch' }

/** Checks that `header` signs exactly `body` with one of `secrets`, at a time within the tolerance of `now`. */
export function verify(
  header: string,
  body: string | Uint8Array,
  secrets: readonly string[],
  now: Date,
): SignatureCheck {
  const parts = header.split(',').map((part) => part.trim())
  const seconds = Number(parts.map((part) => /^t=(\d{1,12})$/.exec(part)?.[1]).find(Boolean) ?? Number.NaN)
  const digests = parts.flatMap((part) => /^v1=([0-9a-f]{64})$/.exec(part)?.[1] ?? [])
  if (Number.isNaN(seconds) || digests.length === 0) return { valid: false, reason: 'malformed_header' }
  const signatures = digests.map((hex) => Buffer.from(hex, 'hex'))
  const secretIndex = secrets.findIndex((secret) => {
    const expected = hmac(secret, seconds, body)
    return signatures.some((signature) => timingSafeEqual(signature, expected))
  })
  if (secretIndex < 0) return { valid: false, reason: 'signature_mismatch' }
  // Checked last: only a sender who knows the secret learns that the clock is wrong.
  if (Math.abs(now.getTime() / 1000 - seconds) > TOLERANCE_SECONDS)
    return { valid: false, reason: 'timestamp_out_of_tolerance' }
  return { valid: true, timestamp: seconds, secretIndex }
}
