// API keys: created (shown once), verified, listed, rotated, revoked.
import { randomBytes } from 'node:crypto'

import type { Ctx, TxCtx } from '../../../ctx.ts'
import { AppError, invalidField } from '../../../errors/app-error.ts'
import { isEmail } from '../../../platform/schema/types.ts'
import { ensureAccount, ensureTestAccount } from '../../accounts/verbs.ts'
import { type KeyMode, hashKey, isWellFormedKey, generateKey } from '../format.ts'
import {
  type KeyRow,
  countLiveKeys,
  findKeyByHash,
  findKeyForUpdate,
  revokeKeyById,
  selectKeys,
} from '../queries/keys.ts'
import { insertKey, lockAccountOfKeys, notifyKeysChanged, replaceKey } from '../queries/keys.sql.ts'
import type { VerifiedKey } from '../schemas.ts'
import { type Scope, isPlatformScope, isWidgetScope } from '../../scopes.ts'

/**
 * Live keys of one account. Its limits do not grow with its keys; this bounds the counters and the list, and leaves room for
 * a key per service and environment.
 */
export const MAX_LIVE_KEYS = 100

const MAX_NAME = 200

export interface NewKey {
  ownerEmail: string
  scopes: readonly Scope[]
  name: string
  mode?: KeyMode
  /** The only origin whose pages may use the key, such as `https://shop.example`. Required with widget scopes. */
  origin?: string
  /** Multiplies all limits of the key; 1 by default. */
  rateMultiplier?: number
  expiresAt?: Date
}

/** A key as its owner sees it. `secret` is shown only when the key is created. */
export type CreatedKey = Omit<KeyRow, 'accountId'> & { owner: string; secret: string }

/**
 * Creates a key for the account of `ownerEmail`, which becomes a developer account if it is new; a test key for its test account. Throws validation_failed
 * for an owner that is no e-mail address, no scopes, a name that is empty or too long, an invalid origin, for widget scopes without an origin, for a multiplier out of range, and for an expiry in the past;
 * too_many_keys for an account with {@link MAX_LIVE_KEYS}.
 */
export async function createKey(ctx: Ctx, input: NewKey): Promise<CreatedKey> {
  const { mode = 'live', name, scopes, rateMultiplier = 1 } = input
  const origin = input.origin === undefined ? null : parseOrigin(input.origin)
  if (origin === null && scopes.some(isWidgetScope))
    throw invalidField('origin', 'is required with widget scopes, whose keys are visible in public pages')
  if (scopes.length === 0) throw invalidField('scopes', 'must name at least one scope')
  if (name === '' || name.length > MAX_NAME) throw invalidField('name', `must have 1 to ${MAX_NAME} characters`)
  if (!isEmail(input.ownerEmail)) throw invalidField('owner', 'must be an e-mail address')
  if (!(rateMultiplier > 0 && rateMultiplier <= 1_000_000))
    throw invalidField('rateMultiplier', 'must be greater than 0 and at most 1,000,000')
  if (input.expiresAt && input.expiresAt <= ctx.clock.now()) throw invalidField('expires', 'must be in the future')
  return await ctx.transaction('createKey', async (ctx) => {
    const owner = await ensureAccount(ctx, { email: input.ownerEmail })
    if (mode === 'live' && owner.testOf !== null) throw invalidField('mode', 'must be test for an account of test mode')
    if (owner.kind === 'operator' && !scopes.every(isPlatformScope))
      throw invalidField(
        'owner',
        'has the account of an operator, whose keys have the scopes of the preset platform only',
      )
    const account = mode === 'test' ? await ensureTestAccount(ctx, owner) : owner
    await lockAccountOfKeys(ctx, { accountId: account.id })
    const traits = { mode, name, scopes: [...scopes], origin, rateMultiplier, accountId: account.id }
    const key = await insertNewKey(ctx, traits, input.expiresAt)
    await checkKeyCount(ctx, account.id)
    return { ...key, owner: owner.email }
  })
}

/**
 * Creates a successor of a key with the same owner, scopes, origin and limits. Both work until the old one expires,
 * `overlapHours` from now. With `accountId`, only for a key of that account. Throws key_not_found, and validation_failed for
 * a key that has expired or has a successor. The old key counts towards {@link MAX_LIVE_KEYS} until it expires: throws
 * too_many_keys.
 */
export const rotateKey = (
  ctx: Ctx,
  { id, overlapHours = 24, accountId }: { id: string; overlapHours?: number; accountId?: string },
): Promise<Omit<CreatedKey, 'owner'>> =>
  ctx.transaction('rotateKey', async (ctx) => {
    const old = await findKeyForUpdate(ctx, { id, accountId: accountId ?? null })
    if (!old) throw keyNotFound()
    await lockAccountOfKeys(ctx, { accountId: old.accountId })
    if (old.expiresAt !== null && new Date(old.expiresAt) <= ctx.clock.now())
      throw invalidField('id', 'names a key that has expired: create another one')
    if (old.replacedBy !== null) throw invalidField('id', 'names a key that has been rotated: rotate its successor')
    const successor = await insertNewKey(ctx, old, old.expiresAt === null ? undefined : new Date(old.expiresAt))
    await replaceKey(ctx, {
      id,
      successor: successor.id,
      expiresAt: new Date(ctx.clock.now().getTime() + overlapHours * 3_600_000),
    })
    await checkKeyCount(ctx, old.accountId)
    return successor
  })

/** Called after the change, with the account locked. */
async function checkKeyCount(ctx: TxCtx, accountId: string): Promise<void> {
  if ((await countLiveKeys(ctx, { accountId, now: ctx.clock.now() })) <= MAX_LIVE_KEYS) return
  throw new AppError(
    'too_many_keys',
    `The account has ${MAX_LIVE_KEYS} active keys, which is the most. Revoke one first, or rotate one without an overlap.`,
  )
}

type KeyTraits = Pick<KeyRow, 'mode' | 'name' | 'scopes' | 'origin' | 'rateMultiplier' | 'accountId'>

async function insertNewKey(ctx: TxCtx, traits: KeyTraits, expiresAt?: Date) {
  const secret = generateKey(traits.mode, randomBytes(64))
  const { mode, name, scopes, origin, rateMultiplier, accountId } = traits
  const key = {
    id: ctx.ids.uuid(),
    name,
    mode,
    lastFour: secret.slice(-4),
    scopes,
    origin,
    rateMultiplier,
    createdAt: ctx.clock.now().toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    revokedAt: null,
    lastUsedAt: null,
    replacedBy: null,
  }
  await insertKey(ctx, { ...key, accountId, hash: hashKey(secret), isGrant: false })
  return { ...key, secret }
}

/** Shown as the end of the key. No person holds the key of a grant, so it says nothing. */
const NO_LAST_FOUR = '····'

/**
 * Stores a grant to an app as a key without a secret: only the tokens of the app stand for it. Its limits, usage, last use
 * and revocation are those of a key.
 */
export async function insertGrantKey(
  ctx: TxCtx,
  grant: { id: string; accountId: string; name: string; scopes: readonly Scope[]; expiresAt: Date },
): Promise<void> {
  await insertKey(ctx, {
    ...grant,
    mode: 'live',
    hash: randomBytes(32),
    lastFour: NO_LAST_FOUR,
    origin: null,
    rateMultiplier: 1,
    createdAt: ctx.clock.now(),
    expiresAt: grant.expiresAt,
    isGrant: true,
  })
}

/** Scheme, host and port as a browser sends them in `Origin` (RFC 6454 §6.2). */
function parseOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.origin !== text.replace(/\/$/, '').toLowerCase())
    throw invalidField('origin', 'must be an origin such as https://shop.example, without a path')
  return url.origin
}

/** For a key that is not the caller’s, or is revoked. */
export const keyNotFound = () => new AppError('key_not_found', 'Your account has no active key with this id.')

/** Tells every process that keys, or the people behind grants, have changed. */
export const announceKeyChange = (ctx: TxCtx): Promise<void> => notifyKeysChanged(ctx)

/**
 * Finds the key. Throws `invalid_key` for a mistyped (which costs no query), unknown or revoked one. The caller checks its
 * expiry, because callers cache the result.
 */
export async function verifyKey(ctx: Ctx, { key }: { key: string }): Promise<VerifiedKey> {
  if (!isWellFormedKey(key)) throw new AppError('invalid_key', 'The API key is mistyped: its checksum is wrong.')
  const verified = await findKeyByHash(ctx, { hash: hashKey(key) })
  if (!verified) throw new AppError('invalid_key', 'The API key is unknown or has been revoked.')
  return verified
}

/** Keys without their secrets, newest first; of one owner if given. */
export const listKeys = (ctx: Ctx, { ownerEmail }: { ownerEmail?: string } = {}) =>
  selectKeys(ctx, { ownerEmail: ownerEmail ?? null })

/**
 * Revokes a key permanently; with `accountId`, only a key of that account. Throws key_not_found for an unknown or revoked
 * key.
 */
export async function revokeKey(ctx: Ctx, { id, accountId }: { id: string; accountId?: string }): Promise<void> {
  if (!(await revokeKeyById(ctx, { id, accountId: accountId ?? null, now: ctx.clock.now() }))) throw keyNotFound()
}
