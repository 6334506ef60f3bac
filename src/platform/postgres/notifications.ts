// Notifications of other processes, through PostgreSQL's LISTEN.
import type { DirectSession } from './direct-session.ts'

const CHANNELS = [
  'keys_changed',
  'catalog_names_changed',
  'catalog_changed',
  'pricing_changed',
  'outbox_written',
  'prices_touched',
  'agent_runs_moved',
  'calendars_due',
  'files_received',
  'work_due',
  'original_declared',
  'time_zones_changed',
  'marketplace_changed',
] as const
export type Channel = (typeof CHANNELS)[number]

type Listener = (payload: string | undefined) => void

/** What a cache of database data registers. */
export interface TrackedCache {
  /** Names it in `/readyz`. */
  readonly name: string
  /** Notifications of these make its entries stale. */
  readonly channels: readonly Channel[]
  /** An entry is read anew after this long although nothing was heard: for notifications that are not part of the commit. */
  readonly maxAgeMs?: number
  /** The same while notifications do not arrive; {@link DEAF_AGE_MS} if absent, and never longer. */
  readonly deafAgeMs?: number
}

/** When an entry of a cache was read, and what had been heard then. */
export interface ReadMark {
  readonly atMs: number
  readonly heard: number
}

export interface CacheTracking {
  /** Call it before the read, so that a change during the read makes the entry stale. */
  mark(): ReadMark
  /** Whether an entry may still be used. */
  isCurrent(mark: ReadMark): boolean
}

/** An entry is read anew after this long while notifications do not arrive. */
export const DEAF_AGE_MS = 1000

export interface Notifications {
  /**
   * Registers a cache of what the database holds. Every such cache is registered here, so none outlives its notifications
   * (test/platform/postgres/tracked-caches.test.ts).
   */
  track(cache: TrackedCache): CacheTracking
  /** The caches that go without notifications now, and how long their entries last meanwhile. */
  deafCaches(): { name: string; maxAgeMs: number }[]
  /**
   * Calls `listener` with the payload of each notification, and with `undefined` whenever listening (re)starts:
   * notifications may have been missed before.
   */
  on(channel: Channel, listener: Listener): void
  /** Whether notifications arrive. */
  isListening(): boolean
}

/** Calls `onLost` once for each time without notifications. */
export function openNotifications(session: DirectSession, onLost: (error: unknown) => void): Notifications {
  const listeners = new Map<string, Listener[]>()
  session.subscribe({
    onNotification: (channel, payload) => listeners.get(channel)?.forEach((listener) => listener(payload)),
    onLost,
  })
  const on: Notifications['on'] = (channel, listener) => {
    listeners.set(channel, [...(listeners.get(channel) ?? []), listener])
    session.listen(channel)
  }
  const isListening = () => session.isListening()
  return { on, ...trackCaches(on, isListening), isListening }
}

/** The caches of one process. */
function trackCaches(on: Notifications['on'], isListening: () => boolean): Pick<Notifications, 'track' | 'deafCaches'> {
  const caches: TrackedCache[] = []
  const deafAgeOf = ({ maxAgeMs = Infinity, deafAgeMs = DEAF_AGE_MS }: TrackedCache) =>
    Math.min(maxAgeMs, deafAgeMs, DEAF_AGE_MS)
  return {
    track: (cache) => {
      let heard = 0
      caches.push(cache)
      for (const channel of cache.channels) on(channel, () => heard++)
      const { maxAgeMs = Infinity } = cache
      const deafAgeMs = deafAgeOf(cache)
      return {
        mark: () => ({ atMs: performance.now(), heard }),
        isCurrent: (mark) =>
          mark.heard === heard && performance.now() - mark.atMs < (isListening() ? maxAgeMs : deafAgeMs),
      }
    },
    deafCaches: () => (isListening() ? [] : caches.map((cache) => ({ name: cache.name, maxAgeMs: deafAgeOf(cache) }))),
  }
}
