// Notifications of other processes, through PostgreSQL's LISTEN.
import { settlesWithin, withDeadline } from '../clock/deadlines.ts'
import { postgresClient } from './client.ts'

const CHANNELS = [
  'keys_changed',
  'catalog_names_changed',
  'catalog_changed',
  'pricing_changed',
  'outbox_written',
  'prices_touched',
  'agent_runs_moved',
] as const
export type Channel = (typeof CHANNELS)[number]

type Listener = (payload: string | undefined) => void

export interface Notifications {
  /**
   * Calls `listener` with the payload of each notification, and with `undefined` whenever listening (re)starts:
   * notifications may have been missed before, so caches must be emptied.
   */
  on(channel: Channel, listener: Listener): void
  close(): Promise<void>
}

const RETRY_MS = 250
/** A connection that was dropped silently is noticed within the sum of both. */
const ALIVE_EVERY_MS = 10_000
const ALIVE_LIMIT_MS = 3000

/**
 * Listens on a connection of its own, opened for the first listener and reopened when it is lost. The driver's own `listen`
 * is not used: after a start without a database it calls each listener several times, and after an outage it reports the
 * restart once per failed attempt.
 */
export function listenForNotifications(url: string, onError: (error: unknown) => void): Notifications {
  const listeners = new Map<Channel, Listener[]>()
  // Listens only to channels with a listener: servers need no notification of every event.
  let session: ReturnType<typeof openSession> | undefined
  const closing = Promise.withResolvers<void>()
  let running: Promise<void> | undefined
  let closed = false

  const notify = (channel: string, payload: string | undefined) =>
    CHANNELS.filter((known) => known === channel).forEach((known) =>
      listeners.get(known)?.forEach((listener) => listener(payload)),
    )
  const keepListening = async () => {
    while (!closed) {
      const opened = openSession(url, notify)
      try {
        const channels = [...listeners.keys()]
        session = opened
        await opened.listen(channels)
        for (const channel of channels) notify(channel, undefined)
        await Promise.race([opened.lost(), closing.promise])
      } catch (error) {
        onError(error)
      }
      session = undefined
      await opened.end()
      await settlesWithin(closing.promise, RETRY_MS)
    }
  }
  return {
    on: (channel, listener) => {
      const isNew = !listeners.has(channel)
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener])
      // If that fails the session is lost, and the next one listens to all channels.
      if (isNew) session?.listen([channel]).then(() => notify(channel, undefined), onError)
      running ??= keepListening()
    },
    close: async () => {
      closed = true
      closing.resolve()
      await running
    },
  }
}

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
      while (!(await settlesWithin(gone.promise, ALIVE_EVERY_MS)))
        await withDeadline(sql`select 1`, ALIVE_LIMIT_MS, () => new Error('The listening connection does not answer.'))
    },
    end: () => sql.end({ timeout: 0 }),
  }
}
