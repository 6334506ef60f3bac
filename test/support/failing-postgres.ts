// A proxy in front of PostgreSQL that answers statements with an error of the test's choice, as PostgreSQL writes it.
import { type Socket, connect, createServer } from 'node:net'
import { once } from 'node:events'

import { withoutSocket } from './database.ts'

export interface FailingPostgres {
  /** The database, through the proxy. */
  readonly url: string
  /** Fails every statement from now on, except those that begin or end a transaction. */
  failWith(sqlstate: string): void
  /** Passes all statements on again. */
  recover(): void
  close(): Promise<void>
}

/** The message of all errors: no response may contain it. */
export const STORE_WORDS = 'relation "secret_table" of user 4711'

const TRANSACTION_CONTROL = /^\s*(begin|commit|rollback|savepoint|release)\b/i

export async function openFailingPostgres(databaseUrl: string): Promise<FailingPostgres> {
  const url = new URL(withoutSocket(databaseUrl))
  const target = { host: url.hostname, port: Number(url.port) }
  const state: { sqlstate: string | undefined } = { sqlstate: undefined }
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(target)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => [client, upstream].forEach((each) => each.destroy()))
      socket.on('close', () => [client, upstream].forEach((each) => each.destroy()))
    }
    upstream.pipe(client)
    const session = new Session(state, client, upstream)
    client.on('data', (chunk: Buffer) => session.receive(chunk))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The proxy has no port.')
  url.port = String(address.port)
  return {
    url: url.href,
    failWith: (sqlstate) => void (state.sqlstate = sqlstate),
    recover: () => void (state.sqlstate = undefined),
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Query; Parse, Bind, Describe, Execute, Close, Flush and Sync. */
const STATEMENT_MESSAGES = new Set(['Q', 'P', 'B', 'D', 'E', 'C', 'H', 'S'])

/** One connection: reads the client's messages (PostgreSQL's manual, §55.7) and passes them on or answers them. */
class Session {
  readonly #state: { readonly sqlstate: string | undefined }
  readonly #client: Socket
  readonly #upstream: Socket
  #received = Buffer.alloc(0)
  #isStarted = false
  #isInTransaction = false
  /** The current statement begins or ends a transaction. */
  #isControl = false
  /** The names of such prepared statements. */
  readonly #control = new Set<string>()
  /** After an error PostgreSQL ignores messages until Sync. */
  #hasFailed = false

  constructor(state: { readonly sqlstate: string | undefined }, client: Socket, upstream: Socket) {
    this.#state = state
    this.#client = client
    this.#upstream = upstream
  }

  receive(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk])
    for (;;) {
      // The first message has no type.
      const typeLength = this.#isStarted ? 1 : 0
      if (this.#received.length < typeLength + 4) return
      const length = typeLength + this.#received.readInt32BE(typeLength)
      if (this.#received.length < length) return
      const message = this.#received.subarray(0, length)
      this.#received = this.#received.subarray(length)
      this.#handle(this.#isStarted ? String.fromCharCode(message[0] ?? 0) : '', message)
      this.#isStarted = true
    }
  }

  #handle(type: string, message: Buffer): void {
    const { sqlstate } = this.#state
    if (type === 'Q' || type === 'P' || type === 'B') this.#isControl = this.#isTransactionControl(type, message)
    const isStatement = STATEMENT_MESSAGES.has(type)
    if (sqlstate === undefined || !isStatement || this.#isControl) this.#upstream.write(message)
    else if (type === 'Q' || type === 'S') this.#fail(sqlstate, true)
    else if (type === 'H') this.#fail(sqlstate, false)
  }

  /** Whether a message of the simple protocol (Q) or the extended one (Parse, Bind) begins or ends a transaction. */
  #isTransactionControl(type: string, message: Buffer): boolean {
    const [first = '', second = ''] = message.toString('latin1', 5).split('\0')
    if (type === 'B') return this.#control.has(second)
    const text = type === 'Q' ? first : second
    if (/^\s*begin/i.test(text)) this.#isInTransaction = true
    if (/^\s*(commit|rollback(?!\s+to))/i.test(text)) this.#isInTransaction = false
    const isControl = TRANSACTION_CONTROL.test(text)
    if (type === 'P' && isControl) this.#control.add(first)
    else if (type === 'P') this.#control.delete(first)
    return isControl
  }

  #fail(sqlstate: string, isReady: boolean): void {
    if (!this.#hasFailed) {
      const fields = { S: 'ERROR', V: 'ERROR', C: sqlstate, M: STORE_WORDS, D: STORE_WORDS, t: 'secret_table' }
      const body = Object.entries(fields).map(([type, value]) => `${type}${value}\0`)
      this.#client.write(frame('E', `${body.join('')}\0`))
    }
    this.#hasFailed = !isReady
    if (isReady) this.#client.write(frame('Z', this.#isInTransaction ? 'E' : 'I'))
  }
}

function frame(type: string, body: string): Buffer {
  const header = Buffer.alloc(5)
  header.write(type)
  header.writeInt32BE(4 + Buffer.byteLength(body), 1)
  return Buffer.concat([header, Buffer.from(body)])
}
