// Redis holds counters and queues. Losing it loses no booking, event or credit.
import { Redis } from 'ioredis'

import { StoreUnavailable, asRedisError, errorCode } from '../store-error.ts'

/** Why the last attempt to connect failed. ioredis rejects the commands meanwhile without this reason. */
const lastFailures = new WeakMap<Redis, Error>()

/** A connection that fails fast while Redis is away and reconnects. `onError` receives each failed attempt. */
export function openRedis(url: string, onError: (error: Error) => void): Redis {
  const redis = new Redis(url, {
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    connectTimeout: 2000,
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
