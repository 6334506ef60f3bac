// Doing something once, however often it is asked for.
import { createHash } from 'node:crypto'

/**
 * A caller's wish that a write happens once for a key. Whoever answers from what was kept sets `replayed`, and the
 * interface says so to the caller.
 */
export interface IdempotencyContext {
  readonly key: string
  replayed: boolean
  /** What must hold for the work to be done a first time; not asked of what was done before. Throws what stands in the way. */
  first?: () => Promise<void>
}

/** What a verb that ran idempotently returns. */
export interface Idempotent<T> {
  result: T
  /** An earlier request with the same key produced the result. */
  replayed: boolean
}

/** SHA-256 of a request in canonical form: whether two requests with one key ask for the same. */
export const fingerprint = (request: unknown): Buffer => createHash('sha256').update(canonicalJson(request)).digest()

/** JSON with the members of every object in order of their names, and undefined ones left out. After RFC 8785. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )
}
