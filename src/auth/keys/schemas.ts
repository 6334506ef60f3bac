// What a request's key says of its caller.
import type { AccountKind } from '../accounts/schemas.ts'
import type { Scope } from '../scopes.ts'
import type { OperatorRole } from '../users/rules/operator-roles.ts'
import type { KeyMode } from './format.ts'

/** A key that is not revoked, its owner, and the owner's professional profile. */
export interface VerifiedKey {
  keyId: string
  mode: KeyMode
  accountId: string
  ownerKind: AccountKind
  professionalId: string | null
  /** The user for whom the key of an operator acts, and what they may do. */
  operatorId?: string | null
  operatorRole?: OperatorRole | null
  scopes: Scope[]
  origin: string | null
  rateMultiplier: number
  /** The highest multiplier of the account's unrevoked keys, at least 1. */
  accountMultiplier: number
  expiresAt: string | null
}
