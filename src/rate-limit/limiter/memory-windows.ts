// The sliding windows of this process alone, used while Redis is unavailable.
import { LRUCache } from 'lru-cache'

import {
  BUCKETS,
  type Limit,
  type LimitUsage,
  type PassedRequests,
  type TakeRequest,
  type TakeResult,
} from './limit.ts'

interface Window {
  sum: number
  /** Counts by bucket, oldest first. */
  readonly buckets: Map<number, number>
}

const MAX_WINDOWS = 50_000

export interface LocalWindows {
  /** Handles the requests in order. */
  take(requests: readonly TakeRequest[], nowMs?: number): TakeResult[]
  /** Returns the usage of each limit afterwards. */
  count(passed: readonly PassedRequests[], nowMs?: number): LimitUsage[]
}

export function memoryWindows(): LocalWindows {
  const windows = new LRUCache<string, Window>({ max: MAX_WINDOWS })

  /** The window without the buckets that have left it. */
  const open = ({ key, windowMs }: Limit, nowMs: number): Window => {
    const window = windows.get(key) ?? { sum: 0, buckets: new Map<number, number>() }
    windows.set(key, window)
    const oldest = bucketAt(nowMs, windowMs) - BUCKETS
    for (const [bucket, count] of window.buckets) {
      if (bucket >= oldest) break
      window.buckets.delete(bucket)
      window.sum -= count
    }
    return window
  }

  const take = (requests: readonly TakeRequest[], nowMs = Date.now()): TakeResult[] =>
    requests.map(({ limits, count }) => {
      const opened = limits.map((limit) => ({ limit, window: open(limit, nowMs) }))
      const granted = Math.max(0, Math.min(count, ...opened.map(({ limit, window }) => limit.quota - window.sum)))
      if (granted > 0) for (const { limit, window } of opened) add(window, bucketAt(nowMs, limit.windowMs), granted)
      return { granted, usages: opened.map(({ limit, window }) => usageOf(limit, window, nowMs)) }
    })
  const count = (passed: readonly PassedRequests[], nowMs = Date.now()): LimitUsage[] =>
    passed.map(({ limit, count }) => {
      const window = open(limit, nowMs)
      add(window, bucketAt(nowMs, limit.windowMs), count)
      return usageOf(limit, window, nowMs)
    })
  return { take, count }
}

const bucketAt = (nowMs: number, windowMs: number) => Math.floor(nowMs / (windowMs / BUCKETS))

function add(window: Window, bucket: number, count: number): void {
  window.sum += count
  window.buckets.set(bucket, (window.buckets.get(bucket) ?? 0) + count)
}

function usageOf({ quota, windowMs }: Limit, { sum, buckets }: Window, nowMs: number): LimitUsage {
  const [first] = buckets.keys()
  return {
    remaining: Math.max(0, quota - sum),
    resetInMs: first === undefined ? 0 : (first + BUCKETS + 1) * (windowMs / BUCKETS) - nowMs,
  }
}
