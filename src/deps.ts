// What everything is given: the stores, the clock, the ids, the log, the configuration. Opened once, closed once.
import type { Redis } from 'ioredis'

import type { Config } from './config.ts'
import { type Notifications, listenForNotifications } from './platform/postgres/notifications.ts'
import { type Clock, type Ids, systemClock, systemIds } from './platform/clock/clock.ts'
import { type ReadPool, type WritePool, openDatabase } from './platform/postgres/database.ts'
import { type Log, openLog } from './platform/telemetry/log.ts'
import { type Queues, openQueues } from './platform/queue/queues.ts'
import { openRedis } from './platform/redis/client.ts'
import { type Encryption, openEncryption } from './platform/crypto/encryption.ts'

export interface Deps {
  readonly config: Config
  readonly log: Log
  readonly clock: Clock
  readonly ids: Ids
  /** Single statements. */
  readonly read: ReadPool
  /** Transactions, and single calls of functions that write. */
  readonly write: WritePool
  readonly redis: Redis
  /** The queues of the actors. */
  readonly queues: Queues
  /** Makes and opens tokens that nobody else can make or read. */
  readonly encryption: Encryption
  /** What other processes changed. */
  readonly notifications: Notifications
  close(): Promise<void>
}

/** The longest a request waits for PostgreSQL before 503; a statement is given a little less. */
const DATABASE_LIMIT_MS = 1500
const STATEMENT_MARGIN_MS = 100

type Parts = Partial<Pick<Deps, 'clock' | 'ids' | 'log'>> & {
  /** The longest a statement or transaction may take; workers wait longer than requests. */
  databaseLimitMs?: number
  /** The name under which PostgreSQL knows the connections. */
  applicationName?: string
}

/** Opens the stores lazily: a store that is down makes requests fail, not the start. `parts` replaces some. */
export function openDeps(config: Config, parts: Parts = {}): Deps {
  const databaseLimitMs = parts.databaseLimitMs ?? DATABASE_LIMIT_MS
  const log = parts.log ?? openLog(config.logLevel)
  const database = openDatabase({
    url: config.databaseUrl,
    readUrl: config.databaseReadUrl,
    readConnections: config.databaseConnections,
    writeConnections: config.databaseConnections,
    statementTimeoutMs: databaseLimitMs - STATEMENT_MARGIN_MS,
    waitLimitMs: databaseLimitMs,
    applicationName: parts.applicationName ?? 'hearth',
  })
  const redis = openRedis(config.redisUrl, (error) => log.debug({ err: error }, 'redis'))
  const queues = openQueues(config, (error) => log.debug({ err: error }, 'queues'))
  const notifications = listenForNotifications(config.databaseUrl, (error) => log.debug({ err: error }, 'listen'))
  return {
    config,
    log,
    clock: parts.clock ?? systemClock,
    ids: parts.ids ?? systemIds,
    read: database.read,
    write: database.write,
    redis,
    queues,
    encryption: openEncryption(config.secret),
    notifications,
    close: async () => {
      redis.disconnect()
      await queues.close()
      await notifications.close()
      await database.close()
    },
  }
}

/**
 * Something opened once per set of dependencies and shared by all who ask, such as a cache: `const loaderOf =
 * oncePerDeps(openNames)`. It lives as long as the deps do.
 */
export function oncePerDeps<T>(open: (deps: Deps) => T): (deps: Deps) => T {
  const opened = new WeakMap<Deps, { value: T }>()
  return (deps) => {
    const found = opened.get(deps) ?? { value: open(deps) }
    opened.set(deps, found)
    return found.value
  }
}
