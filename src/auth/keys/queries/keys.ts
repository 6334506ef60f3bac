// API keys in the database.
import type { Sql } from '../../../platform/postgres/database.ts'
import type { Scope } from '../../scopes.ts'
import type { VerifiedKey } from '../schemas.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'
import { type Columns, composed, json, nullable, number, oneOf, text } from '../../../platform/postgres/composed.ts'
import * as statements from './keys.sql.ts'

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

/** The key with this hash unless it is revoked. The caller checks its expiry, because the result is cached. */
export async function findKeyByHash(ctx: Ctx, { hash }: { hash: Buffer }): Promise<VerifiedKey | undefined> {
  return await statements.findKeyByHash<Pick<VerifiedKey, 'scopes'>>(ctx, { hash })
}

/** Keys of one owner in both modes, or of all, newest first; not the grants of apps. */
export const selectKeys = (ctx: Ctx, input: { ownerEmail: string | null }): Promise<(KeyRow & { owner: string })[]> =>
  statements.selectKeys<Pick<KeyRow, 'scopes'>>(ctx, input)

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

const KEY: Columns<KeyRow> = {
  id: text,
  accountId: text,
  name: text,
  mode: oneOf('live', 'test'),
  lastFour: text,
  scopes: json<Scope[]>(),
  origin: nullable(text),
  rateMultiplier: number,
  createdAt: text,
  expiresAt: nullable(text),
  revokedAt: nullable(text),
  lastUsedAt: nullable(text),
  replacedBy: nullable(text),
}

/** Locks the unrevoked key with this id, of `accountId` if given, so that concurrent rotations wait. */
export async function findKeyForUpdate(
  ctx: TxCtx,
  { id, accountId }: { id: string; accountId: string | null },
): Promise<KeyRow | undefined> {
  const rows = await composed<KeyRow>(
    ctx.tx,
    'findKeyForUpdate',
    KEY,
    (sql) => sql`
      select id, account_id, name, mode, last_four, scopes, origin, rate_multiplier, created_at, expires_at, revoked_at,
        last_used_at, replaced_by
      from api_keys
      where id = ${id} and not is_grant and revoked_at is null and ${isOwn(sql, accountId)}
      for update`,
  )
  return rows[0]
}

/** How many keys of the account are neither revoked nor expired; grants of apps do not count. */
export async function countLiveKeys(ctx: TxCtx, { accountId, now }: { accountId: string; now: Date }): Promise<number> {
  const row = await statements.countLiveKeys(ctx, { accountId, now })
  return row?.count ?? 0
}

/** Records when keys were last used; never moves a time backwards. */
export async function updateLastUsed(ctx: Ctx, { used }: { used: ReadonlyMap<string, Date> }): Promise<void> {
  const ids = [...used.keys()]
  const times = Array.from(used.values(), (at) => at.toISOString())
  await statements.updateLastUsed(ctx, { ids, times })
}
