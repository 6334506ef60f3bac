// A mail server: keeps each message it accepts, and answers as the test decides, also with errors, silence and broken connections.
import type { Socket } from 'node:net'

import { type AddressObject, type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'

export interface ReceivedMail {
  readonly to: string
  readonly source: string
  readonly mail: ParsedMail
  readonly atMs: number
  /** Whether it came over TLS. */
  readonly isEncrypted: boolean
}

export interface SmtpAttempt {
  readonly to: string
  /** Counts the attempts for this recipient from 1. */
  readonly number: number
}

/**
 * `breaks`: the connection breaks before the message is accepted. `breaksAfter`: right after, so that the sender does not hear
 * of it. `code` with `atData`: the answer to the message instead of the recipient.
 */
export type SmtpAnswer =
  | 'accepts'
  | 'breaks'
  | 'breaksAfter'
  | { code: number; text: string; atData?: true }
  | { delayMs: number }

export interface SmtpReceiver {
  readonly url: string
  readonly port: number
  readonly received: ReceivedMail[]
  readonly attempts: SmtpAttempt[]
  /** The answer to each attempt from now on; `accepts` by default. */
  answer: (attempt: SmtpAttempt) => SmtpAnswer
  /** The messages to an address, oldest first. */
  to(address: string): ReceivedMail[]
  stop(): Promise<void>
}

/** Starts a mail server on a free port. */
export async function openSmtpReceiver(options: SMTPServerOptions = {}, port = 0): Promise<SmtpReceiver> {
  const received: ReceivedMail[] = []
  const attempts: SmtpAttempt[] = []
  const answers = new Map<string, SmtpAnswer>()
  const sockets = new Map<number, Socket>()
  const disconnect = ({ remotePort }: SMTPServerSession) => sockets.get(remotePort)?.destroy()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    closeTimeout: 100,
    onRcptTo: ({ address }, session, done) => {
      const attempt = { to: address, number: attempts.filter(({ to }) => to === address).length + 1 }
      attempts.push(attempt)
      const answer = receiver.answer(attempt)
      answers.set(session.id, answer)
      done(typeof answer === 'object' && 'code' in answer && !answer.atData ? refusal(answer) : undefined)
    },
    onData: (stream, session, done) => {
      void (async () => {
        const source = await sourceOf(stream)
        if (source === undefined || !sockets.has(session.remotePort)) return
        const answer = answers.get(session.id) ?? 'accepts'
        if (answer === 'breaks') return disconnect(session)
        if (typeof answer === 'object' && 'code' in answer) return done(refusal(answer))
        if (typeof answer === 'object') await Bun.sleep(answer.delayMs)
        const mail = await simpleParser(source)
        for (const { address } of session.envelope.rcptTo)
          received.push({ to: address, source, mail, atMs: Date.now(), isEncrypted: session.secure })
        if (answer === 'breaksAfter') return disconnect(session)
        done()
      })()
    },
    ...options,
  })
  server.on('error', () => undefined)
  server.server.on('connection', (socket: Socket) => {
    sockets.set(socket.remotePort ?? 0, socket)
    socket.on('close', () => sockets.delete(socket.remotePort ?? 0))
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()))
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('The mail server has no port.')
  const receiver: SmtpReceiver = {
    url: `smtp${options.secure ? 's' : ''}://127.0.0.1:${address.port}`,
    port: address.port,
    received,
    attempts,
    answer: () => 'accepts',
    to: (wanted) => received.filter(({ to }) => to === wanted),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
  return receiver
}

/** Undefined if the sender dies in the middle of the message: the stream then fails. */
async function sourceOf(stream: AsyncIterable<Buffer>): Promise<string | undefined> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of stream) chunks.push(chunk)
  } catch {
    return undefined
  }
  return Buffer.concat(chunks).toString()
}

const refusal = ({ code, text }: { code: number; text: string }): Error =>
  Object.assign(new Error(text), { responseCode: code })

/** The addresses of a header. */
export const addressesOf = (header: AddressObject | AddressObject[] | undefined): string[] =>
  [header ?? []].flat().flatMap(({ value }) => value.flatMap(({ address }) => address ?? []))
