// Grants and their tokens in the database. A grant's row of `api_keys` has its scopes, expiry, last use and revocation.
import type { VerifiedKey } from '../../keys/schemas.ts'
import type { Scope } from '../../scopes.ts'
import type { ResourceName } from '../resources.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'
import * as statements from './grants.sql.ts'

export interface NewToken {
  hash: Buffer
  kind: 'access' | 'refresh'
  scopes: readonly Scope[]
  expiresAt: Date
}

export async function insertTokens(
  ctx: TxCtx,
  { keyId, now, tokens }: { keyId: string; now: Date; tokens: readonly NewToken[] },
): Promise<void> {
  for (const { hash, kind, scopes, expiresAt } of tokens)
    await statements.insertOAuthToken(ctx, { hash, keyId, kind, scopes, now, expiresAt })
}

/** An access token with its grant and that grant's owner, as a key. */
export type TokenKeyRow = VerifiedKey & { audience: ResourceName } & ProvenAddress

/** Of a customer: the address now, and the digest of the one that was proven. */
export interface ProvenAddress {
  customerEmail: string | null
  emailDigest: string | null
}

/** The access token with this hash, unless its grant was revoked or the person behind it is gone. The caller checks its expiry. */
export async function findAccessToken(ctx: Ctx, { hash }: { hash: Buffer }): Promise<TokenKeyRow | undefined> {
  return await statements.findAccessToken<Pick<TokenKeyRow, 'scopes'>>(ctx, { hash })
}

/** A token with its grant. */
export interface TokenRow extends ProvenAddress {
  keyId: string
  kind: NewToken['kind']
  /** Of the grant. */
  scopes: Scope[]
  clientId: string
  resource: ResourceName
  expiresAt: string
  usedAt: string | null
  /** The grant was revoked, or the person behind it is gone. */
  isEnded: boolean
}

/** The token with this hash; its grant is locked until the transaction ends. */
export async function lockToken(ctx: TxCtx, { hash }: { hash: Buffer }): Promise<TokenRow | undefined> {
  return await statements.lockOAuthToken<Pick<TokenRow, 'scopes'>>(ctx, { hash })
}

/** Revokes grants and notifies every process. Returns how many were not revoked before. */
export async function revokeGrants(
  ctx: Ctx,
  { keyIds, now }: { keyIds: readonly string[]; now: Date },
): Promise<number> {
  const rows = await statements.revokeOAuthGrants(ctx, { now, keyIds })
  return rows.length
}

/**
 * Ends all that a user has granted: deletes codes that were not exchanged, revokes the grants with their tokens and notifies every
 * process. The codes come first: an exchange that runs meanwhile holds its code, and its grant is seen after the wait.
 */
export async function revokeGrantsOfUser(ctx: TxCtx, { userId, now }: { userId: string; now: Date }): Promise<void> {
  await statements.deleteCodesOfUser(ctx, { userId })
  await statements.revokeGrantsOfUser(ctx, { now, userId })
}

/** The account's grants beyond the `kept` that were used last. */
export async function selectExcessGrants(
  ctx: TxCtx,
  { accountId, kept }: { accountId: string; kept: number },
): Promise<string[]> {
  const rows = await statements.selectExcessGrants(ctx, { accountId, kept })
  return rows.map(({ id }) => id)
}

/** Ends grants whose refresh token has expired; the most overdue first. Returns how many. */
export async function endGrants(ctx: Ctx, { now, limit }: { now: Date; limit: number }): Promise<number> {
  const rows = await statements.endOAuthGrants(ctx, { now, limit })
  return rows.length
}
