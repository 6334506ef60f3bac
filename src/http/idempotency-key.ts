// The header Idempotency-Key.
import type { IdempotencyContext } from '../ctx.ts'
import { invalidField } from '../errors/app-error.ts'

/** Visible ASCII, as in the IETF draft's examples; clients do best with a UUID. */
const IDEMPOTENCY_KEY = /^[!-~]{1,255}$/

/** Undefined without the header. Throws validation_failed. */
export function idempotencyKeyOf({ headers }: Request): IdempotencyContext | undefined {
  const key = headers.get('idempotency-key')
  if (key === null) return undefined
  if (!IDEMPOTENCY_KEY.test(key))
    throw invalidField('header.Idempotency-Key', 'must be 1 to 255 visible ASCII characters')
  return { key }
}
