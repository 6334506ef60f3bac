// The vocabulary of idempotent writes: what a caller sends, what a verb returns, how requests are compared.
import { createHash } from 'node:crypto'

/** A caller's idempotency key. */
export interface IdempotencyContext {
  readonly key: string
  /** Runs before the work is done for the first time, never before a replay. Throws to refuse the request. */
  readonly beforeFirst?: () => Promise<void>
}

/** The result of an idempotent write. `replayed`: it was stored by an earlier request with the same key. */
export interface IdempotentResult<T> {
  readonly value: T
  readonly replayed: boolean
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
