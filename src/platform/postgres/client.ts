// Opens postgres.js, through a Unix socket if the URL names one.
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

import postgres from 'postgres'

type Options = postgres.Options<Record<string, postgres.PostgresType>> & {
  /** Receives every notification; the driver's own `listen` uses it. (Missing in its types.) */
  onnotify?: (channel: string, payload: string) => void
  /** Statements sent on one connection before the first response. (Missing in its types.) */
  max_pipeline?: number
}

/** Connects on first use. Does not query the server's types, and ignores notices. */
export function postgresClient(url: string, options: Options): postgres.Sql {
  const { url: bare, ...socket } = postgresAddress(url)
  return postgres(bare, { ...socket, fetch_types: false, onnotice: () => undefined, ...options })
}

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

const [MIN_CONNECTIONS, MAX_CONNECTIONS] = [4, 8]

/**
 * Connections per pool without DATABASE_CONNECTIONS. PostgreSQL behind a socket shares the cores of this machine: more than
 * two statements per core wait for each other. Four instead of eight on 2 cores gave 7 % more searches per second.
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
  const wasSent = 'state' in query && query.state !== null
  if (!wasSent) query.cancel()
}

/** Statements that do not end within the grace fail. */
export async function endPools(pools: Readonly<Record<string, postgres.Sql>>, graceSeconds: number): Promise<void> {
  await Promise.all(Object.values(pools).map((pool) => pool.end({ timeout: graceSeconds })))
}
