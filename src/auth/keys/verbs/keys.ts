// The life of an API key: made (shown once), verified, listed, rotated, revoked.
import { randomBytes } from 'node:crypto'

import type { Deps } from '../../../deps.ts'
import { AppError, invalidField } from '../../../errors/app-error.ts'
import type { Runner } from '../../../platform/postgres/database.ts'
import { ensureAccount } from '../../accounts/verbs.ts'
import { type KeyMode, hashKey, isWellFormedKey, makeKey } from '../format.ts'
import {
  type KeyRow,
  type VerifiedKeyRow,
  findKeyByHash,
  findKeyForUpdate,
  insertKey,
  replaceKey,
  revokeKeyById,
  selectKeys,
} from '../queries/keys.ts'
import { type Scope, isWidgetScope } from '../../scopes.ts'

export interface NewKey {
  ownerEmail: string
  scopes: readonly Scope[]
  name: string
  mode?: KeyMode
  /** `https://shop.example`: pages of this origin may use the key, nothing else. Widget scopes need one. */
  origin?: string
  /** All limits of the key, times this; 1 unless given. */
  rateMultiplier?: number
  expiresAt?: Date
}

/** A key as its owner sees it; `secret` only in the answer that creates it. */
export type CreatedKey = Omit<KeyRow, 'accountId'> & { owner: string; secret: string }

type KeyDeps = Pick<Deps, 'write' | 'clock' | 'ids'>

/**
 * Makes a key for the account of `ownerEmail` (an unknown address makes a developer account). Throws validation_failed
 * for an origin that is none, for widget scopes without one, and for a multiplier that is not positive.
 */
export async function createKey(deps: KeyDeps, request: NewKey): Promise<CreatedKey> {
  const { mode = 'live', name, scopes, rateMultiplier = 1 } = request
  const origin = request.origin === undefined ? null : readOrigin(request.origin)
  if (origin === null && scopes.some(isWidgetScope))
    throw invalidField('origin', 'is required with widget scopes: their keys stand in public pages')
  if (!(rateMultiplier > 0 && rateMultiplier <= 1_000_000))
    throw invalidField('rateMultiplier', 'must be a number over 0, at most 1,000,000')
  return await deps.write.begin('createKey', async (tx) => {
    const account = await ensureAccount(deps, tx, request.ownerEmail)
    const wanted = { mode, name, scopes: [...scopes], origin, rateMultiplier, accountId: account.id }
    return { ...(await makeAndInsert(deps, tx, wanted, request.expiresAt)), owner: account.email }
  })
}

/**
 * Makes a key that takes the place of another: same owner, scopes, origin and limits. Both work until the old one expires,
 * `overlapHours` from now. With `accountId`, only for a key of that account. Throws key_not_found, and validation_failed for
 * a key that was rotated before.
 */
export const rotateKey = (
  deps: KeyDeps,
  id: string,
  { overlapHours = 24, accountId }: { overlapHours?: number; accountId?: string } = {},
): Promise<Omit<CreatedKey, 'owner'>> =>
  deps.write.begin('rotateKey', async (tx) => {
    const old = await findKeyForUpdate(tx, id, accountId ?? null)
    if (!old) throw noSuchKey()
    if (old.replacedBy !== null) throw invalidField('id', 'names a key that was rotated before: rotate its successor')
    const made = await makeAndInsert(deps, tx, old, old.expiresAt === null ? undefined : new Date(old.expiresAt))
    await replaceKey(tx, id, made.id, new Date(deps.clock.now().getTime() + overlapHours * 3_600_000))
    return made
  })

type KeyTraits = Pick<KeyRow, 'mode' | 'name' | 'scopes' | 'origin' | 'rateMultiplier' | 'accountId'>

async function makeAndInsert({ clock, ids }: KeyDeps, tx: Runner, traits: KeyTraits, expiresAt?: Date) {
  const secret = makeKey(traits.mode, randomBytes(64))
  const { mode, name, scopes, origin, rateMultiplier, accountId } = traits
  const shown = {
    id: ids.uuid(),
    name,
    mode,
    lastFour: secret.slice(-4),
    scopes,
    origin,
    rateMultiplier,
    createdAt: clock.now().toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    revokedAt: null,
    lastUsedAt: null,
    replacedBy: null,
  }
  await insertKey(tx, { ...shown, accountId, hash: hashKey(secret) })
  return { ...shown, secret }
}

/** Scheme, host and port as a browser sends them in `Origin` (RFC 6454 §6.2). */
function readOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.origin !== text.replace(/\/$/, '').toLowerCase())
    throw invalidField('origin', 'must be an origin such as https://shop.example, without a path')
  return url.origin
}

const noSuchKey = () => new AppError('key_not_found', 'No unrevoked key of yours has this id.')

/** A key that is known and not revoked, with its owner. */
export type VerifiedKey = VerifiedKeyRow

/**
 * Looks the key up. Throws `invalid_key` for a mistyped (no look-up needed), unknown or revoked one. Its expiry is for the
 * caller to check, because callers keep the answer.
 */
export async function verifyKey({ read }: Pick<Deps, 'read'>, key: string): Promise<VerifiedKey> {
  if (!isWellFormedKey(key)) throw new AppError('invalid_key', 'The API key is mistyped: its checksum does not match.')
  const found = await findKeyByHash(read, hashKey(key))
  if (!found) throw new AppError('invalid_key', 'The API key is unknown or was revoked.')
  return found
}

/** Keys without their secrets, newest first; of one owner when given. */
export const listKeys = ({ write }: KeyDeps, ownerEmail?: string) => selectKeys(write, ownerEmail ?? null)

/**
 * Revokes a key for good; with `accountId`, only one of that account. Throws key_not_found when there is none with this id,
 * or it was revoked before.
 */
export async function revokeKey(
  { write, clock }: KeyDeps,
  id: string,
  { accountId }: { accountId?: string } = {},
): Promise<void> {
  if (!(await revokeKeyById(write, id, accountId ?? null, clock.now()))) throw noSuchKey()
}
