// Sliding windows in Redis, shared by all processes: one script call for all requests with the same quotas.
//
// Not rate-limiter-flexible: its windows are fixed (twice the quota passes around a boundary), and several limits of one
// request are several keys, each a round trip, of which some are spent when another refuses.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Redis } from 'ioredis'

import { type Ask, BUCKETS, type Grant, type Limit } from './limit.ts'

/** Takes what it can for each ask, in order. Throws when Redis does not answer. */
export type Windows = (asks: readonly Ask[]) => Promise<Grant[]>

/** What `defineCommand` adds to a client; the first argument is the number of keys. */
type WithScript = Redis & { takeFromWindows(...args: (string | number)[]): Promise<number[]> }

const SCRIPT = readFileSync(join(import.meta.dir, 'sliding-windows.lua'), 'utf8')

/** Lua hands a function 8,000 values at most. */
const MAX_KEYS = 5000

/** The windows kept in `redis`, as `<prefix><key of the limit>`. */
export function redisWindows(redis: Redis, prefix: string): Windows {
  redis.defineCommand('takeFromWindows', { lua: SCRIPT })
  const client = redis as WithScript
  return async (asks) => {
    const grants: Grant[] = []
    const take = async ({ asks, places }: Batch): Promise<void> => {
      const answer = await client.takeFromWindows(...argumentsFor(asks, prefix))
      for (const [index, ask] of asks.entries()) grants[places[index] ?? 0] = grantIn(answer, index, ask)
    }
    await Promise.all(batchesOf(asks).map(take))
    return grants
  }
}

/** Asks with the same quotas and windows, which are told once for all of them, and where each stands among all. */
interface Batch {
  readonly asks: Ask[]
  readonly places: number[]
}

function batchesOf(asks: readonly Ask[]): Batch[] {
  const batches: Batch[] = []
  for (const [place, ask] of asks.entries()) {
    let batch = batches.findLast(({ asks: [first] }) => first && areAlike(first.limits, ask.limits))
    if (!batch || batch.asks.length * ask.limits.length >= MAX_KEYS) batches.push((batch = { asks: [], places: [] }))
    batch.asks.push(ask)
    batch.places.push(place)
  }
  return batches
}

const areAlike = (some: readonly Limit[], others: readonly Limit[]) =>
  some.length === others.length &&
  some.every(({ quota, windowMs }, index) => quota === others[index]?.quota && windowMs === others[index].windowMs)

/** As the script describes them. */
function argumentsFor(asks: readonly Ask[], prefix: string): (string | number)[] {
  const limits = asks[0]?.limits ?? []
  const all: (string | number)[] = [asks.length * limits.length]
  for (const ask of asks) for (const { key } of ask.limits) all.push(prefix + key)
  all.push(BUCKETS, limits.length)
  for (const { quota, windowMs } of limits) all.push(quota, windowMs)
  if (asks.some(({ count }) => count !== 1)) for (const { count } of asks) all.push(count)
  return all
}

function grantIn(answer: readonly number[], index: number, { limits }: Ask): Grant {
  const start = index * (1 + 2 * limits.length)
  const read = (at: number) => answer[start + at] ?? 0
  return {
    granted: read(0),
    standings: limits.map((_, limit) => ({ remaining: read(1 + 2 * limit), freesInMs: read(2 + 2 * limit) })),
  }
}
