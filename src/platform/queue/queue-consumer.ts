// The receiving side of an actor's BullMQ queue.
import { DelayedError, type Job, Worker } from 'bullmq'

import { connectRedis } from '../redis/address.ts'
import { type Envelope, messageId, queuePrefix } from './queues.ts'

export interface ReceivedMessage {
  readonly id: string
  readonly data: unknown
  readonly traceparent: string | null
  /** The dead letter that this message retries. */
  readonly deadLetterId: string | undefined
  /** Counts from 1, and includes attempts in which the process died. */
  readonly attempt: number
}

/** The result of a message: done, or again after a delay. `isFailure` says whether that counts as a failed attempt. */
export type Outcome = 'done' | { readonly againInMs: number; readonly isFailure: boolean }

export interface QueueConsumerOptions {
  redisUrl: string
  databaseUrl: string
  actor: string
  concurrency: number
  /** Handles a message. Must not throw. */
  receive: (message: ReceivedMessage) => Promise<Outcome>
  /** Receives errors of the queue itself, such as lost connections. */
  onError: (error: Error) => void
}

export interface QueueConsumer {
  /** The number of messages being handled. */
  activeCount(): number
  /** Receives no further message. Resolves when the active ones are acknowledged: never while Redis is away. */
  close(): Promise<void>
  /** Drops the connection to Redis. */
  disconnect(): void
}

/**
 * The message of a dead process returns within the sum of both: its lock expires, and a check finds it. Both are long
 * compared with a pause of the event loop, after which a message would be handled twice at the same time.
 */
const LOCK_MS = 6000
const STALLED_CHECK_MS = 2000
/** The actor gives a message up, not BullMQ. */
const NO_LIMIT = 1_000_000_000

/** Receives messages until it is closed, and reconnects after every outage of Redis. */
export function openQueueConsumer(options: QueueConsumerOptions): QueueConsumer {
  const { actor, databaseUrl, concurrency, receive, onError } = options
  const connection = connectRedis(options.redisUrl, {
    maxRetriesPerRequest: null,
    connectTimeout: 2000,
    retryStrategy: (attempt) => Math.min(attempt * 100, 1000),
  })
  connection.on('error', onError)
  let active = 0
  const worker = new Worker(
    actor,
    async (job: Job<Envelope>, token) => {
      active++
      try {
        await finish(job, token, await receive(messageOf(job)))
      } finally {
        active--
      }
    },
    {
      connection,
      prefix: queuePrefix(databaseUrl, actor),
      concurrency,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_CHECK_MS,
      maxStalledCount: NO_LIMIT,
      settings: { backoffStrategy: (_attempts, _type, error) => (error instanceof RetryLater ? error.inMs : 1000) },
    },
  )
  worker.on('error', onError)
  return { activeCount: () => active, close: () => worker.close(), disconnect: () => connection.disconnect() }
}

const messageOf = (job: Job<Envelope>): ReceivedMessage => ({
  id: messageId(job.id ?? ''),
  data: job.data.data,
  traceparent: job.data.traceparent,
  deadLetterId: job.data.deadLetterId,
  attempt: job.attemptsMade + job.stalledCounter + 1,
})

/** Tells BullMQ that the attempt failed, and how long to wait. */
class RetryLater extends Error {
  override readonly name = 'RetryLater'

  constructor(readonly inMs: number) {
    super('The message is retried later.')
    // BullMQ stores stacks in Redis.
    this.stack = ''
  }
}

async function finish(job: Job, token: string | undefined, outcome: Outcome): Promise<void> {
  if (outcome === 'done') return
  if (outcome.isFailure) throw new RetryLater(outcome.againInMs)
  await job.moveToDelayed(Date.now() + outcome.againInMs, token)
  throw new DelayedError()
}
