// What can be seen of the stores from outside: versions, settings, clocks, who is connected.
import { Redis } from 'ioredis'

import { connect } from './database.ts'

export interface PostgresFacts {
  /** Such as `15.18`. */
  version: string
  major: number
  /** Undefined where the extension is not in the database. */
  postgisVersion: string | undefined
  maxConnections: number
  connections: number
  /** The names under which processes are connected to this database. */
  applications: Set<string>
  /** How far its clock is ahead of ours, and by how much that may be wrong: half of the round trip. */
  aheadMs: number
  aheadWithinMs: number
}

const LIMIT_MS = 5000

/** Looks at a database on a connection of its own. Throws what the driver throws. */
export async function lookAtPostgres(url: string): Promise<PostgresFacts> {
  const sql = connect(url, 1, { applicationName: 'hearth-doctor', statementTimeoutMs: LIMIT_MS })
  try {
    const [facts] = await sql<Omit<PostgresFacts, 'applications' | 'aheadMs' | 'aheadWithinMs'>[]>`
      select split_part(current_setting('server_version'), ' ', 1) as version,
        current_setting('server_version_num')::int / 10000 as major,
        (select extversion from pg_extension where extname = 'postgis') as postgis_version,
        current_setting('max_connections')::int as max_connections,
        (select sum(numbackends)::int from pg_stat_database) as connections`
    const applications = await sql<{ name: string }[]>`
      select distinct application_name as name from pg_stat_activity
      where datname = current_database() and application_name is not null`
    const startedMs = Date.now()
    const [clock] = await sql<{ ms: number }[]>`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`
    const endedMs = Date.now()
    if (!facts || !clock) throw new Error('The database gave no row.')
    return {
      ...facts,
      postgisVersion: facts.postgisVersion ?? undefined,
      applications: new Set(applications.map(({ name }) => name)),
      aheadMs: clock.ms - (startedMs + endedMs) / 2,
      aheadWithinMs: (endedMs - startedMs) / 2,
    }
  } finally {
    await sql.end({ timeout: 1 })
  }
}

export interface RedisFacts {
  version: string
  major: number
  /** What it does when it is full. */
  maxmemoryPolicy: string
}

/** Looks at a Redis on a connection of its own. Throws what the driver throws. */
export async function lookAtRedis(url: string): Promise<RedisFacts> {
  const redis = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    connectTimeout: LIMIT_MS,
    commandTimeout: LIMIT_MS,
  })
  // Why it cannot be reached is told here, and not in what `connect` throws.
  let reason: Error | undefined
  redis.on('error', (error: Error) => (reason = error))
  try {
    await redis.connect()
    const info = await redis.info()
    const field = (name: string) => new RegExp(`^${name}:(.*?)\r?$`, 'm').exec(info)?.[1] ?? ''
    const version = field('redis_version')
    return { version, major: Number.parseInt(version, 10), maxmemoryPolicy: field('maxmemory_policy') }
  } catch (error) {
    throw reason ?? error
  } finally {
    redis.disconnect()
  }
}
