// Opens postgres.js, through a Unix socket if the URL names one.
import postgres from 'postgres'

import { postgresAddress } from './address.ts'

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
