// The session with PostgreSQL itself, beside the pools: it listens, and holds advisory locks. Reopened when it is lost.
import { settlesWithin } from '../clock/deadlines.ts'
import { StoreUnavailable, asStoreError } from '../store-error.ts'
import { postgresClient } from './client.ts'
import { inTime } from './node-watch.ts'
import { primaryUrl } from './primary.ts'

export interface SessionListener {
  /** A notification; without a payload whenever listening (re)starts, because some may have been missed before. */
  readonly onNotification?: (channel: string, payload: string | undefined) => void
  /**
   * The session ended and all its locks are lost. Called once per interruption, not for each attempt to open another session.
   */
  readonly onLost?: (error: unknown) => void
}

/** A session with PostgreSQL. It is opened when the first channel or lock is requested. */
export interface DirectSession {
  subscribe(listener: SessionListener): void
  /** Notifications of the channel arrive from now on. */
  listen(channel: string): void
  /** Whether notifications arrive. */
  isListening(): boolean
  /**
   * Acquires the lock of this name. Returns the process of PostgreSQL that holds it, or undefined at once if another caller has
   * the lock, or a transaction of its previous holder has not ended yet. Throws StoreUnavailable while there is no session.
   */
  tryLock(name: string): Promise<number | undefined>
  /** Throws StoreUnavailable while there is no session. */
  release(name: string): Promise<void>
  /** Opens a new session, because another host has become the primary. */
  reconnect(): void
  close(): Promise<void>
}

/** The listeners of a session. */
export class SessionListeners {
  readonly #listeners: SessionListener[] = []

  add(listener: SessionListener): void {
    this.#listeners.push(listener)
  }

  notify(channel: string, payload: string | undefined): void {
    for (const listener of this.#listeners) listener.onNotification?.(channel, payload)
  }

  lose(error: unknown): void {
    for (const listener of this.#listeners) listener.onLost?.(error)
  }
}

export const openDirectSession = (url: string): DirectSession => new OwnSession(url)

const RETRY_MS = 250
/** A session that was dropped silently is noticed within this time and the limit of an answer. */
const ALIVE_EVERY_MS = 500

/**
 * The driver's own `listen` is not used: after a start without a database it calls each listener several times, and after an
 * outage it reports the restart once per failed attempt.
 */
class OwnSession implements DirectSession {
  readonly #url: string
  readonly #listeners = new SessionListeners()
  /** The channels that have a listener. Servers do not need the notification of every event. */
  readonly #channels = new Set<string>()
  /** The locks that are held here, because PostgreSQL grants a session a lock that it already holds. */
  readonly #locked = new Set<string>()
  readonly #closing = Promise.withResolvers<void>()
  #moved = Promise.withResolvers<void>()
  #attempt = newAttempt()
  #connection: Connection | undefined
  #isLostTold = false
  #isClosed = false
  #running: Promise<void> | undefined

  constructor(url: string) {
    this.#url = url
  }

  subscribe(listener: SessionListener): void {
    this.#listeners.add(listener)
  }

  listen(channel: string): void {
    if (this.#channels.has(channel)) return
    this.#channels.add(channel)
    if (this.#connection) void this.#listenOn(this.#connection, channel)
    this.#start()
  }

  isListening(): boolean {
    return this.#connection !== undefined
  }

  async tryLock(name: string): Promise<number | undefined> {
    if (this.#locked.has(name)) return undefined
    this.#locked.add(name)
    let pid: number | undefined
    try {
      return (pid = await this.#connected((connection) => connection.tryLock(name)))
    } finally {
      if (pid === undefined) this.#locked.delete(name)
    }
  }

  async release(name: string): Promise<void> {
    await this.#connected((connection) => connection.release(name))
    this.#locked.delete(name)
  }

  reconnect(): void {
    this.#moved.resolve()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#closing.resolve()
    await this.#running
  }

  #start(): void {
    this.#running ??= this.#keepOpen()
  }

  async #connected<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    this.#start()
    try {
      return await work(this.#connection ?? (await this.#attempt.promise))
    } catch (error) {
      throw asStoreError(error)
    }
  }

  async #keepOpen(): Promise<void> {
    while (!this.#isClosed) {
      this.#moved = Promise.withResolvers()
      let opened: Connection | undefined
      try {
        opened = await openConnection(await primaryUrl(this.#url), (channel, payload) =>
          this.#listeners.notify(channel, payload),
        )
        await this.#use(opened)
        await Promise.race([opened.lost(), this.#closing.promise, this.#moved.promise])
        this.#lose(new StoreUnavailable('postgres', { code: 'CONNECTION_CLOSED' }))
      } catch (error) {
        this.#lose(error)
      }
      await opened?.end()
      await settlesWithin(this.#closing.promise, RETRY_MS)
      this.#attempt = newAttempt()
    }
    this.#attempt.reject(new StoreUnavailable('postgres', { code: 'CONNECTION_ENDED' }))
  }

  async #use(opened: Connection): Promise<void> {
    const listened = new Set(this.#channels)
    await opened.listen([...listened])
    this.#connection = opened
    this.#isLostTold = false
    this.#attempt.resolve(opened)
    for (const channel of this.#channels)
      if (listened.has(channel)) this.#listeners.notify(channel, undefined)
      else void this.#listenOn(opened, channel)
  }

  /** Listens on a channel. If that fails, the session is lost, and the next session listens on all channels. */
  async #listenOn(connection: Connection, channel: string): Promise<void> {
    const listening = connection.listen([channel]).then(() => true)
    if (await listening.catch(() => false)) this.#listeners.notify(channel, undefined)
  }

  #lose(error: unknown): void {
    this.#connection = undefined
    this.#locked.clear()
    this.#attempt.reject(error)
    // Calls fail at once until the next attempt starts.
    this.#attempt = newAttempt()
    this.#attempt.reject(error)
    if (!this.#isLostTold && !this.#isClosed) this.#listeners.lose(error)
    this.#isLostTold = true
  }
}

/** An attempt to open a connection. Its failure is not an unhandled rejection, even if nothing awaits it. */
function newAttempt(): PromiseWithResolvers<Connection> {
  const attempt = Promise.withResolvers<Connection>()
  attempt.promise.catch(() => undefined)
  return attempt
}

type Connection = Awaited<ReturnType<typeof openConnection>>

/** One connection, until it is lost. */
async function openConnection(url: string, notify: (channel: string, payload: string) => void) {
  const gone = Promise.withResolvers<void>()
  const sql = postgresClient(url, {
    max: 1,
    // The session holds the locks: it must not be replaced.
    max_lifetime: null,
    connect_timeout: 2,
    backoff: () => 0,
    onclose: () => gone.resolve(),
    onnotify: notify,
    connection: { application_name: 'hearth-direct' },
  })
  const end = () => sql.end({ timeout: 0 })
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`.catch(async (error: unknown) => {
    await end()
    throw error
  })
  return {
    end,
    listen: async (channels: readonly string[]) => {
      if (channels.length > 0) await sql.unsafe(channels.map((channel) => `listen "${channel}"`).join(';'))
    },
    tryLock: async (name: string): Promise<number | undefined> => {
      const [lock] = await sql<{ locked: boolean }[]>`
        select case when pg_try_advisory_xact_lock(hashtextextended(${name}, 1))
          then pg_try_advisory_lock(hashtextextended(${name}, 0)) else false end as locked`
      return lock?.locked ? row?.pid : undefined
    },
    release: async (name: string) => {
      await sql`select pg_advisory_unlock(hashtextextended(${name}, 0))`
    },
    /** Resolves when the connection has closed. Throws when it no longer answers. */
    lost: async () => {
      while (!(await settlesWithin(gone.promise, ALIVE_EVERY_MS))) await inTime(roundTrip(sql))
    },
  }
}

/** The message Sync alone (patches/): it starts no transaction, so an idle session costs PostgreSQL no commits. */
const roundTrip = (sql: ReturnType<typeof postgresClient>): PromiseLike<unknown> => {
  const options: { prepare?: boolean; sync: true } = { sync: true }
  return sql.unsafe('', [], options)
}
