// What a request's key says of its caller.
import type { AccountKind } from '../accounts/schemas.ts'
import type { Scope } from '../scopes.ts'
import type { KeyMode } from './format.ts'

/** A key that is not revoked, its owner, and the owner's professional profile. */
export interface VerifiedKey {
  keyId: string
  mode: KeyMode
  accountId: string
  ownerKind: AccountKind
  professionalId: string | null
  scopes: Scope[]
  origin: string | null
  rateMultiplier: number
  /** The highest multiplier of the account's unrevoked keys, at least 1. */
  accountMultiplier: number
  expiresAt: string | null
}
