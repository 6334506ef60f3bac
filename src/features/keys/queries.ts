// API keys in the database.
import type { Runner } from '../../platform/db.ts'
import type { AccountKind } from '../accounts/model.ts'
import type { Scope } from './scopes.ts'

export interface KeyRow {
  id: string
  accountId: string
  name: string
  mode: 'live' | 'test'
  lastFour: string
  scopes: Scope[]
  createdAt: string
  expiresAt: string | null
  revokedAt: string | null
  lastUsedAt: string | null
}

/** What a request needs to know of its key: the key, its owner, and the pro that owner is. */
export interface VerifiedKeyRow {
  keyId: string
  accountId: string
  ownerKind: AccountKind
  professionalId: string | null
  scopes: Scope[]
  expiresAt: string | null
}

export async function insertKey(db: Runner, key: KeyRow & { hash: Buffer }): Promise<void> {
  await db.run(
    'insertKey',
    (sql) => sql`
      insert into api_keys (id, account_id, name, mode, hash, last_four, scopes, created_at, expires_at)
      values (${key.id}, ${key.accountId}, ${key.name}, ${key.mode}, ${key.hash}, ${key.lastFour},
        ${key.scopes}, ${key.createdAt}, ${key.expiresAt})`,
  )
}

/** The key with this hash unless it is revoked. Expiry is for the caller to check: the answer is cached. */
export async function findKeyByHash(db: Runner, hash: Buffer): Promise<VerifiedKeyRow | undefined> {
  const rows = await db.run<VerifiedKeyRow>(
    'findKeyByHash',
    (sql) => sql`
      select k.id as key_id, k.account_id, a.kind as owner_kind, p.id as professional_id, k.scopes, k.expires_at
      from api_keys k join accounts a on a.id = k.account_id left join professionals p on p.account_id = a.id
      where k.hash = ${hash} and k.revoked_at is null`,
  )
  return rows[0]
}

/** Keys of one owner, or of all, newest first. */
export async function selectKeys(db: Runner, ownerEmail: string | null): Promise<(KeyRow & { owner: string })[]> {
  return await db.run(
    'selectKeys',
    (sql) => sql`
      select k.id, k.account_id, k.name, k.mode, k.last_four, k.scopes, k.created_at, k.expires_at, k.revoked_at,
        k.last_used_at, a.email as owner
      from api_keys k join accounts a on a.id = k.account_id
      where ${ownerEmail}::text is null or a.email = lower(${ownerEmail})
      order by k.created_at desc, k.id desc`,
  )
}

/** Revokes the key and tells every process. Answers whether there was such an unrevoked key. */
export async function revokeKeyById(db: Runner, id: string, now: Date): Promise<boolean> {
  const rows = await db.run(
    'revokeKeyById',
    (sql) => sql`
      with revoked as (
        update api_keys set revoked_at = ${now.toISOString()} where id = ${id} and revoked_at is null returning hash)
      select pg_notify('keys_changed', encode(hash, 'hex')) from revoked`,
  )
  return rows.length > 0
}
