// The `Idempotent-Replayed` header of responses that an earlier request with the same key produced.
import { requestContextOf } from '../auth/request-context.ts'
import type { Idempotent } from '../idempotency/context.ts'

/** The result of a verb that ran idempotently; its response says `Idempotent-Replayed: true` when it was replayed. */
export function markReplayed<T>(request: Request, { result, replayed }: Idempotent<T>): T {
  if (replayed) requestContextOf(request).isReplayed = true
  return result
}
