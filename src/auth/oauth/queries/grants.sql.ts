// Written by `npm run schema` from grants.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const insertGrant = statement('insertGrant') as Exec<'tx',
  { keyId: string; clientId: string; resource: string; userId?: string | null; emailDigest?: string | null }>

export const insertOAuthToken = statement('insertOAuthToken') as Exec<'tx',
  { hash: Buffer; keyId: string; kind: string; scopes: readonly string[]; now: string | Date; expiresAt: string | Date }>

export const findAccessToken = statement('findAccessToken', { nullable: ['professionalId', 'scopes', 'origin', 'expiresAt', 'customerEmail', 'emailDigest'] }) as One<'read',
  { hash: Buffer },
  { keyId: string; mode: 'live' | 'test'; accountId: string; ownerKind: 'developer' | 'pro' | 'client' | 'customer' | 'operator'; professionalId: string | null; scopes: unknown; origin: string | null; rateMultiplier: number; expiresAt: string | null; audience: 'pro-agent' | 'customer-agent' | 'rest'; customerEmail: string | null; emailDigest: string | null; accountMultiplier: number },
  'scopes'>

export const lockOAuthToken = statement('lockOAuthToken', { nullable: ['scopes', 'usedAt', 'customerEmail', 'emailDigest'] }) as One<'tx',
  { hash: Buffer },
  { keyId: string; kind: 'access' | 'refresh'; scopes: unknown; clientId: string; resource: 'pro-agent' | 'customer-agent' | 'rest'; expiresAt: string; usedAt: string | null; isEnded: boolean; customerEmail: string | null; emailDigest: string | null },
  'scopes'>

/** Records that a refresh token was exchanged, and that its grant lives on until `expiresAt`. */
export const useRefreshToken = statement('useRefreshToken') as Exec<'tx',
  { now: string | Date; hash: Buffer; expiresAt: string | Date; keyId: string }>

/** Deletes an access token and notifies every process. */
export const deleteToken = statement('deleteToken') as Exec<'tx',
  { hash: Buffer }>

export const revokeOAuthGrants = statement('revokeOAuthGrants', { nullable: ['pgNotify'] }) as Many<'write',
  { now: string | Date; keyIds: readonly string[] },
  { pgNotify: void }>

export const deleteCodesOfUser = statement('deleteCodesOfUser') as Exec<'tx',
  { userId: string }>

export const revokeGrantsOfUser = statement('revokeGrantsOfUser') as Exec<'tx',
  { now: string | Date; userId: string }>

export const selectExcessGrants = statement('selectExcessGrants') as Many<'tx',
  { accountId: string; kept: number },
  { id: string }>

export const endOAuthGrants = statement('endOAuthGrants') as Many<'write',
  { now: string | Date; limit: number },
  {}>
