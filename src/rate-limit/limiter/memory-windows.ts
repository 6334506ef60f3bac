// The same sliding windows in this process alone: what holds while Redis is away.
import { LRUCache } from 'lru-cache'

import { type Ask, BUCKETS, type Grant, type Limit } from './limit.ts'

interface Window {
  sum: number
  /** Counts by bucket, the oldest first. */
  readonly buckets: Map<number, number>
}

/** Windows kept at most: those used longest ago go first. */
const MAX_WINDOWS = 50_000

/** Takes what it can for each ask, in order. */
export type LocalWindows = (asks: readonly Ask[], nowMs?: number) => Grant[]

/** Windows kept in memory. */
export function memoryWindows(): LocalWindows {
  const windows = new LRUCache<string, Window>({ max: MAX_WINDOWS })

  /** The window as it is now: buckets that have left it are forgotten. */
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

  return (asks, nowMs = Date.now()) =>
    asks.map(({ limits, count }) => {
      const opened = limits.map((limit) => ({ limit, window: open(limit, nowMs) }))
      const granted = Math.max(0, Math.min(count, ...opened.map(({ limit, window }) => limit.quota - window.sum)))
      if (granted > 0) for (const { limit, window } of opened) add(window, bucketAt(nowMs, limit.windowMs), granted)
      return { granted, standings: opened.map(({ limit, window }) => standing(limit, window, nowMs)) }
    })
}

const bucketAt = (nowMs: number, windowMs: number) => Math.floor(nowMs / (windowMs / BUCKETS))

function add(window: Window, bucket: number, count: number): void {
  window.sum += count
  window.buckets.set(bucket, (window.buckets.get(bucket) ?? 0) + count)
}

function standing({ quota, windowMs }: Limit, { sum, buckets }: Window, nowMs: number) {
  const [first] = buckets.keys()
  return {
    remaining: Math.max(0, quota - sum),
    freesInMs: first === undefined ? 0 : (first + BUCKETS + 1) * (windowMs / BUCKETS) - nowMs,
  }
}
