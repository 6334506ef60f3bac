// Written by `npm run schema` from keys.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** Tells every process to look up keys and tokens anew. */
export const notifyKeysChanged = statement('notifyKeysChanged') as Exec<'tx',
  {}>

export const insertKey = statement('insertKey') as Exec<'tx',
  { id: string; accountId: string; name: string; mode: string; hash: Buffer; lastFour: string; scopes: readonly string[]; origin?: string | null; rateMultiplier: number; createdAt: string | Date; expiresAt?: string | Date | null; isGrant: boolean }>

/** The key of an operator ends with the operator's log-in. */
export const findKeyByHash = statement('findKeyByHash', { nullable: ['professionalId', 'operatorId', 'operatorRole', 'scopes', 'origin', 'expiresAt'] }) as One<'read',
  { hash: Buffer },
  { keyId: string; mode: 'live' | 'test'; accountId: string; ownerKind: 'developer' | 'pro' | 'client' | 'customer' | 'operator'; professionalId: string | null; operatorId: string | null; operatorRole: 'administrator' | 'support' | 'moderation' | 'finance' | null; scopes: unknown; origin: string | null; rateMultiplier: number; expiresAt: string | null; accountMultiplier: number },
  'scopes'>

export const selectKeys = statement('selectKeys', { nullable: ['scopes', 'origin', 'expiresAt', 'revokedAt', 'lastUsedAt', 'replacedBy'] }) as Many<'write',
  { ownerEmail?: string | null },
  { id: string; accountId: string; name: string; mode: 'live' | 'test'; lastFour: string; scopes: unknown; origin: string | null; rateMultiplier: number; createdAt: string; expiresAt: string | null; revokedAt: string | null; lastUsedAt: string | null; replacedBy: string | null; owner: string },
  'scopes'>

/** Locks the account until the transaction ends, so that its keys are counted one after the other. */
export const lockAccountOfKeys = statement('lockAccountOfKeys') as Exec<'tx',
  { accountId: string }>

export const countLiveKeys = statement('countLiveKeys') as One<'tx',
  { accountId: string; now: string | Date },
  { count: number }>

/** Records the key's successor and expiry, and notifies every process. */
export const replaceKey = statement('replaceKey') as Exec<'tx',
  { successor: string; expiresAt: string | Date; id: string }>

export const updateLastUsed = statement('updateLastUsed') as Exec<'write',
  { ids: readonly string[]; times: readonly string[] }>
