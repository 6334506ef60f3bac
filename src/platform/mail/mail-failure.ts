// Why an e-mail was not sent, and whether to try again.
import type { MailServer } from './mail-config.ts'

/**
 * - `temporary`: the server asks to try this message later (4yz).
 * - `refused`: the server refuses this message for good (5yz).
 * - `no_mailbox`: it refuses the recipient: the address does not exist.
 * - `connection`: the server cannot be reached, or the connection broke.
 * - `setup`: TLS, the login or the sender fails: no message can be sent until an operator mends it.
 */
export type MailFailureKind = 'temporary' | 'refused' | 'no_mailbox' | 'connection' | 'setup'

/** An e-mail was not sent, as far as this side knows. The message is for operators. */
export class MailFailure extends Error {
  override readonly name = 'MailFailure'
  readonly kind: MailFailureKind
  /** What to do about it. */
  readonly remedy: string

  constructor(kind: MailFailureKind, message: string, remedy: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
    this.remedy = remedy
  }

  /** Whether other messages fail, too. */
  get isOfServer(): boolean {
    return this.kind === 'connection' || this.kind === 'setup'
  }
}

interface SmtpError {
  code?: string
  responseCode?: number
  response?: string
  command?: string
}

/** RFC 3463: bad destination mailbox, bad destination system, mailbox syntax, mailbox has moved, disabled mailbox. */
const NO_MAILBOX = /^5\d\d[ -]5\.(?:1\.[1236]|2\.1)\b/

/** Classifies an error of nodemailer. */
export function failureOf(error: unknown, { host, port, secure }: MailServer): MailFailure {
  const { code, responseCode, response, command } = error as SmtpError
  const text = response ?? (error instanceof Error ? error.message : String(error))
  const fail = (kind: MailFailureKind, message: string, remedy: string) =>
    new MailFailure(kind, message, remedy, { cause: error })
  const place = `${host}:${port}`
  if (code === 'EAUTH' && (responseCode ?? 0) < 400)
    return fail(
      'setup',
      `${place} offers no way to log in: ${text}`,
      'remove user and password from MAIL_URL, or use the port for submission',
    )
  if (code === 'EAUTH')
    return fail('setup', `${place} refuses the login: ${text}`, 'correct user and password in MAIL_URL')
  if (code === 'ETLS' || isTlsError(text))
    return fail('setup', `TLS with ${place} fails: ${text}`, tlsRemedy(text, secure))
  // After the connection was made, a failure is treated as that of this message alone, so that it does not hold up others.
  if (isUnreachable(error as SmtpError, text))
    return fail('connection', `${place} ${connectionProblem(code, text)}`, connectionRemedy(code))
  if (responseCode === undefined)
    return fail('temporary', `${place} ${connectionProblem(code, text)}`, 'wait: it is sent again')
  if (responseCode < 500) return fail('temporary', text, 'wait: it is sent again')
  if (command === 'RCPT TO' && (NO_MAILBOX.test(text) || (responseCode === 550 && !/^550[ -]\d\.\d/.test(text))))
    return fail('no_mailbox', text, 'correct the address')
  if (command === 'MAIL FROM') return fail('setup', `${place} refuses the sender: ${text}`, 'correct MAIL_FROM')
  return fail('refused', text, 'see what the mail server says')
}

/** Refused, not found, silent, or greeted with an error (421). */
const isUnreachable = ({ code, command, responseCode }: SmtpError, text: string): boolean =>
  code === 'EDNS' ||
  /ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|Connection timeout|Greeting never received/.test(text) ||
  (command === 'CONN' && responseCode !== undefined)

const isTlsError = (text: string): boolean =>
  /certificate|self.signed|wrong version number|SSL routines|handshake|ERR_TLS/i.test(text)

function tlsRemedy(text: string, secure: boolean): string {
  if (/certificate|self.signed/i.test(text))
    return 'correct the certificate of the mail server, or name its authority in NODE_EXTRA_CA_CERTS'
  if (secure) return 'use smtp:// if the port begins without TLS'
  return 'use a port with STARTTLS or smtps://: a password is not sent without TLS'
}

function connectionProblem(code: string | undefined, text: string): string {
  if (code === 'EDNS' || /ENOTFOUND|EAI_AGAIN/.test(text)) return 'has no address: the name cannot be resolved'
  if (/ECONNREFUSED/.test(text)) return 'refuses connections'
  if (code === 'ETIMEDOUT' || code === 'EABORT') return `does not answer in time (${text})`
  return `broke the connection (${text})`
}

const connectionRemedy = (code: string | undefined): string =>
  code === 'EDNS'
    ? 'correct the host in MAIL_URL'
    : 'correct host and port in MAIL_URL, or allow outgoing connections to it'
