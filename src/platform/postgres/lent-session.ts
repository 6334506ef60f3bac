// Lends this process's session to others of the machine over a Unix socket, so that they need no session of their own.
import { existsSync, rmSync } from 'node:fs'
import { type Server, type Socket, createServer } from 'node:net'

import { StoreUnavailable } from '../store-error.ts'
import type { DirectSession } from './direct-session.ts'
import { type BorrowerMessage, type LenderMessage, readMessages, sendMessage } from './session-messages.ts'

/** Borrowers that hear nothing for longer than a few of these cannot rely on notifications. */
export const STATE_EVERY_MS = 200
/** How often the lender looks whether its socket can still be found. */
const LOOK_EVERY_MS = 1000
/** A borrower with more unread bytes than this is disconnected. */
const MAX_UNREAD_BYTES = 8 * 1024 ** 2

export interface LentSession {
  /** Disconnects all borrowers. The session stays open. */
  close(): void
}

/**
 * Lends the session at `path`, in a folder that only this user can enter. A socket that a dead process left there is
 * replaced. The socket is created again if it was deleted, as systems do with old temporary files.
 */
export async function lendSession(session: DirectSession, path: string): Promise<LentSession> {
  const lender = new Lender(session)
  rmSync(path, { force: true })
  let server = await listenAt(path, lender)
  const listenAgain = async () => {
    if (existsSync(path)) return
    server?.close()
    server = await listenAt(path, lender)
  }
  const timers = [
    setInterval(() => lender.sendState(), STATE_EVERY_MS),
    setInterval(() => void listenAgain(), LOOK_EVERY_MS),
  ]
  return {
    close: () => {
      for (const timer of timers) clearInterval(timer)
      server?.close()
      lender.cutOffAll()
      rmSync(path, { force: true })
    },
  }
}

/** Listens at the path. Returns undefined if that fails, for example on a full disk; the caller tries again later. */
function listenAt(path: string, lender: Lender): Promise<Server | undefined> {
  const server = createServer((socket) => lender.welcome(socket))
  return new Promise((resolve) => {
    server.on('error', () => resolve(undefined))
    server.listen(path, () => resolve(server))
  })
}

class Lender {
  readonly #session: DirectSession
  /** The channels of each borrower. */
  readonly #borrowers = new Map<Socket, Set<string>>()
  /** The borrower that holds each lock, so that the lock is released when the borrower disconnects. */
  readonly #holders = new Map<string, Socket>()

  constructor(session: DirectSession) {
    this.#session = session
    session.subscribe({
      onNotification: (channel, payload) => {
        if (payload === undefined) this.sendState()
        for (const [borrower, channels] of this.#borrowers)
          if (channels.has(channel)) this.#send(borrower, { kind: 'notification', channel, payload })
      },
      onLost: () => {
        this.#holders.clear()
        for (const borrower of this.#borrowers.keys()) this.#send(borrower, { kind: 'lost' })
      },
    })
  }

  welcome(socket: Socket): void {
    this.#borrowers.set(socket, new Set())
    socket.on('error', () => socket.destroy())
    socket.on('close', () => this.#leave(socket))
    readMessages(socket, (message) => this.#receive(socket, message as BorrowerMessage))
    this.#send(socket, { kind: 'state', isListening: this.#session.isListening() })
  }

  sendState(): void {
    const isListening = this.#session.isListening()
    for (const borrower of this.#borrowers.keys()) this.#send(borrower, { kind: 'state', isListening })
  }

  cutOffAll(): void {
    for (const borrower of this.#borrowers.keys()) borrower.destroy()
  }

  #send(borrower: Socket, message: LenderMessage): void {
    if (borrower.writableLength <= MAX_UNREAD_BYTES) return sendMessage(borrower, message)
    borrower.destroy()
    // A disconnected borrower may still be running and rely on its locks. A new session ensures that PostgreSQL has released
    // them before others get them.
    if ([...this.#holders.values()].includes(borrower)) this.#session.reconnect()
  }

  #receive(borrower: Socket, message: BorrowerMessage): void {
    if (message.kind === 'reconnect') this.#session.reconnect()
    else if (message.kind === 'listen') this.#listen(borrower, message.channel)
    else void this.#answer(borrower, message)
  }

  #listen(borrower: Socket, channel: string): void {
    this.#borrowers.get(borrower)?.add(channel)
    this.#session.listen(channel)
    // If the session is not listening yet, the borrower is notified once PostgreSQL has confirmed it.
    if (this.#session.isListening()) this.#send(borrower, { kind: 'notification', channel, payload: undefined })
  }

  async #answer(borrower: Socket, { kind, id, name }: Extract<BorrowerMessage, { id: number }>): Promise<void> {
    try {
      const pid = kind === 'lock' ? await this.#tryLock(borrower, name) : await this.#release(borrower, name)
      this.#send(borrower, { kind: 'answer', id, pid, code: undefined })
    } catch (error) {
      const code = error instanceof StoreUnavailable ? error.code : ''
      this.#send(borrower, { kind: 'answer', id, pid: undefined, code })
    }
  }

  async #tryLock(borrower: Socket, name: string): Promise<number | undefined> {
    const pid = await this.#session.tryLock(name)
    if (pid === undefined) return undefined
    this.#holders.set(name, borrower)
    if (!this.#borrowers.has(borrower)) await this.#release(borrower, name)
    return pid
  }

  async #release(borrower: Socket, name: string): Promise<undefined> {
    if (this.#holders.get(name) !== borrower) return
    this.#holders.delete(name)
    await this.#session.release(name)
  }

  #leave(borrower: Socket): void {
    this.#borrowers.delete(borrower)
    const names = [...this.#holders].flatMap(([name, holder]) => (holder === borrower ? [name] : []))
    // Where that fails, the session is lost and with it the lock.
    for (const name of names) this.#release(borrower, name).catch(() => undefined)
  }
}
