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
] as const
export type Channel = (typeof CHANNELS)[number]

type Listener = (payload: string | undefined) => void

export interface Notifications {
  /**
   * Calls `listener` with the payload of each notification, and with `undefined` whenever listening (re)starts:
   * notifications may have been missed before, so caches must be emptied.
   */
  on(channel: Channel, listener: Listener): void
  /** Whether notifications arrive. While they do not, nothing that they keep current may be cached. */
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
  return {
    on: (channel, listener) => {
      const isNew = !listeners.has(channel)
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener])
      // If that fails the session is lost, and the next one listens to all channels.
      if (isNew) session?.listen([channel]).then(() => notify(channel, undefined), onLost)
      running ??= keepListening()
    },
    isListening: () => isListening,
    reconnect: () => moved.resolve(),
    close: async () => {
      closed = true
      closing.resolve()
      await running
    },
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
