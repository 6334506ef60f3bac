// The actors' mailboxes, as BullMQ queues. They only carry word of what PostgreSQL knows: losing them loses nothing.
import { Queue } from 'bullmq'
import { Redis } from 'ioredis'

import { StoreUnavailable } from '../postgres/store-error.ts'
import { currentTraceparent } from '../telemetry/trace-context.ts'

/** A message on its way to an actor. */
export interface NewMessage {
  /** While a message with this id is in the mailbox, others with it are ignored. */
  readonly id: string
  readonly data: unknown
  /** It stays out of sight for so long. */
  readonly delayMs?: number
  /** The trace it belongs to, when that is not the active one. */
  readonly traceparent?: string | null
  /** The dead letter that this is another try of. */
  readonly deadLetterId?: string
}

/** How full a mailbox is. */
export interface Depth {
  readonly waiting: number
  readonly delayed: number
  readonly active: number
  /** How long the message that would be handled next has waited. */
  readonly oldestWaitingMs: number
}

export interface Queues {
  /**
   * Puts messages into an actor's mailbox, in this order. Throws {@link StoreUnavailable} when Redis does not take them in
   * time: whoever sends has written down in PostgreSQL what is to be done, and something looks there from time to time.
   */
  send(actor: string, messages: readonly NewMessage[]): Promise<void>
  /** How full an actor's mailbox is. Throws {@link StoreUnavailable}. */
  depth(actor: string): Promise<Depth>
  /** The mailbox as BullMQ has it, for tools that show queues. */
  mailbox(actor: string): Queue
  close(): Promise<void>
}

/** What travels in a job. */
export interface Envelope {
  readonly data: unknown
  readonly traceparent: string | null
  readonly deadLetterId?: string
}

/** More at once would block Redis for everyone. */
const MAX_BULK = 1000
const SEND_LIMIT_MS = 2000

/** Messages are kept apart by database, so that nobody hears of what their PostgreSQL does not hold. One slot per mailbox. */
export const mailboxPrefix = (databaseUrl: string, actor: string): string =>
  `{hearth${new URL(databaseUrl).pathname.replace(/[^\w-]/g, '.')}.${actor}}`

/**
 * How messages are kept: not at all once they are done. They are tried for ever, because it is the actor that decides when
 * one is given up and written to the dead letters.
 */
const KEPT = {
  attempts: 1_000_000_000,
  backoff: { type: 'custom' },
  removeOnComplete: true,
  removeOnFail: true,
} as const

/** Opens nothing until somebody sends. `onError` hears each failed attempt to connect. */
export function openQueues(
  options: { redisUrl: string; databaseUrl: string },
  onError: (error: Error) => void,
): Queues {
  let connection: Redis | undefined
  const queues = new Map<string, Queue>()
  const queueOf = (actor: string): Queue => {
    connection ??= openProducer(options.redisUrl, onError)
    const found =
      queues.get(actor) ?? new Queue(actor, { connection, prefix: mailboxPrefix(options.databaseUrl, actor) })
    if (!queues.has(actor)) found.on('error', onError)
    queues.set(actor, found)
    return found
  }
  return {
    send: async (actor, messages) => {
      for (let start = 0; start < messages.length; start += MAX_BULK) {
        const jobs = messages.slice(start, start + MAX_BULK).map((message) => jobOf(actor, message))
        await inTime(() => queueOf(actor).addBulk(jobs))
      }
    },
    depth: (actor) => inTime(() => depthOf(queueOf(actor))),
    mailbox: queueOf,
    close: async () => {
      await Promise.race([Promise.allSettled([...queues.values()].map((queue) => queue.close())), Bun.sleep(500)])
      connection?.disconnect()
    },
  }
}

/** BullMQ takes neither whole numbers nor colons. */
const jobId = (id: string) => `id.${encodeURIComponent(id)}`

/** The id of a message, from its job's. */
export const messageId = (job: string): string => decodeURIComponent(job.replace(/^id\./, ''))

function jobOf(name: string, message: NewMessage) {
  const { id, data, delayMs, deadLetterId, traceparent = currentTraceparent() } = message
  const envelope: Envelope = { data, traceparent: traceparent ?? null, ...(deadLetterId ? { deadLetterId } : {}) }
  return { name, data: envelope, opts: { ...KEPT, jobId: jobId(id), ...(delayMs ? { delay: delayMs } : {}) } }
}

/** Fails at once while Redis is away: what is sent then is found in PostgreSQL later. */
function openProducer(url: string, onError: (error: Error) => void): Redis {
  const redis = new Redis(url, {
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

/** BullMQ waits for a connection as long as it takes. */
async function inTime<T>(work: () => Promise<T>): Promise<T> {
  let timer: Timer | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('Redis did not answer in time.')), SEND_LIMIT_MS)
  })
  try {
    return await Promise.race([work(), limit])
  } catch (error) {
    throw new StoreUnavailable('redis', { cause: error })
  } finally {
    clearTimeout(timer)
  }
}
