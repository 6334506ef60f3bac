// The stores, as a person would look at them.
import { type Config } from '../../config.ts'
import type { Deps } from '../../deps.ts'
import { pendingMigrations } from '../../platform/postgres/migrate.ts'
import { type PostgresFacts, lookAtPostgres, lookAtRedis } from '../../platform/postgres/store-info.ts'
import { type Finding, fine, placeOf, reasonOf, wrong } from './finding.ts'

/** What this version is tested with, or later. */
const POSTGRES = 15
const REDIS = 7
/** Clocks further apart make holds, leases and signatures end at the wrong time. */
const APART_MS = 1000
/** Above this share of max_connections the next process may find no room. */
const CROWDED = 0.9

/** What was found of a database, and what can be seen of it where it answers. */
export async function examinePostgres(url: string): Promise<{ findings: Finding[]; facts?: PostgresFacts }> {
  try {
    const facts = await lookAtPostgres(url)
    return { findings: [version(facts, url), postgis(facts), connections(facts), clock(facts)], facts }
  } catch (error) {
    const remedy = 'start it, or set DATABASE_URL to where it is; `npm start` runs a private one'
    return { findings: [wrong('PostgreSQL', `${placeOf(url)} does not answer: ${reasonOf(error)}`, remedy)] }
  }
}

const version = (facts: PostgresFacts, url: string): Finding =>
  facts.major >= POSTGRES
    ? fine('PostgreSQL', `${facts.version} at ${placeOf(url)}`)
    : wrong('PostgreSQL', `${facts.version} is too old`, `use PostgreSQL ${POSTGRES} or later`)

const postgis = ({ postgisVersion }: PostgresFacts): Finding =>
  postgisVersion
    ? fine('PostGIS', postgisVersion)
    : wrong('PostGIS', 'is not in this database', 'install PostGIS for this PostgreSQL, then run `hearth migrate`')

function connections({ connections: used, maxConnections }: PostgresFacts): Finding {
  const says = `${used} of ${maxConnections} in use`
  if (used < maxConnections * CROWDED) return fine('connections', says)
  return wrong('connections', says, 'raise max_connections, or lower DATABASE_CONNECTIONS or the number of processes')
}

function clock({ aheadMs, aheadWithinMs }: PostgresFacts): Finding {
  const says = `the database’s is ${Math.abs(aheadMs / 1000).toFixed(2)} s ${aheadMs < 0 ? 'behind' : 'ahead of'} ours`
  if (Math.abs(aheadMs) - aheadWithinMs <= APART_MS) return fine('clocks', says)
  return wrong('clocks', says, 'synchronise both machines’ clocks (NTP)')
}

/** Whether the database has the schema of this version. */
export async function examineMigrations(deps: Pick<Deps, 'write'>): Promise<Finding> {
  try {
    const pending = await pendingMigrations(deps.write.pool)
    if (pending.length === 0) return fine('migrations', 'all applied')
    const says = `${pending.length} not applied: ${pending.slice(0, 3).join(', ')}${pending.length > 3 ? ', …' : ''}`
    return wrong('migrations', says, 'run `hearth migrate`')
  } catch (error) {
    return wrong(
      'migrations',
      `cannot be read: ${reasonOf(error)}`,
      'see that the role of DATABASE_URL owns the schema',
    )
  }
}

/** A replica that search reads from, where there is one. */
export async function examineReplica({ config, read }: Pick<Deps, 'config' | 'read'>): Promise<Finding[]> {
  if (config.databaseReadUrl === undefined) return []
  const remedy = 'start it, or unset DATABASE_READ_URL'
  try {
    const pending = await pendingMigrations(read.pool)
    return [
      pending.length === 0
        ? fine('replica', placeOf(config.databaseReadUrl))
        : wrong('replica', `lacks ${pending.length} migrations`, 'wait until it has caught up, or see why it does not'),
    ]
  } catch (error) {
    return [wrong('replica', `${placeOf(config.databaseReadUrl)} does not answer: ${reasonOf(error)}`, remedy)]
  }
}

/** Redis, and whether it would throw away jobs when it is full. */
export async function examineRedis({ redisUrl }: Pick<Config, 'redisUrl'>): Promise<Finding[]> {
  try {
    const facts = await lookAtRedis(redisUrl)
    return [
      facts.major >= REDIS
        ? fine('Redis', `${facts.version} at ${placeOf(redisUrl)}`)
        : wrong('Redis', `${facts.version} is too old`, `use Redis ${REDIS} or later`),
      facts.maxmemoryPolicy === 'noeviction'
        ? fine('maxmemory-policy', 'noeviction')
        : wrong('maxmemory-policy', facts.maxmemoryPolicy, 'set it to noeviction: queues must not lose what they hold'),
    ]
  } catch (error) {
    const remedy = 'start it, or set REDIS_URL to where it is; `npm start` runs a private one'
    return [wrong('Redis', `${placeOf(redisUrl)} does not answer: ${reasonOf(error)}`, remedy)]
  }
}
