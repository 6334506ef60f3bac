// Clients of PostgreSQL: the driver, by the server's socket where the URL names one.
import postgres from 'postgres'

import { postgresAddress } from './address.ts'

type Options = postgres.Options<Record<string, postgres.PostgresType>> & {
  /** Hears every notification: what the driver's own `listen` is built on. (Its types lack the option.) */
  onnotify?: (channel: string, payload: string) => void
  /** How many statements may be on their way on one connection. (Its types lack the option.) */
  max_pipeline?: number
}

/** A postgres.js client, which opens nothing until it is asked. It asks the server for no types and drops its notices. */
export function postgresClient(url: string, options: Options): postgres.Sql {
  const { url: bare, ...socket } = postgresAddress(url)
  return postgres(bare, { ...socket, fetch_types: false, onnotice: () => undefined, ...options })
}
