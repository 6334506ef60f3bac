// API keys in the database.
import type { Sql } from '../../../platform/postgres/database.ts'
import type { Scope } from '../../scopes.ts'
import type { VerifiedKey } from '../schemas.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'

export interface KeyRow {
  id: string
  accountId: string
  name: string
  mode: 'live' | 'test'
  lastFour: string
  scopes: Scope[]
  /** The only origin whose pages may use the key. */
  origin: string | null
  /** Multiplies all limits of the key. */
  rateMultiplier: number
  createdAt: string
  expiresAt: string | null
  revokedAt: string | null
  lastUsedAt: string | null
  /** The id of its successor after a rotation; both work until this one expires. */
  replacedBy: string | null
}

interface NewKeyRow extends KeyRow {
  hash: Buffer
  /** What a person granted to an app (auth/oauth): its tokens stand for it, and it has no secret of its own. */
  isGrant: boolean
}

/** Tells every process to look up keys and tokens anew. */
export async function notifyKeysChanged(ctx: TxCtx): Promise<void> {
  await ctx.tx.run('notifyKeysChanged', (sql) => sql`select pg_notify('keys_changed', '')`)
}

export async function insertKey(ctx: TxCtx, key: NewKeyRow): Promise<void> {
  await ctx.tx.run(
    'insertKey',
    (sql) => sql`
      insert into api_keys (
        id, account_id, name, mode, hash, last_four, scopes, origin, rate_multiplier, created_at, expires_at, is_grant)
      values (${key.id}, ${key.accountId}, ${key.name}, ${key.mode}, ${key.hash}, ${key.lastFour},
        ${key.scopes}, ${key.origin}, ${key.rateMultiplier}, ${key.createdAt}, ${key.expiresAt},
        ${key.isGrant})`,
  )
}

/** The key with this hash unless it is revoked. The caller checks its expiry, because the result is cached. */
export async function findKeyByHash(ctx: Ctx, { hash }: { hash: Buffer }): Promise<VerifiedKey | undefined> {
  const rows = await ctx.read.run<VerifiedKey>(
    'findKeyByHash',
    (sql) => sql`
      select k.id as key_id, k.mode, k.account_id, a.kind as owner_kind, p.id as professional_id, k.scopes, k.origin,
        k.rate_multiplier, k.expires_at,
        (select greatest(1, max(o.rate_multiplier)) from api_keys o
         where o.account_id = k.account_id and o.revoked_at is null) as account_multiplier
      from api_keys k join accounts a on a.id = k.account_id left join professionals p on p.account_id = a.id
      where k.hash = ${hash} and k.revoked_at is null`,
  )
  return rows[0]
}

/** Keys of one owner in both modes, or of all, newest first; not the grants of apps. */
export async function selectKeys(
  ctx: Ctx,
  { ownerEmail }: { ownerEmail: string | null },
): Promise<(KeyRow & { owner: string })[]> {
  return await ctx.write.run(
    'selectKeys',
    (sql) => sql`
      select k.id, k.account_id, k.name, k.mode, k.last_four, k.scopes, k.origin, k.rate_multiplier, k.created_at,
        k.expires_at, k.revoked_at, k.last_used_at, k.replaced_by, a.email as owner
      from api_keys k join accounts held on held.id = k.account_id join accounts a on a.id = coalesce(held.test_of, held.id)
      where not k.is_grant and (${ownerEmail}::text is null or a.email = ${ownerEmail})
      order by k.created_at desc, k.id desc`,
  )
}

/** Keys of the account and of its test mode; all without an account. */
const isOwn = (sql: Sql, accountId: string | null) => sql`(${accountId}::uuid is null or account_id = ${accountId}
  or account_id in (select id from accounts where test_of = ${accountId}))`

/** Revokes the key and notifies every process. Returns whether an unrevoked key was found, of `accountId` if given. */
export async function revokeKeyById(
  ctx: Ctx,
  { id, accountId, now }: { id: string; accountId: string | null; now: Date },
): Promise<boolean> {
  const rows = await ctx.write.run(
    'revokeKeyById',
    (sql) => sql`
      with revoked as (
        update api_keys set revoked_at = ${now.toISOString()} 
        where id = ${id} and revoked_at is null and ${isOwn(sql, accountId)}
        returning hash)
      select pg_notify('keys_changed', encode(hash, 'hex')) from revoked`,
  )
  return rows.length > 0
}

/** Locks the unrevoked key with this id, of `accountId` if given, so that concurrent rotations wait. */
export async function findKeyForUpdate(
  ctx: TxCtx,
  { id, accountId }: { id: string; accountId: string | null },
): Promise<KeyRow | undefined> {
  const rows = await ctx.tx.run<KeyRow>(
    'findKeyForUpdate',
    (sql) => sql`
      select id, account_id, name, mode, last_four, scopes, origin, rate_multiplier, created_at, expires_at, revoked_at,
        last_used_at, replaced_by
      from api_keys
      where id = ${id} and not is_grant and revoked_at is null and ${isOwn(sql, accountId)}
      for update`,
  )
  return rows[0]
}

/** Locks the account until the transaction ends, so that its keys are counted one after the other. */
export async function lockAccountOfKeys(ctx: TxCtx, { accountId }: { accountId: string }): Promise<void> {
  await ctx.tx.run('lockAccountOfKeys', (sql) => sql`select from accounts where id = ${accountId} for no key update`)
}

/** How many keys of the account are neither revoked nor expired; grants of apps do not count. */
export async function countLiveKeys(ctx: TxCtx, { accountId, now }: { accountId: string; now: Date }): Promise<number> {
  const [row] = await ctx.tx.run<{ count: number }>(
    'countLiveKeys',
    (sql) => sql`
      select count(*)::int as count from api_keys
      where account_id = ${accountId} and not is_grant and revoked_at is null
        and (expires_at is null or expires_at > ${now.toISOString()})`,
  )
  return row?.count ?? 0
}

/** Records the key's successor and expiry, and notifies every process. */
export async function replaceKey(
  ctx: TxCtx,
  { id, successor, expiresAt }: { id: string; successor: string; expiresAt: Date },
): Promise<void> {
  await ctx.tx.run(
    'replaceKey',
    (sql) => sql`
      with replaced as (
        update api_keys set replaced_by = ${successor}, expires_at = least(expires_at, ${expiresAt.toISOString()})
        where id = ${id} returning hash)
      select pg_notify('keys_changed', encode(hash, 'hex')) from replaced`,
  )
}

/** Records when keys were last used; never moves a time backwards. */
export async function updateLastUsed(ctx: Ctx, { used }: { used: ReadonlyMap<string, Date> }): Promise<void> {
  const ids = [...used.keys()]
  const times = ids.map((id) => used.get(id)?.toISOString() ?? null)
  await ctx.write.run(
    'updateLastUsed',
    (sql) => sql`
      update api_keys k set last_used_at = greatest(k.last_used_at, u.used_at)
      from unnest(${ids}::uuid[], ${times}::text[]::timestamptz[]) u (id, used_at) where k.id = u.id`,
  )
}
