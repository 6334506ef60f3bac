// Grants and their tokens in the database. A grant's row of `api_keys` has its scopes, expiry, last use and revocation.
import type { VerifiedKey } from '../../keys/schemas.ts'
import type { Scope } from '../../scopes.ts'
import type { ResourceName } from '../resources.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'

export async function insertGrant(
  ctx: TxCtx,
  grant: { keyId: string; clientId: string; resource: ResourceName; userId: string | null; emailDigest: string | null },
): Promise<void> {
  await ctx.tx.run(
    'insertOAuthGrant',
    (sql) => sql`
      insert into oauth_grants (key_id, client_id, resource, user_id, email_digest)
      values (${grant.keyId}, ${grant.clientId}, ${grant.resource}, ${grant.userId},
        ${grant.emailDigest})`,
  )
}

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
    await ctx.tx.run(
      'insertOAuthToken',
      (sql) => sql`
        insert into oauth_tokens (hash, key_id, kind, scopes, created_at, expires_at)
        values (${hash}, ${keyId}, ${kind}, ${[...scopes]}, ${now.toISOString()}, ${expiresAt.toISOString()})`,
    )
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
  const [row] = await ctx.read.run<TokenKeyRow>(
    'findAccessToken',
    (sql) => sql`
      select k.id as key_id, k.mode, k.account_id, a.kind as owner_kind, p.id as professional_id, t.scopes, k.origin,
        k.rate_multiplier, t.expires_at, g.resource as audience, c.email as customer_email, g.email_digest,
        (select greatest(1, max(o.rate_multiplier)) from api_keys o
         where o.account_id = k.account_id and o.revoked_at is null) as account_multiplier
      from oauth_tokens t join oauth_grants g on g.key_id = t.key_id join api_keys k on k.id = t.key_id
      join accounts a on a.id = k.account_id left join professionals p on p.account_id = a.id
      left join customers c on c.account_id = a.id left join users u on u.id = g.user_id
      where t.hash = ${hash} and t.kind = 'access' and k.revoked_at is null
        and (c.account_id is not null or (u.account_id = k.account_id and u.disabled_at is null))`,
  )
  return row
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
  const [row] = await ctx.tx.run<TokenRow>(
    'lockOAuthToken',
    (sql) => sql`
      select t.key_id, t.kind, k.scopes, g.client_id, g.resource, t.expires_at, t.used_at,
        k.revoked_at is not null or (c.account_id is null and (u.id is null or u.disabled_at is not null)) as is_ended,
        c.email as customer_email, g.email_digest
      from oauth_tokens t join oauth_grants g on g.key_id = t.key_id join api_keys k on k.id = t.key_id
      left join customers c on c.account_id = k.account_id left join users u on u.id = g.user_id
      where t.hash = ${hash}
      for update of t, g`,
  )
  return row
}

/** Records that a refresh token was exchanged, and that its grant lives on until `expiresAt`. */
export async function useRefreshToken(
  ctx: TxCtx,
  { hash, keyId, now, expiresAt }: { hash: Buffer; keyId: string; now: Date; expiresAt: Date },
): Promise<void> {
  await ctx.tx.run(
    'useRefreshToken',
    (sql) => sql`
      with used as (update oauth_tokens set used_at = ${now.toISOString()} where hash = ${hash})
      update api_keys set expires_at = ${expiresAt.toISOString()} where id = ${keyId}`,
  )
}

/** Deletes an access token and notifies every process. */
export async function deleteToken(ctx: TxCtx, { hash }: { hash: Buffer }): Promise<void> {
  await ctx.tx.run(
    'deleteOAuthToken',
    (sql) => sql`
      with gone as (delete from oauth_tokens where hash = ${hash} returning hash)
      select pg_notify('keys_changed', encode(hash, 'hex')) from gone`,
  )
}

/** Revokes grants and notifies every process. Returns how many were not revoked before. */
export async function revokeGrants(
  ctx: Ctx,
  { keyIds, now }: { keyIds: readonly string[]; now: Date },
): Promise<number> {
  const rows = await ctx.write.run(
    'revokeOAuthGrants',
    (sql) => sql`
      with revoked as (
        update api_keys set revoked_at = ${now.toISOString()}
        where id = any(${[...keyIds]}::uuid[]) and is_grant and revoked_at is null
        returning id)
      select pg_notify('keys_changed', id::text) from revoked`,
  )
  return rows.length
}

/**
 * Ends all that a user has granted: deletes codes that were not exchanged, revokes the grants with their tokens and notifies every
 * process. The codes come first: an exchange that runs meanwhile holds its code, and its grant is seen after the wait.
 */
export async function endGrantsOfUser(ctx: TxCtx, { userId, now }: { userId: string; now: Date }): Promise<void> {
  await ctx.tx.run('deleteCodesOfUser', (sql) => sql`delete from oauth_requests where user_id = ${userId}`)
  await ctx.tx.run(
    'revokeGrantsOfUser',
    (sql) => sql`
      with revoked as (
        update api_keys set revoked_at = ${now.toISOString()}
        where id in (select key_id from oauth_grants where user_id = ${userId}) and revoked_at is null
        returning id)
      select pg_notify('keys_changed', id::text) from revoked`,
  )
}

/** The account's grants beyond the `kept` that were used last. */
export async function selectExcessGrants(
  ctx: TxCtx,
  { accountId, kept }: { accountId: string; kept: number },
): Promise<string[]> {
  const rows = await ctx.tx.run<{ id: string }>(
    'selectExcessGrants',
    (sql) => sql`
      select id from api_keys where account_id = ${accountId} and is_grant and revoked_at is null
      order by coalesce(last_used_at, created_at) desc, id offset ${kept}`,
  )
  return rows.map(({ id }) => id)
}

/** Ends grants whose refresh token has expired; the most overdue first. Returns how many. */
export async function endGrants(ctx: Ctx, { now, limit }: { now: Date; limit: number }): Promise<number> {
  const rows = await ctx.write.run(
    'endOAuthGrants',
    (sql) => sql`
      update api_keys set revoked_at = expires_at
      where id in (
        select id from api_keys where is_grant and revoked_at is null and expires_at <= ${now.toISOString()}
        order by expires_at limit ${limit} for update skip locked)
      returning 1`,
  )
  return rows.length
}
