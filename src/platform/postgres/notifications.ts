// Notifications of other processes, through PostgreSQL's LISTEN.
import { settlesWithin } from '../clock/deadlines.ts'
import { postgresClient } from './client.ts'
import { inTime } from './node-watch.ts'
import { primaryUrl } from './primary.ts'

const CHANNELS = [
  'keys_changed',
  'catalog_names_changed',
  'catalog_changed',
  'pricing_changed',
  'outbox_written',
  'prices_touched',
  'agent_runs_moved',
  'calendars_due',
  'time_zones_changed',
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
  /** Listens on a new connection, because another host has become the primary. */
  reconnect(): void
  close(): Promise<void>
}

const RETRY_MS = 250
/** A connection that was dropped silently is noticed within this time and the limit of an answer. */
const ALIVE_EVERY_MS = 500

/**
 * Listens on a connection of its own, opened for the first listener and reopened when it is lost. The driver's own `listen`
 * is not used: after a start without a database it calls each listener several times, and after an outage it reports the
 * restart once per failed attempt. `onLost` is called once for each time without notifications, not for each attempt.
 */
export function listenForNotifications(url: string, onLost: (error: unknown) => void): Notifications {
  const listeners = new Map<Channel, Listener[]>()
  // Listens only to channels with a listener: servers need no notification of every event.
  let session: Session | undefined
  let isListening = false
  let isLostTold = false
  const closing = Promise.withResolvers<void>()
  let moved = Promise.withResolvers<void>()
  let running: Promise<void> | undefined
  let closed = false

  const notify = (channel: string, payload: string | undefined) =>
    CHANNELS.filter((known) => known === channel).forEach((known) =>
      listeners.get(known)?.forEach((listener) => listener(payload)),
    )
  const keepListening = async () => {
    while (!closed) {
      moved = Promise.withResolvers<void>()
      let opened: Session | undefined
      try {
        opened = openSession(await primaryUrl(url), notify)
        const channels = [...listeners.keys()]
        session = opened
        await opened.listen(channels)
        isListening = true
        isLostTold = false
        for (const channel of channels) notify(channel, undefined)
        await Promise.race([opened.lost(), closing.promise, moved.promise])
      } catch (error) {
        if (!isLostTold) onLost(error)
        isLostTold = true
      }
      isListening = false
      session = undefined
      await opened?.end()
      await settlesWithin(closing.promise, RETRY_MS)
    }
  }
  const on: Notifications['on'] = (channel, listener) => {
    const isNew = !listeners.has(channel)
    listeners.set(channel, [...(listeners.get(channel) ?? []), listener])
    // If that fails the session is lost, and the next one listens to all channels.
    if (isNew) session?.listen([channel]).then(() => notify(channel, undefined), onLost)
    running ??= keepListening()
  }
  return {
    on,
    ...trackCaches(on, () => isListening),
    isListening: () => isListening,
    reconnect: () => moved.resolve(),
    close: async () => {
      closed = true
      closing.resolve()
      await running
    },
  }
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

type Session = ReturnType<typeof openSession>

/** One connection that listens until it is lost. */
function openSession(url: string, notify: (channel: string, payload: string) => void) {
  const gone = Promise.withResolvers<void>()
  const sql = postgresClient(url, {
    max: 1,
    max_lifetime: null,
    connect_timeout: 2,
    backoff: () => 0,
    onclose: () => gone.resolve(),
    onnotify: notify,
    connection: { application_name: 'hearth-changes' },
  })
  return {
    listen: async (channels: Channel[]) => {
      await sql.unsafe(channels.map((channel) => `listen "${channel}"`).join(';'))
    },
    /** Resolves when the connection has closed. Throws when it no longer answers. */
    lost: async () => {
      while (!(await settlesWithin(gone.promise, ALIVE_EVERY_MS))) await inTime(sql`select 1`)
    },
    end: () => sql.end({ timeout: 0 }),
  }
}
