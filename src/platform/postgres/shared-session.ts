// One session for a group of processes of this machine: the first has it and lends it to the others; when it ends, another does.
import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { settlesWithin } from '../clock/deadlines.ts'
import { type FolderLock, lockFolder } from '../folder-lock.ts'
import { StoreUnavailable } from '../store-error.ts'
import { borrowSession } from './borrowed-session.ts'
import { type DirectSession, type SessionListener, SessionListeners, openDirectSession } from './direct-session.ts'
import { lendSession } from './lent-session.ts'
import { MESSAGES_VERSION } from './session-messages.ts'

const RETRY_MS = 100
/** How long the first request for a lock waits for the process that lends the session. */
const FIRST_MS = 2000

/** The least of the systems' limits for the path of a socket, without the names in the folder. */
const MAX_FOLDER_BYTES = 104 - 24

/** The folder of the sockets: only this user can enter it. Undefined if there can be none, or another user has its name. */
export function sessionFolder(): string | undefined {
  const uid = process.getuid?.() ?? 0
  const folder = join(tmpdir(), `hearth-${uid}`)
  if (Buffer.byteLength(folder) > MAX_FOLDER_BYTES) return undefined
  try {
    mkdirSync(folder, { mode: 0o700, recursive: true })
  } catch {
    return undefined
  }
  const found = lstatSync(folder)
  return found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0 ? folder : undefined
}

/** Names the socket and the claim of the processes that use `url`. */
export const groupName = (url: string): string =>
  createHash('sha256').update(`${MESSAGES_VERSION} ${url}`).digest('hex').slice(0, 16)

/** The session of the processes of this user that use `url`; of this one alone if they cannot meet. */
export function openGroupSession(url: string): DirectSession {
  const folder = sessionFolder()
  if (!folder) return openDirectSession(url)
  const name = groupName(url)
  return new SharedSession(join(folder, name), () => {
    const claim = claimOf(folder, name)
    return claim && { claim, session: openDirectSession(url) }
  })
}

/** The system ends the claim with its process. Where no claim can be made, as on a full disk, each process has a session. */
function claimOf(folder: string, name: string): FolderLock | undefined {
  try {
    return lockFolder(folder, name)
  } catch {
    return { release: () => undefined }
  }
}

/** The session that the supervisor of this process lends. */
export const joinSession = (path: string): DirectSession => new SharedSession(path, () => undefined)

interface OwnSession {
  readonly claim: FolderLock
  readonly session: DirectSession
}

/** Borrows the session that is lent at `path`. While none is, `open` may open one, which is lent from then on. */
class SharedSession implements DirectSession {
  readonly #path: string
  readonly #open: () => OwnSession | undefined
  readonly #listeners = new SessionListeners()
  readonly #channels = new Set<string>()
  readonly #closing = Promise.withResolvers<void>()
  readonly #first = Promise.withResolvers<void>()
  #current: DirectSession | undefined
  #isClosed = false
  #running: Promise<void> | undefined

  constructor(path: string, open: () => OwnSession | undefined) {
    this.#path = path
    this.#open = open
  }

  subscribe(listener: SessionListener): void {
    this.#listeners.add(listener)
  }

  listen(channel: string): void {
    if (this.#channels.has(channel)) return
    this.#channels.add(channel)
    this.#current?.listen(channel)
    this.#start()
  }

  isListening(): boolean {
    return this.#current?.isListening() ?? false
  }

  async tryLock(name: string): Promise<number | undefined> {
    return await (await this.#present()).tryLock(name)
  }

  async release(name: string): Promise<void> {
    await (await this.#present()).release(name)
  }

  reconnect(): void {
    this.#current?.reconnect()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#closing.resolve()
    await this.#running
  }

  #start(): void {
    this.#running ??= this.#keepOpen()
  }

  async #present(): Promise<DirectSession> {
    this.#start()
    await settlesWithin(this.#first.promise, FIRST_MS)
    if (!this.#current) throw new StoreUnavailable('postgres', { code: 'CONNECTION_CLOSED' })
    return this.#current
  }

  async #keepOpen(): Promise<void> {
    while (!this.#isClosed) {
      const borrowed = await borrowSession(this.#path)
      const own = borrowed ? undefined : this.#open()
      if (borrowed) {
        this.#use(borrowed)
        await Promise.race([borrowed.ended, this.#closing.promise])
        this.#current = undefined
        await borrowed.close()
      } else if (own) await this.#lend(own)
      else await settlesWithin(this.#closing.promise, RETRY_MS)
    }
  }

  async #lend({ claim, session }: OwnSession): Promise<void> {
    const lent = await lendSession(session, this.#path)
    this.#use(session)
    await this.#closing.promise
    // In this order another process can take over without waiting for the end of this connection.
    lent.close()
    claim.release()
    await session.close()
  }

  #use(session: DirectSession): void {
    session.subscribe({
      onNotification: (channel, payload) => this.#listeners.notify(channel, payload),
      onLost: (error) => {
        if (!this.#isClosed) this.#listeners.lose(error)
      },
    })
    for (const channel of this.#channels) session.listen(channel)
    this.#current = session
    this.#first.resolve()
  }
}
