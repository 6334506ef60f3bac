// Keys that are made, used and revoked again and again: how long after its revocation a key still works.
import { randomUUID } from 'node:crypto'

import { createKey, revokeKey } from '../../src/auth/keys/verbs/keys.ts'
import { StoreUnavailable, asStoreError } from '../../src/platform/store-error.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { ctxOf } from '../../src/ctx.ts'
import type { Deps } from '../../src/deps.ts'
import { withWriter } from './database.ts'

/** A revoked key may work this long. */
export const REVOKED_WITHIN_MS = 1000
const WATCHED_MS = 4000

export interface Revocations {
  revoked: number
  /** Requests that began later than {@link REVOKED_WITHIN_MS} after the revocation and were served. */
  served: { server: string; afterMs: number }[]
}

/** Revokes keys until `isOver`, and watches every server after each. `databaseUrl` is asked again for each key: it may move. */
export async function keepRevoking(
  databaseUrl: () => Promise<string | undefined>,
  servers: readonly string[],
  isOver: () => boolean,
): Promise<Revocations> {
  const result: Revocations = { revoked: 0, served: [] }
  while (!isOver()) {
    const key = await withKeys(databaseUrl, (deps) =>
      createKey(ctxOf(deps), {
        ownerEmail: `${randomUUID()}@example.com`,
        scopes: ['bookings:write'],
        name: 'to be revoked',
      }),
    )
    if (!key) continue
    const statusAt = (server: string) =>
      fetch(`${server}/api/v1/bookings/${randomUUID()}`, {
        headers: { authorization: `Bearer ${key.secret}` },
        signal: AbortSignal.timeout(2000),
      }).then(
        ({ status }) => status,
        () => undefined,
      )
    // Every server caches the key before it is revoked.
    await Promise.all(servers.map((server) => waitUntil(async () => (await statusAt(server)) === 404, 3000, 100)))
    const wasRevoked = await withKeys(databaseUrl, (deps) => revokeKey(ctxOf(deps), { id: key.id }).then(() => true))
    if (!wasRevoked) continue
    result.revoked++
    const revokedAt = performance.now()
    const watch = async (server: string) => {
      while (performance.now() - revokedAt < WATCHED_MS) {
        const afterMs = performance.now() - revokedAt
        const status = await statusAt(server)
        if (status === 404 && afterMs > REVOKED_WITHIN_MS) result.served.push({ server, afterMs: Math.round(afterMs) })
        await Bun.sleep(100)
      }
    }
    await Promise.all(servers.map(watch))
  }
  return result
}

/** Undefined when the database could not be asked: a failover is under way. */
async function withKeys<T>(
  databaseUrl: () => Promise<string | undefined>,
  work: (deps: Deps) => Promise<T>,
): Promise<T | undefined> {
  const url = await databaseUrl()
  if (url === undefined) return undefined
  try {
    return await withWriter(url, work, 5000)
  } catch (error) {
    // A revocation without an answer may have taken effect or not, so it says nothing.
    if (asStoreError(error) instanceof StoreUnavailable) return undefined
    throw error
  }
}
