// Parses the URL of Redis: one server, or Sentinels that know which one is the primary; with TLS if the scheme says so.
import { readFileSync } from 'node:fs'

import { Redis, type RedisOptions, type SentinelConnectionOptions, SentinelConnector } from 'ioredis'

import { ConfigError } from '../environment.ts'

const SCHEME = /^(rediss?)(\+sentinel)?:\/\/(?:([^@/?]*)@)?([^/?#]+)(\/[^?#]*)?(\?[^#]*)?$/
const SENTINEL_PORT = 26_379
/** A Sentinel that does not answer within this is skipped. */
const SENTINEL_LIMIT_MS = 1000
/** A connection that owes an answer for this long is replaced. Longer than the 10 s for which BullMQ waits for a job. */
const SILENCE_LIMIT_MS = 15_000

/** The hosts of a URL and what follows them, without user and password. */
export const redisPlace = (text: string): string => {
  const [, , , , hosts = '', path = ''] = SCHEME.exec(text) ?? []
  return hosts + (path.length > 1 ? path : '')
}

/** The URL of REDIS_URL in `env`. Throws {@link ConfigError} without the value: it may contain a password. */
export function redisUrlOf(env: Record<string, string | undefined>, name: string): string {
  const text = env[name]
  if (!text)
    throw new ConfigError(
      `${name} is not set. \`npm start\` sets it to a private one; see docs/operators/configuration.md.`,
    )
  try {
    redisOptions(text)
  } catch (error) {
    throw new ConfigError(`${name} ${error instanceof Error ? error.message : 'is not valid.'}`)
  }
  return text
}

/** A connection. `options` are those of its use; the URL decides where it leads. */
export const connectRedis = (url: string, options: RedisOptions): Redis =>
  new Redis({ socketTimeout: SILENCE_LIMIT_MS, ...redisOptions(url), ...options })

/** Asks Sentinels for the primary, also while one announces another. */
class FailoverConnector extends SentinelConnector {
  /** ioredis declares that its connectors take anything. */
  constructor(options: unknown) {
    super(options as SentinelConnectionOptions)
  }

  /**
   * Stops listening for the failover of the connection before: ioredis takes one that is announced meanwhile for a
   * `disconnect` by the program, and never connects again.
   */
  override async connect(...args: Parameters<SentinelConnector['connect']>): ReturnType<SentinelConnector['connect']> {
    this.disconnect()
    return await super.connect(...args)
  }
}

/** Throws an error whose message follows the name of the variable. */
function redisOptions(text: string): RedisOptions {
  const [, scheme, sentinel, user = '', hosts = '', path = '', query = ''] = SCHEME.exec(text) ?? []
  if (!scheme)
    throw new Error('must be a URL that begins with redis://, rediss://, redis+sentinel:// or rediss+sentinel://.')
  const parameters = new URLSearchParams(query)
  const tls = scheme === 'rediss' ? { tls: certificatesOf(parameters.get('ca')) } : {}
  const [username = '', password = ''] = user.split(':').map(decodeURIComponent)
  const credentials = { ...(username && { username }), ...(password && { password }) }
  const names = path.slice(1).split('/').filter(Boolean)
  if (!sentinel) {
    const socket = parameters.get('path')
    const { hostname, port } = new URL(`redis://${hosts}`)
    const at = socket ? { path: socket } : { host: unbracketed(hostname), port: Number(port) || 6379 }
    return { ...at, ...credentials, ...tls, ...databaseOf(names[0]) }
  }
  const [name] = names
  if (!name) throw new Error('must name the primary after the Sentinels, such as redis+sentinel://one,two/mymaster.')
  return {
    name,
    sentinels: hosts.split(',').map((host) => {
      const { hostname, port } = new URL(`redis://${host}`)
      return { host: unbracketed(hostname), port: Number(port) || SENTINEL_PORT }
    }),
    ...credentials,
    ...sentinelCredentials(parameters),
    ...databaseOf(names[1]),
    Connector: FailoverConnector,
    // Sentinels announce a new primary before the old one's connections end.
    failoverDetector: true,
    sentinelCommandTimeout: SENTINEL_LIMIT_MS,
    sentinelRetryStrategy: (attempt) => Math.min(attempt * 100, 1000),
    ...(tls.tls ? { ...tls, enableTLSForSentinelMode: true, sentinelTLS: tls.tls } : {}),
  }
}

const unbracketed = (host: string) => host.replace(/^\[|\]$/g, '')

function databaseOf(text: string | undefined): { db?: number } {
  if (text === undefined) return {}
  if (!/^\d{1,4}$/.test(text)) throw new Error('must end with the number of a database, if with anything.')
  return { db: Number(text) }
}

function sentinelCredentials(parameters: URLSearchParams): RedisOptions {
  const [username, password] = [parameters.get('sentinel_username'), parameters.get('sentinel_password')]
  return { ...(username && { sentinelUsername: username }), ...(password && { sentinelPassword: password }) }
}

/** The authorities to trust instead of the system's, from the file `ca`. */
function certificatesOf(file: string | null): { ca?: string } {
  if (file === null) return {}
  try {
    return { ca: readFileSync(file, 'utf8') }
  } catch {
    throw new Error(`names a file of certificates that cannot be read: ${file}`)
  }
}
