// Opens postgres.js, through a Unix socket if the URL names one.
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

import postgres from 'postgres'

type Options = postgres.Options<Record<string, postgres.PostgresType>> & {
  /** Receives every notification; the driver's own `listen` uses it. (Missing in its types.) */
  onnotify?: (channel: string, payload: string) => void
  /** Statements sent on one connection before the first response. (Missing in its types.) */
  max_pipeline?: number
  /** A pooler may stand before the URL: it refuses the limits as start-up parameters, and its role has them as defaults. */
  limitsByRole?: boolean
}

/**
 * PostgreSQL ends a transaction whose client sends nothing for 10 s, and the connection of a machine that has vanished 15 s
 * after it last answered: a frozen process would hold its locks for ever, and the operating system's own limit is two hours.
 * The settings of TCP for probes are in seconds, the others in ms. A Unix socket has none: it ends with the process.
 */
export const CONNECTION_LIMITS = {
  idle_in_transaction_session_timeout: '10000',
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '15000',
}

/** After so many seconds without traffic, the operating system asks whether the other end is still there. */
const KEEP_ALIVE_SECONDS = Number(CONNECTION_LIMITS.tcp_keepalives_idle)

/**
 * Connects on first use. Does not query the server's types, and ignores notices. PostgreSQL ends the connection of a client
 * that vanishes or stops in a transaction ({@link CONNECTION_LIMITS}).
 */
export function postgresClient(url: string, { limitsByRole = false, connection, ...options }: Options): postgres.Sql {
  const { url: bare, ...socket } = postgresAddress(url)
  return postgres(bare, {
    ...socket,
    fetch_types: false,
    onnotice: () => undefined,
    keep_alive: KEEP_ALIVE_SECONDS,
    ...options,
    connection: { ...(limitsByRole ? {} : CONNECTION_LIMITS), ...connection } as postgres.ConnectionParameters,
  })
}

/** For postgres.js, which takes a socket as an option and treats URL parameters as settings of the session. */
interface Address {
  readonly url: string
  readonly path?: string
}

const USUAL_PORT = '5432'

/**
 * Parses `?host=/folder`, the folder of a Unix socket (libpq, §34.1.1 of PostgreSQL's manual). On the same machine a search
 * over a socket takes 6 to 11% less CPU of the server than over TCP.
 */
export function postgresAddress(text: string): Address {
  const url = new URL(text)
  const folder = url.searchParams.get('host')
  if (!folder?.startsWith('/')) return { url: text }
  url.searchParams.delete('host')
  return { url: url.href, path: join(folder, `.s.PGSQL.${url.port || USUAL_PORT}`) }
}

const [MIN_CONNECTIONS, MAX_CONNECTIONS] = [4, 8]

/**
 * Connections per pool without DATABASE_CONNECTIONS. PostgreSQL behind a socket shares the cores of this machine: more than
 * two statements per core wait for each other. Four instead of eight on 2 cores gave 7% more searches per second.
 */
export const defaultConnections = (url: string): number =>
  !/[?&]host=(\/|%2F)/.test(url)
    ? MAX_CONNECTIONS
    : Math.min(MAX_CONNECTIONS, Math.max(MIN_CONNECTIONS, 2 * availableParallelism()))

/**
 * Cancels a statement that still waits for a connection. A sent statement is left to the server's statement_timeout:
 * postgres.js 3.4.9 forgets a sent statement that is cancelled while another runs before it, and the server's response
 * then goes to the next caller on the connection (test/platform/postgres/database.test.ts).
 */
export function cancelIfQueued(query: { cancel(): void }): void {
  if (!wasSent(query)) query.cancel()
}

/** Whether a statement has been written to a connection. */
export const wasSent = (query: object): boolean => 'state' in query && query.state !== null

/** The text of a statement that was sent. */
export const textOf = (query: object): string =>
  ('statement' in query ? (query.statement as { string?: string } | null)?.string : undefined) ?? ''

/** Statements that do not end within the grace fail. */
export async function endPools(pools: Readonly<Record<string, postgres.Sql>>, graceSeconds: number): Promise<void> {
  await Promise.all(Object.values(pools).map((pool) => pool.end({ timeout: graceSeconds })))
}
