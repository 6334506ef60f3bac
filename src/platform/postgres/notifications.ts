// What other processes changed, heard through PostgreSQL's LISTEN.
import { postgresClient } from './client.ts'

/** The channels the database notifies. */
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

type Heard = (payload: string | undefined) => void

export interface Notifications {
  /**
   * Calls `heard` with each notification's payload, and with `undefined` whenever listening (re)starts: notifications
   * may have been missed before, so whoever caches forgets everything then.
   */
  on(channel: Channel, heard: Heard): void
  close(): Promise<void>
}

const RETRY_MS = 250
/** A connection that was cut without a word (a router that forgot it) is noticed within the two together. */
const ALIVE_EVERY_MS = 10_000
const ALIVE_LIMIT_MS = 3000

/**
 * Listens on a connection of its own, opened when somebody first wants to hear, and opens another when it is lost.
 * The driver's own `listen` is not used: after a start without a database it calls each listener several times, and
 * after every outage it announces the restart once per failed attempt.
 */
export function listenForNotifications(url: string, onError: (error: unknown) => void): Notifications {
  const listeners = new Map<Channel, Heard[]>()
  // What nobody here listens to is not sent to us: servers need not hear of every event.
  let heardBy: ReturnType<typeof openSession> | undefined
  const closing = Promise.withResolvers<void>()
  let running: Promise<void> | undefined
  let closed = false

  const tell = (channel: string, payload: string | undefined) =>
    CHANNELS.filter((known) => known === channel).forEach((known) =>
      listeners.get(known)?.forEach((heard) => heard(payload)),
    )
  const keepListening = async () => {
    while (!closed) {
      const session = openSession(url, tell)
      try {
        const channels = [...listeners.keys()]
        heardBy = session
        await session.listen(channels)
        for (const channel of channels) tell(channel, undefined)
        await Promise.race([session.lost(), closing.promise])
      } catch (error) {
        onError(error)
      }
      heardBy = undefined
      await session.end()
      await Promise.race([sleep(RETRY_MS), closing.promise])
    }
  }
  return {
    on: (channel, heard) => {
      const isNew = !listeners.has(channel)
      listeners.set(channel, [...(listeners.get(channel) ?? []), heard])
      // Where that fails the session is lost, and the next one listens to everything.
      if (isNew) heardBy?.listen([channel]).then(() => tell(channel, undefined), onError)
      running ??= keepListening()
    },
    close: async () => {
      closed = true
      closing.resolve()
      await running
    },
  }
}

/** One connection that listens to everything until it is lost. */
function openSession(url: string, tell: (channel: string, payload: string) => void) {
  const gone = Promise.withResolvers<void>()
  const sql = postgresClient(url, {
    max: 1,
    max_lifetime: null,
    connect_timeout: 2,
    backoff: () => 0,
    onclose: () => gone.resolve(),
    onnotify: tell,
    connection: { application_name: 'hearth-changes' },
  })
  return {
    listen: async (channels: Channel[]) => {
      await sql.unsafe(channels.map((channel) => `listen "${channel}"`).join(';'))
    },
    /** Resolves when the connection has closed; throws when it no longer answers. */
    lost: async () => {
      for (;;) {
        const closed = await Promise.race([sleep(ALIVE_EVERY_MS).then(() => false), gone.promise.then(() => true)])
        if (closed) return
        await Promise.race([sql`select 1`, sleep(ALIVE_LIMIT_MS).then(() => Promise.reject(silent()))])
      }
    },
    end: () => sql.end({ timeout: 0 }),
  }
}

const silent = () => new Error('The listening connection does not answer.')

/** Does not keep the process alive. */
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref())
