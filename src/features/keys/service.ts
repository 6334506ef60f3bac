// The life of an API key: made (shown once), verified, listed, revoked.
import { randomBytes } from 'node:crypto'

import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { ensureAccount } from '../accounts/service.ts'
import { type KeyMode, hashKey, isWellFormedKey, makeKey } from './format.ts'
import { type KeyRow, type VerifiedKeyRow, findKeyByHash, insertKey, revokeKeyById, selectKeys } from './queries.ts'
import type { Scope } from './scopes.ts'

export interface NewKey {
  ownerEmail: string
  scopes: readonly Scope[]
  name: string
  mode?: KeyMode
  expiresAt?: Date
}

/** A key as its owner sees it; `secret` only in the answer that creates it. */
export type CreatedKey = Omit<KeyRow, 'accountId'> & { owner: string; secret: string }

type KeyDeps = Pick<Deps, 'write' | 'clock' | 'ids'>

/** Makes a key for the account of `ownerEmail` (an unknown address makes a developer account). */
export const createKey = (deps: KeyDeps, request: NewKey): Promise<CreatedKey> =>
  deps.write.begin('createKey', async (tx) => {
    const account = await ensureAccount(deps, tx, request.ownerEmail)
    const secret = makeKey(request.mode ?? 'live', randomBytes(64))
    const key: KeyRow = {
      id: deps.ids.uuid(),
      accountId: account.id,
      name: request.name,
      mode: request.mode ?? 'live',
      lastFour: secret.slice(-4),
      scopes: [...request.scopes],
      createdAt: deps.clock.now().toISOString(),
      expiresAt: request.expiresAt?.toISOString() ?? null,
      revokedAt: null,
      lastUsedAt: null,
    }
    await insertKey(tx, { ...key, hash: hashKey(secret) })
    const { accountId: _, ...shown } = key
    return { ...shown, owner: account.email, secret }
  })

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

/** Revokes a key for good. Throws not_found when there is none with this id, or it was revoked before. */
export async function revokeKey({ write, clock }: KeyDeps, id: string): Promise<void> {
  if (!(await revokeKeyById(write, id, clock.now())))
    throw new AppError('not_found', `There is no unrevoked key with id ${id}.`)
}
