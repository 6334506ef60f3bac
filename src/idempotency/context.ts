// The vocabulary of idempotent writes: what a caller sends, what a verb returns, how requests are compared.
import { createHash } from 'node:crypto'

import type { IdempotencyContext } from '../ctx.ts'

/** Notes in the context whether the outcome is that of an earlier call: responses and results of tools say so. */
export function markReplay(idempotency: IdempotencyContext | undefined, isReplay: boolean): void {
  if (idempotency) idempotency.isReplay = isReplay
}

/** SHA-256 of a request in canonical form. Two requests with the same hash ask for the same. */
export const fingerprint = (request: unknown): Buffer => createHash('sha256').update(canonicalJson(request)).digest()

/** JSON with the members of every object sorted by name and undefined members left out. After RFC 8785. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )
}
