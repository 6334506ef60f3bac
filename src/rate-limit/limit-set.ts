// Limits that are counted together, and what tells them apart.
import type { Access } from '../auth/access.ts'
import type { Caller } from '../auth/caller.ts'
import type { Scope } from '../auth/scopes.ts'
import { policyOf } from './headers.ts'
import type { Limit } from './limiter/limit.ts'
import type { LimitClass } from './quotas.ts'

/** Limits that a request is counted against together. Those of keys and users are cached, of addresses made anew. */
export interface LimitSet {
  readonly limits: readonly Limit[]
  /** Their `RateLimit-Policy`. */
  readonly policy: string
}

export const keySetId = ({ keyId, rateMultiplier, accountMultiplier }: Caller, kind: LimitClass | undefined) =>
  `${keyId} ${rateMultiplier} ${accountMultiplier} ${kind}`

export const limitSetOf = (limits: readonly Limit[], policy = policyOf(limits)): LimitSet => ({ limits, policy })

/** The first of the route's scopes that the caller has. */
export function firstScope({ scopes }: Access, caller: Caller): Scope | undefined {
  for (const scope of scopes) if (caller.scopes.has(scope)) return scope
  return undefined
}
