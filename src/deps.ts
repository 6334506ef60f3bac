// The dependencies of all code: stores, clock, ids, log, configuration. Opened once, closed once.
import type { Redis } from 'ioredis'

import type { Config } from './config.ts'
import { type DirectSession, openDirectSession } from './platform/postgres/direct-session.ts'
import { type Notifications, openNotifications } from './platform/postgres/notifications.ts'
import { type Clock, type Ids, systemClock, systemIds } from './platform/clock/clock.ts'
import type { ReadPool, ReplicaPool, WritePool } from './platform/postgres/database.ts'
import { openDatabase } from './platform/postgres/open-database.ts'
import { type Log, openLog } from './platform/telemetry/log.ts'
import { type Queues, openQueues } from './platform/queue/queues.ts'
import { directUrlOf, poolerOf } from './platform/postgres/configured-urls.ts'
import { type RestoredCopy, watchRestoredCopy } from './platform/postgres/restored-copy.ts'
import { openRedis } from './platform/redis/client.ts'
import { type Encryption, openEncryption } from './platform/crypto/encryption.ts'
import { openStorage } from './platform/storage/open-storage.ts'
import type { Storage } from './platform/storage/storage.ts'

/** Where statements run. */
export interface Pools {
  /** Single statements on the primary. */
  readonly read: ReadPool
  /** Single statements whose answer may be a second old. */
  readonly replicas: ReplicaPool
  /** Transactions, and single calls of functions that write. */
  readonly write: WritePool
}

export interface Deps extends Pools {
  readonly config: Config
  readonly log: Log
  readonly clock: Clock
  readonly ids: Ids
  /** Whether the database was restored from a backup and must send nothing. */
  readonly restoredCopy: RestoredCopy
  readonly redis: Redis
  /** The queues of the actors. */
  readonly queues: Queues
  /** Encrypts tokens and stored secrets. */
  readonly encryption: Encryption
  /** Keeps the content of files. */
  readonly storage: Storage
  /** Listens, and holds locks. Beside the pools, which may lead through a pooler. */
  readonly session: DirectSession
  /** Changes made by other processes. */
  readonly notifications: Notifications
  /** Opens all connections to PostgreSQL. Throws StoreUnavailable when it does not answer in time. */
  warmUp(): Promise<void>
  close(): Promise<void>
}

/** Statements are cancelled so much earlier than the wait for them ends. */
const STATEMENT_MARGIN_MS = 100
/** PostgreSQL's limit of a statement that runs through a pooler, in milliseconds. */
export const pooledStatementLimitMs = ({ databaseLimitMs }: Config): number => databaseLimitMs - STATEMENT_MARGIN_MS

interface Parts {
  clock?: Clock
  ids?: Ids
  log?: Log
  /** The time limit of statements and transactions; that of requests by default. Workers have a longer one. */
  databaseLimitMs?: number
  /** The application name of the connections to PostgreSQL. */
  applicationName?: string
  /** How long an unused connection to PostgreSQL stays; for ever by default. */
  idleSeconds?: number
  /** Shared with other processes of this machine; one of its own by default. `close` closes it. */
  session?: DirectSession
}

/** Stores connect on first use: a store that is down fails requests, not the start. `parts` replaces single dependencies. */
export function openDeps(config: Config, parts: Parts = {}): Deps {
  const databaseLimitMs = parts.databaseLimitMs ?? config.databaseLimitMs
  const log = parts.log ?? openLog(config.logLevel)
  const database = openDatabase({
    ...routeOf(config, databaseLimitMs),
    replicaMaxLagMs: config.replicaMaxLagMs,
    readConnections: config.databaseConnections,
    writeConnections: config.databaseConnections,
    statementTimeoutMs: databaseLimitMs - STATEMENT_MARGIN_MS,
    waitLimitMs: databaseLimitMs,
    applicationName: parts.applicationName ?? 'hearth',
    idleSeconds: parts.idleSeconds,
    onRetry: (statement, reason) => log.warn({ err: reason, statement }, 'lost a conflict; trying a second time'),
    onReconnect: (host) => log.warn({ host }, 'opening new connections to PostgreSQL'),
    onWakeUpLost: (error) => log.warn({ err: error }, 'wake-ups were not sent; workers find the work by polling'),
    onReplicaChange: (replica) => log.warn(replica, 'the state of a replica changed'),
  })
  const redis = openRedis(config.redisUrl, (error) => log.debug({ err: error }, 'redis'))
  const queues = openQueues(config, (error) => log.debug({ err: error }, 'queues'))
  const session = parts.session ?? openDirectSession(directUrlOf(config))
  const notifications = openNotifications(session, (error) =>
    log.warn(
      { err: error },
      'notifications of other processes do not arrive: until they do, each API key is looked up and caches are read again each second',
    ),
  )
  const restoredCopy = watchRestoredCopy(database.read, notifications, (target) =>
    log.warn(
      { target },
      target === undefined
        ? 'the database was declared the original: work starts'
        : 'the database is a restored copy: it sends nothing and accepts no changes until `hearth restored --original`',
    ),
  )
  database.write.onPrimaryChange(() => session.reconnect())
  return {
    config,
    log,
    clock: parts.clock ?? systemClock,
    ids: parts.ids ?? systemIds,
    read: database.read,
    replicas: database.replicas,
    write: database.write,
    restoredCopy,
    redis,
    queues,
    encryption: openEncryption(config.secret),
    storage: openStorage(config.files),
    session,
    notifications,
    warmUp: () => database.warmUp(),
    close: async () => {
      redis.disconnect()
      await queues.close()
      await session.close()
      await database.close()
    },
  }
}

/** All connections of a pooler have the same statement timeout, so longer work uses connections of its own. */
const routeOf = (config: Config, limitMs: number) =>
  config.databaseDirectUrl !== undefined && limitMs > config.databaseLimitMs
    ? { url: config.databaseDirectUrl }
    : { url: config.databaseUrl, replicaUrls: config.databaseReadUrls, pooler: poolerOf(config) }

/**
 * Memoizes `open` for each set of dependencies, such as a shared cache: `const loaderOf = oncePerDeps(openLoader)`. The
 * value lives as long as the deps, and is opened with them, not with the ctx of the call that came first.
 */
export function oncePerDeps<T>(open: (deps: Deps) => T): (deps: Deps) => T {
  const opened = new WeakMap<Deps, { value: T }>()
  return (ctx) => {
    const deps = rootOf(ctx)
    const existing = opened.get(deps)
    if (existing) return existing.value
    const value = open(deps)
    opened.set(deps, { value })
    return value
  }
}

/** The dependencies that a ctx was made from; themselves, unless they are a ctx. */
export const rootOf = (deps: Deps & { readonly deps?: Deps }): Deps => deps.deps ?? deps
