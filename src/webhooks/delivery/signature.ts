// Signs and verifies webhooks in two schemes with one secret: that of the API's specification (section 6, as Stripe's) and
// Standard Webhooks 1.0 (https://www.standardwebhooks.com).
import { createHmac, timingSafeEqual } from 'node:crypto'

/** The largest difference between a signature's time and the receiver's clock. */
export const TOLERANCE_SECONDS = 300

type Body = string | Uint8Array

const hmac = (secret: string, seconds: number, body: Body): Buffer =>
  createHmac('sha256', secret).update(`${seconds}.`).update(body).digest()

const SECRET_PREFIX = 'whsec_'

/** Standard Webhooks signs with the bytes behind the prefix. `base64` also reads the URL-safe form of older secrets. */
const standardHmac = (secret: string, id: string, seconds: number, body: Body): Buffer =>
  createHmac('sha256', Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64'))
    .update(`${id}.${seconds}.`)
    .update(body)
    .digest()

/** The header's value: `t=<unix seconds>,v1=<hex>`, with one `v1` per secret, so that either verifies. */
export const sign = (secrets: readonly string[], seconds: number, body: Body): string =>
  [`t=${seconds}`, ...secrets.map((secret) => `v1=${hmac(secret, seconds, body).toString('hex')}`)].join(',')

/** The header `webhook-signature`: `v1,<base64>` per secret, separated by spaces. `id` is the header `webhook-id`. */
export const signStandard = (secrets: readonly string[], id: string, seconds: number, body: Body): string =>
  secrets.map((secret) => `v1,${standardHmac(secret, id, seconds, body).toString('base64')}`).join(' ')

export type SignatureCheck =
  | { valid: true; timestamp: number; secretIndex: number }
  | { valid: false; reason: 'malformed_header' | 'timestamp_out_of_tolerance' | 'signature_mismatch' }

/** The headers `webhook-id`, `webhook-timestamp` and `webhook-signature`. */
export interface StandardHeaders {
  readonly id: string
  readonly timestamp: string
  readonly signature: string
}

/** Checks that `header` signs exactly `body` with one of `secrets`, at a time within the tolerance of `now`. */
export function verify(header: string, body: Body, secrets: readonly string[], now: Date): SignatureCheck {
  const parts = header.split(',').map((part) => part.trim())
  const seconds = secondsOf(parts.map((part) => /^t=(\d+)$/.exec(part)?.[1]).find(Boolean))
  const signatures = parts.flatMap((part) => /^v1=([0-9a-f]{64})$/.exec(part)?.[1] ?? [])
  return check(seconds, decode(signatures, 'hex'), secrets, now, (secret, at) => hmac(secret, at, body))
}

/** Checks the headers of Standard Webhooks as {@link verify} checks its header. */
export function verifyStandard(
  { id, timestamp, signature }: StandardHeaders,
  body: Body,
  secrets: readonly string[],
  now: Date,
): SignatureCheck {
  const seconds = secondsOf(timestamp)
  const signatures = signature.split(' ').flatMap((part) => /^v1,([A-Za-z0-9+/]{43}=)$/.exec(part)?.[1] ?? [])
  return check(seconds, decode(signatures, 'base64'), secrets, now, (secret, at) => standardHmac(secret, id, at, body))
}

const secondsOf = (text: string | undefined): number => (/^\d{1,12}$/.test(text ?? '') ? Number(text) : Number.NaN)

const decode = (signatures: readonly string[], encoding: BufferEncoding): Buffer[] =>
  signatures.map((signature) => Buffer.from(signature, encoding))

function check(
  seconds: number,
  signatures: readonly Buffer[],
  secrets: readonly string[],
  now: Date,
  digestWith: (secret: string, seconds: number) => Buffer,
): SignatureCheck {
  if (Number.isNaN(seconds) || signatures.length === 0) return { valid: false, reason: 'malformed_header' }
  const secretIndex = secrets.findIndex((secret) => {
    const expected = digestWith(secret, seconds)
    return signatures.some((signature) => timingSafeEqual(signature, expected))
  })
  if (secretIndex < 0) return { valid: false, reason: 'signature_mismatch' }
  // Checked last: only a sender who knows the secret learns that the clock is wrong.
  if (Math.abs(now.getTime() / 1000 - seconds) > TOLERANCE_SECONDS)
    return { valid: false, reason: 'timestamp_out_of_tolerance' }
  return { valid: true, timestamp: seconds, secretIndex }
}
