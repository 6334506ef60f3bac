// The status of PostgreSQL and Redis for `hearth doctor`: versions, settings, clocks, connections.
import { connectRedis } from '../redis/address.ts'
import { checkRedis } from '../redis/client.ts'
import { StoreUnavailable, asRedisError, asStoreError } from '../store-error.ts'
import { tryWrite } from './checks.ts'
import { connect } from './open-database.ts'
import { primaryUrl } from './primary.ts'

export interface PostgresStatus {
  /** Such as `15.18`. */
  version: string
  major: number
  /** Undefined if the extension is not installed. */
  postgisVersion: string | undefined
  maxConnections: number
  connections: number
  /** The application names of the connections to this database. */
  applications: Set<string>
  /** How far its clock is ahead of ours, and the maximum error of that: half of the round trip. */
  clockAheadMs: number
  clockErrorMs: number
  /** Why it accepts no writes. */
  refusal: StoreUnavailable | undefined
}

const LIMIT_MS = 5000

/** Uses a connection of its own. Throws StoreUnavailable, and the driver's other errors. */
export async function inspectPostgres(url: string): Promise<PostgresStatus> {
  const sql = connect(await primaryUrl(url), 1, { applicationName: 'hearth-doctor', statementTimeoutMs: LIMIT_MS })
  try {
    const [status] = await sql<Omit<PostgresStatus, 'applications' | 'refusal'>[]>`
      select split_part(current_setting('server_version'), ' ', 1) as version,
        current_setting('server_version_num')::int / 10000 as major,
        (select extversion from pg_extension where extname = 'postgis') as postgis_version,
        current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as max_connections,
        (select sum(numbackends)::int from pg_stat_database) as connections`
    const applications = await sql<{ name: string }[]>`
      select distinct application_name as name from pg_stat_activity
      where datname = current_database() and application_name is not null`
    const startedMs = Date.now()
    const [clock] = await sql<{ ms: number }[]>`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`
    const endedMs = Date.now()
    if (!status || !clock) throw new Error('The database returned no row.')
    return {
      ...status,
      postgisVersion: status.postgisVersion ?? undefined,
      applications: new Set(applications.map(({ name }) => name)),
      clockAheadMs: clock.ms - (startedMs + endedMs) / 2,
      clockErrorMs: (endedMs - startedMs) / 2,
      refusal: await refusalOf(tryWrite(sql)),
    }
  } catch (error) {
    throw asStoreError(error)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** Why a store refused the work; undefined when it did not. */
async function refusalOf(work: Promise<void>): Promise<StoreUnavailable | undefined> {
  try {
    await work
    return undefined
  } catch (error) {
    if (error instanceof StoreUnavailable) return error
    throw error
  }
}

export interface RedisStatus {
  version: string
  major: number
  maxmemoryPolicy: string
  /** Why it accepts no writes. */
  refusal: StoreUnavailable | undefined
}

/** Uses a connection of its own. Throws StoreUnavailable. */
export async function inspectRedis(url: string): Promise<RedisStatus> {
  const redis = connectRedis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    connectTimeout: LIMIT_MS,
    commandTimeout: LIMIT_MS,
    // Also describes a Redis that is still loading its data.
    enableReadyCheck: false,
  })
  // The 'error' event has the reason, which the error of `connect` lacks.
  let reason: Error | undefined
  redis.on('error', (error: Error) => (reason = error))
  try {
    await redis.connect()
    const info = await redis.info()
    const field = (name: string) => new RegExp(`^${name}:(.*?)\r?$`, 'm').exec(info)?.[1] ?? ''
    const version = field('redis_version')
    return {
      version,
      major: Number.parseInt(version, 10),
      maxmemoryPolicy: field('maxmemory_policy'),
      refusal: await refusalOf(checkRedis(redis)),
    }
  } catch (error) {
    throw asRedisError(reason ?? error)
  } finally {
    redis.disconnect()
  }
}
