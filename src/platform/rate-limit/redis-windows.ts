// Sliding windows in Redis, shared by all processes: one script call for any number of requests and limits.
//
// Not rate-limiter-flexible: its windows are fixed (twice the quota passes around a boundary), and several limits of one
// request are several keys, each a round trip, of which some are spent when another refuses.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Redis } from 'ioredis'

import { type Ask, BUCKETS, type Grant } from './limit.ts'

/** Takes what it can for each ask, in order. Throws when Redis does not answer. */
export type Windows = (asks: readonly Ask[]) => Promise<Grant[]>

/** What `defineCommand` adds to a client; the first argument is the number of keys. */
type WithScript = Redis & { takeFromWindows(...args: (string | number)[]): Promise<number[]> }

const SCRIPT = readFileSync(join(import.meta.dir, 'sliding-windows.lua'), 'utf8')

/** The windows kept in `redis`, as `<prefix><key of the limit>`. */
export function redisWindows(redis: Redis, prefix: string): Windows {
  redis.defineCommand('takeFromWindows', { lua: SCRIPT })
  const client = redis as WithScript
  return async (asks) => {
    const keys: string[] = []
    const numbers: number[] = [BUCKETS]
    for (const { limits, count } of asks) {
      numbers.push(count, limits.length)
      for (const { key, quota, windowMs } of limits) {
        keys.push(prefix + key)
        numbers.push(quota, windowMs)
      }
    }
    return readGrants(asks, await client.takeFromWindows(keys.length, ...keys, ...numbers))
  }
}

function readGrants(asks: readonly Ask[], answer: readonly number[]): Grant[] {
  let next = 0
  const read = () => answer[next++] ?? 0
  return asks.map(({ limits }) => ({
    granted: read(),
    standings: limits.map(() => ({ remaining: read(), freesInMs: read() })),
  }))
}
