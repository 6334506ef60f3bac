// Sliding windows in Redis, shared by all processes: one script call for all requests with the same quotas.
//
// Not rate-limiter-flexible: its windows are fixed (twice the quota passes around a boundary), and several limits of one
// request are several keys, each a round trip, of which some are spent when another refuses.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Redis } from 'ioredis'

import { BUCKETS, type LimitUsage, type PassedRequests, type TakeRequest, type TakeResult } from './limit.ts'

/** Each call throws when Redis does not respond. Calls have effect in the order in which they are made. */
export interface SharedWindows {
  /** Handles the requests in order. */
  take(requests: readonly TakeRequest[]): Promise<TakeResult[]>
  /** Returns the usage of each limit afterwards. No two of them have the same key. */
  count(passed: readonly PassedRequests[]): Promise<LimitUsage[]>
}

type Arguments = (string | number)[]

/** `defineCommand` adds the commands to a client; their first argument is the number of keys. */
type WithScripts = Redis & {
  takeFromWindows(...args: Arguments): Promise<number[]>
  countInWindowsBuffer(...args: Arguments): Promise<Buffer>
}

const read = (name: string) => ({ lua: readFileSync(join(import.meta.dir, name), 'utf8') })
const TAKE = read('take-from-windows.lua')
const COUNT = read('count-in-windows.lua')

/** Items of one call. Redis does nothing else during it, and a key takes 3 to 5 µs. */
const MAX_BATCH = 500

/** The windows in `redis`, as `<prefix><key of the limit>`. */
export function redisWindows(redis: Redis, prefix: string): SharedWindows {
  redis.defineCommand('takeFromWindows', TAKE)
  redis.defineCommand('countInWindows', COUNT)
  const client = redis as WithScripts
  return {
    take: (requests) =>
      inBatches(requests, haveSameQuotas, async (batch) => {
        const reply = await client.takeFromWindows(...takeArguments(batch, prefix))
        return batch.map((request, index) => parseResult(reply, index, request))
      }),
    count: (passed) =>
      inBatches(passed, haveSameLength, async (batch) => {
        const reply = await client.countInWindowsBuffer(...countArguments(batch, prefix))
        return batch.map(({ limit }, index) => ({
          remaining: Math.max(0, limit.quota - reply.readUInt32LE(8 * index)),
          resetInMs: reply.readUInt32LE(8 * index + 4),
        }))
      }),
  }
}

/** Calls `send` with batches of items that can join, without waiting in between. Returns the results in the items' order. */
async function inBatches<T, R>(
  items: readonly T[],
  canJoin: (one: T, other: T) => boolean,
  send: (batch: readonly T[]) => Promise<R[]>,
): Promise<R[]> {
  const batches: { items: T[]; positions: number[] }[] = []
  for (const [position, item] of items.entries()) {
    let batch = batches.findLast(({ items: [first] }) => first !== undefined && canJoin(first, item))
    if (!batch || batch.items.length >= MAX_BATCH) batches.push((batch = { items: [], positions: [] }))
    batch.items.push(item)
    batch.positions.push(position)
  }
  const results: R[] = []
  const collect = async (batch: readonly T[], positions: readonly number[]): Promise<void> => {
    for (const [index, result] of (await send(batch)).entries()) results[positions[index] ?? 0] = result
  }
  await Promise.all(batches.map(({ items: batch, positions }) => collect(batch, positions)))
  return results
}

const haveSameLength = (one: PassedRequests, other: PassedRequests) => one.limit.windowMs === other.limit.windowMs

const haveSameQuotas = ({ limits }: TakeRequest, other: TakeRequest) =>
  limits.length === other.limits.length &&
  limits.every(
    ({ quota, windowMs }, index) => quota === other.limits[index]?.quota && windowMs === other.limits[index].windowMs,
  )

function takeArguments(requests: readonly TakeRequest[], prefix: string): Arguments {
  const limits = requests[0]?.limits ?? []
  const all: Arguments = [requests.length * limits.length]
  for (const request of requests) for (const { key } of request.limits) all.push(prefix + key)
  all.push(BUCKETS, limits.length)
  for (const { quota, windowMs } of limits) all.push(quota, windowMs)
  return [...all, ...countsOf(requests)]
}

function countArguments(passed: readonly PassedRequests[], prefix: string): Arguments {
  const keys = passed.map(({ limit }) => prefix + limit.key)
  return [keys.length, ...keys, BUCKETS, passed[0]?.limit.windowMs ?? 0, ...countsOf(passed)]
}

/** Omitted when all are 1. */
const countsOf = (all: readonly { count: number }[]): number[] =>
  all.some(({ count }) => count !== 1) ? all.map(({ count }) => count) : []

function parseResult(reply: readonly number[], index: number, { limits }: TakeRequest): TakeResult {
  const start = index * (1 + 2 * limits.length)
  const at = (offset: number) => reply[start + offset] ?? 0
  return {
    granted: at(0),
    usages: limits.map((_, limit) => ({ remaining: at(1 + 2 * limit), resetInMs: at(2 + 2 * limit) })),
  }
}
