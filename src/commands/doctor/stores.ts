// The stores, as a person would look at them.
import { type Config } from '../../config.ts'
import type { Deps } from '../../deps.ts'
import { pendingMigrations } from '../../platform/postgres/migrate.ts'
import { type PostgresFacts, lookAtPostgres, lookAtRedis } from '../../platform/postgres/store-info.ts'
import { type Finding, ok, withoutPassword, firstLineOf, fault } from './finding.ts'

/** What this version is tested with, or later. */
const POSTGRES = 15
const REDIS = 7
/** Clocks further apart make holds, leases and signatures end at the wrong time. */
const APART_MS = 1000
/** Above this share of max_connections the next process may find no room. */
const CROWDED = 0.9

/** What was found of a database, and what can be seen of it where it answers. */
export async function checkPostgres(url: string): Promise<{ findings: Finding[]; facts?: PostgresFacts }> {
  try {
    const facts = await lookAtPostgres(url)
    return { findings: [version(facts, url), postgis(facts), connections(facts), clock(facts)], facts }
  } catch (error) {
    const remedy = 'start it, or set DATABASE_URL to where it is; `npm start` runs a private one'
    return { findings: [fault('PostgreSQL', `${withoutPassword(url)} does not answer: ${firstLineOf(error)}`, remedy)] }
  }
}

const version = (facts: PostgresFacts, url: string): Finding =>
  facts.major >= POSTGRES
    ? ok('PostgreSQL', `${facts.version} at ${withoutPassword(url)}`)
    : fault('PostgreSQL', `${facts.version} is too old`, `use PostgreSQL ${POSTGRES} or later`)

const postgis = ({ postgisVersion }: PostgresFacts): Finding =>
  postgisVersion
    ? ok('PostGIS', postgisVersion)
    : fault('PostGIS', 'is not in this database', 'install PostGIS for this PostgreSQL, then run `hearth migrate`')

function connections({ connections: used, maxConnections }: PostgresFacts): Finding {
  const says = `${used} of ${maxConnections} in use`
  if (used < maxConnections * CROWDED) return ok('connections', says)
  return fault('connections', says, 'raise max_connections, or lower DATABASE_CONNECTIONS or the number of processes')
}

function clock({ aheadMs, aheadWithinMs }: PostgresFacts): Finding {
  const says = `the database’s is ${Math.abs(aheadMs / 1000).toFixed(2)} s ${aheadMs < 0 ? 'behind' : 'ahead of'} ours`
  if (Math.abs(aheadMs) - aheadWithinMs <= APART_MS) return ok('clocks', says)
  return fault('clocks', says, 'synchronise both machines’ clocks (NTP)')
}

/** Whether the database has the schema of this version. */
export async function checkMigrations(deps: Pick<Deps, 'write'>): Promise<Finding> {
  try {
    const pending = await pendingMigrations(deps.write.pool)
    if (pending.length === 0) return ok('migrations', 'all applied')
    const says = `${pending.length} not applied: ${pending.slice(0, 3).join(', ')}${pending.length > 3 ? ', …' : ''}`
    return fault('migrations', says, 'run `hearth migrate`')
  } catch (error) {
    return fault(
      'migrations',
      `cannot be read: ${firstLineOf(error)}`,
      'see that the role of DATABASE_URL owns the schema',
    )
  }
}

/** A replica that search reads from, where there is one. */
export async function checkReplica({ config, read }: Pick<Deps, 'config' | 'read'>): Promise<Finding[]> {
  if (config.databaseReadUrl === undefined) return []
  const remedy = 'start it, or unset DATABASE_READ_URL'
  try {
    const pending = await pendingMigrations(read.pool)
    return [
      pending.length === 0
        ? ok('replica', withoutPassword(config.databaseReadUrl))
        : fault('replica', `lacks ${pending.length} migrations`, 'wait until it has caught up, or see why it does not'),
    ]
  } catch (error) {
    return [
      fault('replica', `${withoutPassword(config.databaseReadUrl)} does not answer: ${firstLineOf(error)}`, remedy),
    ]
  }
}

/** Redis, and whether it would throw away jobs when it is full. */
export async function checkRedis({ redisUrl }: Pick<Config, 'redisUrl'>): Promise<Finding[]> {
  try {
    const facts = await lookAtRedis(redisUrl)
    return [
      facts.major >= REDIS
        ? ok('Redis', `${facts.version} at ${withoutPassword(redisUrl)}`)
        : fault('Redis', `${facts.version} is too old`, `use Redis ${REDIS} or later`),
      facts.maxmemoryPolicy === 'noeviction'
        ? ok('maxmemory-policy', 'noeviction')
        : fault('maxmemory-policy', facts.maxmemoryPolicy, 'set it to noeviction: queues must not lose what they hold'),
    ]
  } catch (error) {
    const remedy = 'start it, or set REDIS_URL to where it is; `npm start` runs a private one'
    return [fault('Redis', `${withoutPassword(redisUrl)} does not answer: ${firstLineOf(error)}`, remedy)]
  }
}
