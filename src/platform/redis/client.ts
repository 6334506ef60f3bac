// Redis holds counters and queues. Losing it loses no booking, event or credit.
import { once } from 'node:events'

import type { Redis } from 'ioredis'

import { ConfigError } from '../environment.ts'
import { connectRedis } from './address.ts'
import { settlesWithin } from '../clock/deadlines.ts'
import { CLUSTER_CODES, StoreUnavailable, asRedisError, errorCode } from '../store-error.ts'

const CONNECT_LIMIT_MS = 2000

/** Why the last attempt to connect failed. ioredis rejects the commands meanwhile without this reason. */
const lastFailures = new WeakMap<Redis, Error>()

/** A connection that fails fast while Redis is away and reconnects. `onError` receives each failed attempt. */
export function openRedis(url: string, onError: (error: Error) => void): Redis {
  const redis = connectRedis(url, {
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    connectTimeout: CONNECT_LIMIT_MS,
    commandTimeout: 1000,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2000),
  })
  redis.on('error', (error) => {
    lastFailures.set(redis, error)
    onError(error)
  })
  return redis
}

/** Of two slots, so that Redis in cluster mode refuses them. */
const PROBES = ['hearth:probe:a', '', 'hearth:probe:b', '']

/** Checks that Redis accepts writes. Throws {@link StoreUnavailable} with the reason. */
export async function checkRedis(redis: Redis): Promise<void> {
  try {
    await redis.mset(...PROBES)
  } catch (error) {
    if (redis.status === 'ready') throw asRedisError(error)
    const failure = lastFailures.get(redis)
    // Connected, and not refused by Redis: it does not take commands yet.
    const isLoading = redis.status === 'connect' && (failure === undefined || errorCode(failure) !== undefined)
    throw isLoading ? new StoreUnavailable('redis', { code: 'LOADING', cause: error }) : asRedisError(failure ?? error)
  }
}

/** Throws {@link ConfigError} when the URL leads to a cluster, StoreUnavailable when Redis does not answer. */
export async function refuseCluster(url: string): Promise<void> {
  const redis = openRedis(url, () => undefined)
  try {
    if (redis.status !== 'ready') await settlesWithin(once(redis, 'ready'), CONNECT_LIMIT_MS)
    await checkRedis(redis)
  } catch (error) {
    if (!(error instanceof StoreUnavailable) || !CLUSTER_CODES.includes(error.code)) throw error
    throw new ConfigError(
      'REDIS_URL leads to a Redis Cluster, which Hearth does not use: set it to one Redis, or to Sentinels (redis+sentinel://).',
    )
  } finally {
    redis.disconnect()
  }
}
