// The `Idempotent-Replayed` header of responses that an earlier request with the same key produced.
import { requestContextOf } from '../auth/request-context.ts'
import type { IdempotentResult } from '../idempotency/context.ts'

/** The value of an idempotent result. The response to a replayed one says `Idempotent-Replayed: true`. */
export function markReplayed<T>(request: Request, { value, replayed }: IdempotentResult<T>): T {
  if (replayed) requestContextOf(request).isReplayed = true
  return value
}
