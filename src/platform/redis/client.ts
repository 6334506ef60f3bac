// Redis holds counters and queues. Losing it loses no booking, event or credit.
import { Redis } from 'ioredis'

/** A connection that fails fast while Redis is away and reconnects. `onError` receives each failed attempt. */
export function openRedis(url: string, onError: (error: Error) => void): Redis {
  const redis = new Redis(url, {
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    connectTimeout: 2000,
    commandTimeout: 1000,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2000),
  })
  redis.on('error', onError)
  return redis
}
