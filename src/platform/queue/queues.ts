// The sending side of the actors' BullMQ queues. They only carry references to rows in PostgreSQL: losing them loses no work.
import { Queue } from 'bullmq'
import type { Redis } from 'ioredis'

import { settlesWithin, withDeadline } from '../clock/deadlines.ts'
import { databasePath } from '../postgres/address.ts'
import { connectRedis } from '../redis/address.ts'
import { asRedisError, StoreUnavailable } from '../store-error.ts'
import { currentTraceparent } from '../telemetry/trace-context.ts'

export interface NewMessage {
  /** While a message with this id is in the queue, further ones are ignored. */
  readonly id: string
  readonly data: unknown
  readonly delayMs?: number
  /** The trace it belongs to, if not the active one. */
  readonly traceparent?: string | null
  /** The dead letter that this message retries. */
  readonly deadLetterId?: string
}

/** The number of messages in a queue, by state. */
export interface Depth {
  readonly waiting: number
  readonly delayed: number
  readonly active: number
  /** How long the next message has waited. */
  readonly oldestWaitingMs: number
}

export interface Queues {
  /**
   * Adds messages to an actor's queue, in this order. Throws {@link StoreUnavailable} if Redis does not accept them in time:
   * the work is recorded in PostgreSQL, which the actor polls from time to time.
   */
  send(actor: string, messages: readonly NewMessage[]): Promise<void>
  /** Throws {@link StoreUnavailable}. */
  depth(actor: string): Promise<Depth>
  /** BullMQ's own object, for tools that show queues. */
  queue(actor: string): Queue
  close(): Promise<void>
}

/** The data of a job. */
export interface Envelope {
  readonly data: unknown
  readonly traceparent: string | null
  readonly deadLetterId?: string
}

/** A larger batch would block Redis for others. */
const MAX_BULK = 1000
const REDIS_LIMIT_MS = 2000
const CLOSE_LIMIT_MS = 500

/**
 * Separate queues for each database, so that an actor never receives messages about rows that its PostgreSQL does not have.
 * The braces keep the keys of a queue in one slot of a Redis cluster.
 */
export const queuePrefix = (databaseUrl: string, actor: string): string =>
  `{hearth${databasePath(databaseUrl).replace(/[^\w-]/g, '.')}.${actor}}`

/** Finished jobs are removed. Retries are unlimited here, because the actor decides when a message becomes a dead letter. */
const JOB_OPTIONS = {
  attempts: 1_000_000_000,
  backoff: { type: 'custom' },
  removeOnComplete: true,
  removeOnFail: true,
} as const

/** Connects on first use. `onError` receives each failed attempt to connect. */
export function openQueues(
  options: { redisUrl: string; databaseUrl: string },
  onError: (error: Error) => void,
): Queues {
  let connection: Redis | undefined
  const queues = new Map<string, Queue>()
  const queueOf = (actor: string): Queue => {
    const existing = queues.get(actor)
    if (existing) return existing
    connection ??= openProducer(options.redisUrl, onError)
    const queue = new Queue(actor, { connection, prefix: queuePrefix(options.databaseUrl, actor) })
    queue.on('error', onError)
    queues.set(actor, queue)
    return queue
  }
  return {
    send: async (actor, messages) => {
      for (let start = 0; start < messages.length; start += MAX_BULK) {
        const jobs = messages.slice(start, start + MAX_BULK).map((message) => jobOf(actor, message))
        await withRedis(() => queueOf(actor).addBulk(jobs))
      }
    },
    depth: (actor) => withRedis(() => depthOf(queueOf(actor))),
    queue: queueOf,
    close: async () => {
      const closing = Promise.all(Array.from(queues.values(), (queue) => queue.close()))
      await settlesWithin(closing, CLOSE_LIMIT_MS, (error) => onError(error as Error))
      connection?.disconnect()
    },
  }
}

/** BullMQ accepts neither integers nor colons as ids. */
const jobId = (id: string) => `id.${encodeURIComponent(id)}`

/** The message id of a job id. */
export const messageId = (job: string): string => decodeURIComponent(job.replace(/^id\./, ''))

function jobOf(name: string, message: NewMessage) {
  const { id, data, delayMs, deadLetterId, traceparent = currentTraceparent() } = message
  const envelope: Envelope = { data, traceparent: traceparent ?? null, ...(deadLetterId ? { deadLetterId } : {}) }
  return { name, data: envelope, opts: { ...JOB_OPTIONS, jobId: jobId(id), ...(delayMs ? { delay: delayMs } : {}) } }
}

/** Fails at once while Redis is unavailable. The actors find the work in PostgreSQL later. */
function openProducer(url: string, onError: (error: Error) => void): Redis {
  const redis = connectRedis(url, {
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    connectTimeout: 2000,
    retryStrategy: (attempt) => Math.min(attempt * 100, 1000),
  })
  redis.on('error', onError)
  return redis
}

async function depthOf(queue: Queue): Promise<Depth> {
  const [counts, waiting] = await Promise.all([
    queue.getJobCounts('waiting', 'delayed', 'active'),
    queue.getJobs(['waiting'], 0, 0, true),
  ])
  const oldest = waiting[0]
  return {
    waiting: counts['waiting'] ?? 0,
    delayed: counts['delayed'] ?? 0,
    active: counts['active'] ?? 0,
    oldestWaitingMs: oldest ? Math.max(0, Date.now() - oldest.timestamp - oldest.delay) : 0,
  }
}

/** BullMQ itself waits for a connection without limit. */
async function withRedis<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await withDeadline(work(), REDIS_LIMIT_MS, () => new StoreUnavailable('redis'))
  } catch (error) {
    throw error instanceof StoreUnavailable ? error : asRedisError(error)
  }
}
