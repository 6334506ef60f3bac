// Signatures of webhooks (section 6 of the API's specification; the scheme is Stripe's): made here, and verified.
import { createHmac, timingSafeEqual } from 'node:crypto'

/** How far a signature's time may be from the receiver's. */
export const TOLERANCE_SECONDS = 300

const hmac = (secret: string, seconds: number, body: string | Uint8Array): Buffer =>
  createHmac('sha256', secret).update(`${seconds}.`).update(body).digest()

/** The header's value: `t=<unix seconds>,v1=<hex>`, with one `v1` per secret, so that either verifies. */
export const sign = (secrets: readonly string[], seconds: number, body: string | Uint8Array): string =>
  [`t=${seconds}`, ...secrets.map((secret) => `v1=${hmac(secret, seconds, body).toString('hex')}`)].join(',')

export type Verdict =
  | { valid: true; timestamp: number; secretIndex: number }
  | { valid: false; reason: 'malformed_header' | 'timestamp_out_of_tolerance' | 'signature_mismatch' }

/** Whether `header` is a signature of exactly `body` under one of `secrets`, not older or newer than the tolerance. */
export function verify(
  header: string,
  body: string | Uint8Array,
  secrets: readonly string[],
  now: Date,
  toleranceSeconds = TOLERANCE_SECONDS,
): Verdict {
  const parts = header.split(',').map((part) => part.trim())
  const seconds = Number(parts.map((part) => /^t=(\d{1,12})$/.exec(part)?.[1]).find(Boolean) ?? Number.NaN)
  const given = parts.flatMap((part) => /^v1=([0-9a-f]{64})$/.exec(part)?.[1] ?? [])
  if (Number.isNaN(seconds) || given.length === 0) return { valid: false, reason: 'malformed_header' }
  const signatures = given.map((hex) => Buffer.from(hex, 'hex'))
  const secretIndex = secrets.findIndex((secret) => {
    const expected = hmac(secret, seconds, body)
    return signatures.some((signature) => timingSafeEqual(signature, expected))
  })
  if (secretIndex < 0) return { valid: false, reason: 'signature_mismatch' }
  // Last, so that only who knows the secret learns that the clock is what is wrong.
  if (Math.abs(now.getTime() / 1000 - seconds) > toleranceSeconds)
    return { valid: false, reason: 'timestamp_out_of_tolerance' }
  return { valid: true, timestamp: seconds, secretIndex }
}
