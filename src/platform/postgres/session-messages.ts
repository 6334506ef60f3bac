// What a process that lends its session and those that borrow it say to each other: lines of JSON over a Unix socket.
import type { Socket } from 'node:net'

export type BorrowerMessage =
  | { kind: 'listen'; channel: string }
  | { kind: 'lock' | 'release'; id: number; name: string }
  | { kind: 'reconnect' }

/** `pid` of the process of PostgreSQL that holds the lock. `code` of the StoreUnavailable if it failed. */
export interface Answer {
  kind: 'answer'
  id: number
  pid: number | undefined
  code: string | undefined
}

export type LenderMessage =
  /** Sent when it changes, and several times a second. */
  | { kind: 'state'; isListening: boolean }
  | { kind: 'notification'; channel: string; payload: string | undefined }
  | { kind: 'lost' }
  | Answer

/** Changes with the messages, so that two releases side by side do not misunderstand each other. */
export const MESSAGES_VERSION = 1

export function sendMessage(socket: Socket, message: BorrowerMessage | LenderMessage): void {
  if (socket.writable) socket.write(`${JSON.stringify(message)}\n`)
}

/** The other end is of this release, and of this user: only such processes reach the socket. */
export function readMessages(socket: Socket, receive: (message: unknown) => void): void {
  let rest = ''
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) receive(JSON.parse(line))
  })
}
