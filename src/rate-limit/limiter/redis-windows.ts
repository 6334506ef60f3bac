// Sliding windows in Redis, shared by all processes: one script call for all requests with the same quotas.
//
// Not rate-limiter-flexible: its windows are fixed (twice the quota passes around a boundary), and several limits of one
// request are several keys, each a round trip, of which some are spent when another refuses.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Redis } from 'ioredis'

import { BUCKETS, type Limit, type TakeRequest, type TakeResult } from './limit.ts'

/** Handles the requests in order. Throws when Redis does not respond. */
export type SharedWindows = (requests: readonly TakeRequest[]) => Promise<TakeResult[]>

/** `defineCommand` adds the command to a client; its first argument is the number of keys. */
type WithScript = Redis & { takeFromWindows(...args: (string | number)[]): Promise<number[]> }

const SCRIPT = readFileSync(join(import.meta.dir, 'sliding-windows.lua'), 'utf8')

/** Lua's `unpack` handles at most 8,000 values. */
const MAX_KEYS = 5000

/** The windows in `redis`, as `<prefix><key of the limit>`. */
export function redisWindows(redis: Redis, prefix: string): SharedWindows {
  redis.defineCommand('takeFromWindows', { lua: SCRIPT })
  const client = redis as WithScript
  return async (requests) => {
    const results: TakeResult[] = []
    const take = async (batch: Batch): Promise<void> => {
      const reply = await client.takeFromWindows(...scriptArguments(batch.requests, prefix))
      for (const [index, request] of batch.requests.entries())
        results[batch.positions[index] ?? 0] = parseResult(reply, index, request)
    }
    await Promise.all(batchesOf(requests).map(take))
    return results
  }
}

/** Requests with the same quotas and windows, which the script receives once, and their positions among all requests. */
interface Batch {
  readonly requests: TakeRequest[]
  readonly positions: number[]
}

function batchesOf(requests: readonly TakeRequest[]): Batch[] {
  const batches: Batch[] = []
  for (const [position, request] of requests.entries()) {
    let batch = batches.findLast(({ requests: [first] }) => first && haveSameQuotas(first.limits, request.limits))
    if (!batch || batch.requests.length * request.limits.length >= MAX_KEYS)
      batches.push((batch = { requests: [], positions: [] }))
    batch.requests.push(request)
    batch.positions.push(position)
  }
  return batches
}

const haveSameQuotas = (some: readonly Limit[], others: readonly Limit[]) =>
  some.length === others.length &&
  some.every(({ quota, windowMs }, index) => quota === others[index]?.quota && windowMs === others[index].windowMs)

function scriptArguments(requests: readonly TakeRequest[], prefix: string): (string | number)[] {
  const limits = requests[0]?.limits ?? []
  const all: (string | number)[] = [requests.length * limits.length]
  for (const request of requests) for (const { key } of request.limits) all.push(prefix + key)
  all.push(BUCKETS, limits.length)
  for (const { quota, windowMs } of limits) all.push(quota, windowMs)
  if (requests.some(({ count }) => count !== 1)) for (const { count } of requests) all.push(count)
  return all
}

function parseResult(reply: readonly number[], index: number, { limits }: TakeRequest): TakeResult {
  const start = index * (1 + 2 * limits.length)
  const read = (at: number) => reply[start + at] ?? 0
  return {
    granted: read(0),
    usages: limits.map((_, limit) => ({ remaining: read(1 + 2 * limit), resetInMs: read(2 + 2 * limit) })),
  }
}
