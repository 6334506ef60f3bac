// The session of another process of this machine, as one's own (lent-session.ts).
import { type Socket, connect } from 'node:net'

import { settlesWithin } from '../clock/deadlines.ts'
import { StoreUnavailable } from '../store-error.ts'
import { type DirectSession, type SessionListener, SessionListeners } from './direct-session.ts'
import { STATE_EVERY_MS } from './lent-session.ts'
import { type Answer, type BorrowerMessage, type LenderMessage, readMessages, sendMessage } from './session-messages.ts'

/**
 * Without a message from the lender for this long, notifications may have been missed. It is well below a second, the time
 * within which all processes must hear of a change.
 */
const SILENCE_MS = 3 * STATE_EVERY_MS
/** Without a message for this long the lender is given up: it hangs, but has not ended. */
const GIVE_UP_MS = 5000
const LOST = 'CONNECTION_CLOSED'

/** Borrows the session that is lent at `path`; undefined if none is. */
export async function borrowSession(path: string): Promise<BorrowedSession | undefined> {
  const session = new BorrowedSession(connect(path))
  if (await session.isWelcome()) return session
  await session.close()
  return undefined
}

export class BorrowedSession implements DirectSession {
  readonly #socket: Socket
  readonly #listeners = new SessionListeners()
  readonly #answers = new Map<number, (answer: Answer) => void>()
  readonly #ended = Promise.withResolvers<void>()
  readonly #welcome = Promise.withResolvers<void>()
  #isListening = false
  #heardAtMs = performance.now()
  #nextId = 1

  constructor(socket: Socket) {
    this.#socket = socket
    readMessages(socket, (message) => this.#receive(message as LenderMessage))
    socket.on('error', () => socket.destroy())
    socket.on('close', () => this.#end())
  }

  /** Resolves when the lender ended, or was given up. */
  get ended(): Promise<void> {
    return this.#ended.promise
  }

  async isWelcome(): Promise<boolean> {
    await settlesWithin(Promise.race([this.#welcome.promise, this.ended]), SILENCE_MS)
    void this.#watch()
    return await settlesWithin(this.#welcome.promise, 0)
  }

  subscribe(listener: SessionListener): void {
    this.#listeners.add(listener)
  }

  listen(channel: string): void {
    this.#send({ kind: 'listen', channel })
  }

  isListening(): boolean {
    return this.#isListening && this.#silentForMs() < SILENCE_MS
  }

  tryLock(name: string): Promise<number | undefined> {
    return this.#ask('lock', name)
  }

  async release(name: string): Promise<void> {
    await this.#ask('release', name)
  }

  reconnect(): void {
    this.#send({ kind: 'reconnect' })
  }

  async close(): Promise<void> {
    this.#socket.destroy()
    await this.ended
  }

  #silentForMs(): number {
    return performance.now() - this.#heardAtMs
  }

  async #watch(): Promise<void> {
    while (!(await settlesWithin(this.ended, GIVE_UP_MS / 5)))
      if (this.#silentForMs() > GIVE_UP_MS) this.#socket.destroy()
  }

  #send(message: BorrowerMessage): void {
    sendMessage(this.#socket, message)
  }

  async #ask(kind: 'lock' | 'release', name: string): Promise<number | undefined> {
    const id = this.#nextId++
    const answered = Promise.withResolvers<Answer>()
    this.#answers.set(id, answered.resolve)
    this.#send({ kind, id, name })
    void this.ended.then(() => answered.resolve({ kind: 'answer', id, pid: undefined, code: LOST }))
    const { pid, code } = await answered.promise
    this.#answers.delete(id)
    if (code !== undefined) throw new StoreUnavailable('postgres', { code })
    return pid
  }

  #receive(message: LenderMessage): void {
    this.#heardAtMs = performance.now()
    if (message.kind === 'notification') this.#listeners.notify(message.channel, message.payload)
    else if (message.kind === 'answer') this.#answers.get(message.id)?.(message)
    else if (message.kind === 'lost') this.#lose()
    else {
      this.#isListening = message.isListening
      this.#welcome.resolve()
    }
  }

  #end(): void {
    this.#lose()
    this.#ended.resolve()
  }

  #lose(): void {
    this.#isListening = false
    this.#listeners.lose(new StoreUnavailable('postgres', { code: LOST }))
  }
}
