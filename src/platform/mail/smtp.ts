// Sends e-mail by SMTP over a pool of connections.
import { createTransport } from 'nodemailer'

import type { MailServer } from './mail-config.ts'
import { failureOf } from './mail-failure.ts'

export interface SentMail {
  /** The server's last line, such as `250 2.0.0 Ok: queued as 4Vk`. */
  readonly response: string
}

export interface SmtpClient {
  /** Sends the source to one recipient. Throws {@link MailFailure}, also when the server takes longer than the limit. */
  send(envelope: { from: string; to: string }, source: Buffer): Promise<SentMail>
  /** Connects, starts TLS and logs in. Throws {@link MailFailure}. */
  verify(): Promise<void>
  /** Closes the connections. Unfinished e-mails fail. */
  close(): void
}

/** The time limit of one e-mail. The claim on a message outlasts it. */
export const SEND_LIMIT_MS = 45_000
const CONNECTION_TIMEOUT_MS = 10_000
const GREETING_TIMEOUT_MS = 10_000
/** The longest silence of a server, which may check a message before it accepts it. */
const SILENCE_TIMEOUT_MS = 30_000

/** Opens no connection yet. */
export function openSmtp(server: MailServer, connections: number): SmtpClient {
  const { host, port, secure, requireTls, login } = server
  const transport = createTransport({
    pool: true,
    host,
    port,
    secure,
    requireTLS: requireTls,
    ...(login && { auth: { user: login.user, pass: login.password } }),
    maxConnections: connections,
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    greetingTimeout: GREETING_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    dnsTimeout: CONNECTION_TIMEOUT_MS,
    // A failed attempt is repeated by its row's schedule, which other processes see.
    maxRequeues: 1,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    send: async (envelope, source) => {
      try {
        const signal = AbortSignal.timeout(SEND_LIMIT_MS)
        const { response } = await transport.sendMail({ envelope, raw: source, signal })
        return { response }
      } catch (error) {
        throw failureOf(error, server)
      }
    },
    verify: async () => {
      try {
        await transport.verify()
      } catch (error) {
        throw failureOf(error, server)
      }
    },
    close: () => transport.close({ force: true }),
  }
}
