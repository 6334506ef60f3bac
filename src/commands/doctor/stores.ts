// Checks of PostgreSQL and Redis.
import { type Config } from '../../config.ts'
import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import { listLostZones, loadZones, textOfDifference } from '../../features/calendar/time-zones/verbs.ts'
import { redisPlace } from '../../platform/redis/address.ts'
import { hostsAndPath } from '../../platform/postgres/address.ts'
import { poolerOf } from '../../platform/postgres/configured-urls.ts'
import { pendingMigrations } from '../../platform/postgres/schema-files.ts'
import {
  type PostgresStatus,
  type RedisStatus,
  inspectPostgres,
  inspectRedis,
} from '../../platform/postgres/store-info.ts'
import { waitUntil } from '../../platform/clock/deadlines.ts'
import { StoreUnavailable } from '../../platform/store-error.ts'
import { type Finding, ok, firstLineOf, fault } from './finding.ts'

/** The oldest versions that the tests run with. */
const MIN_POSTGRES = 15
const MIN_REDIS = 7
/** With a larger difference, holds, leases and signatures expire at the wrong time. */
const MAX_CLOCK_DIFFERENCE_MS = 1000
/** See `openDatabase`; the session, too, is one of the machine's servers. */
const [POOLS, PROBE_AND_SESSION] = [4, 2]
/** How long to wait for the lag of a replica to be known. */
const REPLICAS_MS = 3000

/** The findings about a database, and its facts when it responds. `nextServer`: the connections that one more server opens. */
export async function checkPostgres(
  url: string,
  nextServer: number,
): Promise<{ findings: Finding[]; facts?: PostgresStatus }> {
  try {
    const facts = await inspectPostgres(url)
    const findings = [version(facts, url), writes(facts), postgis(facts), connections(facts, nextServer), clock(facts)]
    return { findings, facts }
  } catch (error) {
    return { findings: [unavailable('PostgreSQL', url, error)] }
  }
}

/** A store that cannot be used, with the reason. */
function unavailable(subject: string, url: string, error: unknown): Finding {
  const where = subject === 'Redis' ? redisPlace(url) : hostsAndPath(url)
  if (error instanceof StoreUnavailable) return fault(subject, `${where} ${error.state}`, error.remedy)
  return fault(subject, `${where} cannot be inspected: ${firstLineOf(error)}`, 'see its log')
}

const writes = ({ refusal }: PostgresStatus): Finding =>
  refusal ? fault('writes', `refused: PostgreSQL ${refusal.state}`, refusal.remedy) : ok('writes', 'accepted')

const version = (facts: PostgresStatus, url: string): Finding =>
  facts.major >= MIN_POSTGRES
    ? ok('PostgreSQL', `${facts.version} at ${hostsAndPath(url)}`)
    : fault('PostgreSQL', `${facts.version} is too old`, `use PostgreSQL ${MIN_POSTGRES} or later`)

const postgis = ({ postgisVersion }: PostgresStatus): Finding =>
  postgisVersion
    ? ok('PostGIS', postgisVersion)
    : fault(
        'PostGIS',
        'not installed in this database',
        'run `hearth migrate`, which creates it or says what an administrator has to do',
      )

/** The connections that a server opens; none of PostgreSQL's where a pooler stands before it. */
export const connectionsOfServer = (config: Config): number =>
  poolerOf(config) ? 0 : POOLS * config.databaseConnections + PROBE_AND_SESSION

/** During an upgrade one server more than usual runs. */
function connections({ connections: used, maxConnections }: PostgresStatus, nextServer: number): Finding {
  const message = `${used} of ${maxConnections} in use`
  if (used + nextServer <= maxConnections) return ok('connections', message)
  return fault(
    'connections',
    `${message}; the next server of an upgrade needs ${nextServer}`,
    'raise max_connections, or lower DATABASE_CONNECTIONS or the number of processes',
  )
}

function clock({ clockAheadMs, clockErrorMs }: PostgresStatus): Finding {
  const message = `the database’s clock is ${Math.abs(clockAheadMs / 1000).toFixed(2)} s ${clockAheadMs < 0 ? 'behind' : 'ahead of'} ours`
  if (Math.abs(clockAheadMs) - clockErrorMs <= MAX_CLOCK_DIFFERENCE_MS) return ok('clocks', message)
  return fault('clocks', message, 'synchronize the clocks of both machines (NTP)')
}

/** Whether all migrations of this version are applied. */
export async function checkMigrations(deps: Deps): Promise<Finding> {
  try {
    const pending = await pendingMigrations(deps.write)
    if (pending.length === 0) return ok('migrations', 'all applied')
    const message = `${pending.length} not applied: ${pending.slice(0, 3).join(', ')}${pending.length > 3 ? ', …' : ''}`
    return fault('migrations', message, 'run `hearth migrate`')
  } catch (error) {
    return fault(
      'migrations',
      `cannot be read: ${firstLineOf(error)}`,
      'check that the role of DATABASE_URL owns the schema',
    )
  }
}

/** Whether the database is a restored copy, which sends nothing. */
export async function checkRestored({ restoredCopy }: Deps): Promise<Finding[]> {
  const target = await restoredCopy.target()
  if (target === undefined) return []
  return [fault('restored copy', `${target}: sends nothing, accepts no changes`, 'see `hearth restored`')]
}

/** The zones in use. Differences are no fault: local times are those of PostgreSQL. */
export async function checkZones(ctx: Ctx): Promise<Finding> {
  try {
    const lost = await listLostZones(ctx)
    if (lost.length > 0)
      return fault(
        'time zones',
        `PostgreSQL no longer has ${lost.join(', ')}`,
        'install its older names (Debian: tzdata-legacy) and restart it, or run `hearth zones update`, which gives pros there the zone of their city',
      )
    const differences = await loadZones(ctx)
    return differences.length === 0
      ? ok('time zones', 'PostgreSQL and the runtime have the same data')
      : ok('time zones', `PostgreSQL’s data is used; it says ${differences.map(textOfDifference).join(', ')}`)
  } catch (error) {
    return fault('time zones', `cannot be read: ${firstLineOf(error)}`, 'see the log of PostgreSQL')
  }
}

/** The replicas: whether each answers and is close enough behind the primary. */
export async function checkReplicas({ config, replicas }: Deps): Promise<Finding[]> {
  const isMeasured = () => replicas.states().every(({ lag }) => lag !== undefined)
  await waitUntil(isMeasured, REPLICAS_MS)
  return replicas.states().map(({ host, state, lag }) => {
    if (!lag)
      return fault(
        'replica',
        `${host} does not respond`,
        'start it, or correct DATABASE_READ_URL; the primary answers meanwhile',
      )
    const message = `${host} is ${(lag.ms / 1000).toFixed(1)} s (${lag.bytes} bytes) behind`
    if (state !== 'behind') return ok('replica', message)
    const limit = `more than REPLICA_MAX_LAG_MS (${config.replicaMaxLagMs})`
    return fault('replica', `${message}, ${limit}`, 'check its replication; the primary answers meanwhile')
  })
}

/** Redis, and whether it evicts jobs when it is full. */
export async function checkRedis({ redisUrl }: Pick<Config, 'redisUrl'>): Promise<Finding[]> {
  try {
    const facts = await inspectRedis(redisUrl)
    return [
      facts.refusal ? unavailable('Redis', redisUrl, facts.refusal) : redisVersion(facts, redisUrl),
      facts.maxmemoryPolicy === 'noeviction'
        ? ok('maxmemory-policy', 'noeviction')
        : fault('maxmemory-policy', facts.maxmemoryPolicy, 'set it to noeviction, so that queues keep their jobs'),
    ]
  } catch (error) {
    return [unavailable('Redis', redisUrl, error)]
  }
}

const redisVersion = ({ major, version: number }: RedisStatus, url: string): Finding =>
  major >= MIN_REDIS
    ? ok('Redis', `${number} at ${redisPlace(url)}`)
    : fault('Redis', `${number} is too old`, `use Redis ${MIN_REDIS} or later`)
