// Where e-mail goes and whom it is from: MAIL_URL and MAIL_FROM.
import { isIP } from 'node:net'

import { ConfigError, type Environment, optionalUrl } from '../environment.ts'

export interface MailServer {
  readonly host: string
  readonly port: number
  /** TLS from the start (`smtps://`); otherwise STARTTLS if the server offers it. */
  readonly secure: boolean
  /** Refuse to send without TLS, so that a password never travels in the clear. */
  readonly requireTls: boolean
  readonly login: { readonly user: string; readonly password: string } | undefined
}

export interface MailConfig {
  /** Undefined: messages go to the embedded mailbox. */
  readonly server: MailServer | undefined
  /** Without a name, messages are from the marketplace by its name. */
  readonly from: { readonly name: string | undefined; readonly address: string }
}

const LOCAL = 'hearth@localhost'
const NAMED_ADDRESS = /^(?:"?([^"<>\r\n]*?)"?\s*<([^<>\s]+)>|([^<>\s]+))$/

/** Throws {@link ConfigError}. Errors contain no password. */
export function mailOf(env: Environment): MailConfig {
  const server = serverOf(env)
  const text = env['MAIL_FROM']?.trim()
  if (server && !text)
    throw new ConfigError('MAIL_FROM must be set when MAIL_URL is, such as Hearth <hello@example.com>.')
  const [, name, named, bare] = NAMED_ADDRESS.exec(text || LOCAL) ?? []
  const address = named ?? bare
  if (!address || !/^[!-?A-~]+@[!-?A-~]+$/.test(address))
    throw new ConfigError(`MAIL_FROM must be an address such as Hearth <hello@example.com>, not "${text}".`)
  return Object.freeze({ server, from: Object.freeze({ name: name || undefined, address }) })
}

function serverOf(env: Environment): MailServer | undefined {
  const text = optionalUrl(env, 'MAIL_URL', ['smtp:', 'smtps:'])
  if (text === undefined) return undefined
  const { protocol, hostname, port, username, password, pathname, search } = new URL(text)
  if (!hostname || pathname.length > 1 || search)
    throw new ConfigError('MAIL_URL must have the form smtp://user:password@host:port or smtps://….')
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const secure = protocol === 'smtps:'
  const login = username ? { user: decode(username), password: decode(password) } : undefined
  return Object.freeze({
    host,
    // Submission ports: RFC 8314 with TLS, RFC 6409 without.
    port: port ? Number(port) : secure ? 465 : 587,
    secure,
    requireTls: login !== undefined && !secure && !isLoopback(host),
    login,
  })
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new ConfigError('MAIL_URL has a user or password with a stray %: write % as %25.')
  }
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
