// The receiving end of a mailbox: takes messages from BullMQ, hands them over, and does what became of them.
import { DelayedError, type Job, Worker } from 'bullmq'
import { Redis } from 'ioredis'

import { type Envelope, mailboxPrefix, messageId } from './queues.ts'

/** A message as it came. */
export interface Received {
  readonly id: string
  readonly data: unknown
  readonly traceparent: string | null
  /** The dead letter that this is another try of. */
  readonly deadLetterId: string | undefined
  /** Counts from 1, processes that died over it included. */
  readonly attempt: number
}

/** What becomes of a message: it goes, or it comes back after a while, which counts as a failed attempt or does not. */
export type Outcome = 'done' | { readonly againInMs: number; readonly isFailure: boolean }

export interface MailboxOptions {
  redisUrl: string
  databaseUrl: string
  actor: string
  concurrency: number
  receive: (message: Received) => Promise<Outcome>
  /** Hears what goes wrong with the mailbox itself, such as a Redis that is away. */
  onError: (error: Error) => void
}

export interface Mailbox {
  /** How many messages are being handled. */
  inHand(): number
  /** Takes no further message. Resolves when those in hand are done and Redis knows: never, while Redis is away. */
  close(): Promise<void>
  /** Lets go of Redis. */
  disconnect(): void
}

/**
 * A message whose process died comes back when its lock has run out and somebody looks: within the two together. Both are
 * long against a pause of the event loop, after which a message would be handled twice at once.
 */
const LOCK_MS = 6000
const LOOK_FOR_DEAD_EVERY_MS = 2000
/** BullMQ would drop a message after so many deaths; here it is the actor that gives up. */
const NEVER = 1_000_000_000

/** Takes messages until it is closed, through every outage of Redis. */
export function openMailbox(options: MailboxOptions): Mailbox {
  const { actor, databaseUrl, concurrency, receive, onError } = options
  const connection = new Redis(options.redisUrl, {
    maxRetriesPerRequest: null,
    connectTimeout: 2000,
    retryStrategy: (attempt) => Math.min(attempt * 100, 1000),
  })
  connection.on('error', onError)
  let inHand = 0
  const worker = new Worker(
    actor,
    async (job: Job<Envelope>, token) => {
      inHand++
      try {
        await finish(job, token, await receive(received(job)))
      } finally {
        inHand--
      }
    },
    {
      connection,
      prefix: mailboxPrefix(databaseUrl, actor),
      concurrency,
      lockDuration: LOCK_MS,
      stalledInterval: LOOK_FOR_DEAD_EVERY_MS,
      maxStalledCount: NEVER,
      settings: { backoffStrategy: (_attempts, _type, error) => (error instanceof Again ? error.inMs : 1000) },
    },
  )
  worker.on('error', onError)
  return { inHand: () => inHand, close: () => worker.close(), disconnect: () => connection.disconnect() }
}

const received = (job: Job<Envelope>): Received => ({
  id: messageId(job.id ?? ''),
  data: job.data.data,
  traceparent: job.data.traceparent,
  deadLetterId: job.data.deadLetterId,
  attempt: job.attemptsMade + job.stalledCounter + 1,
})

/** The attempt failed; BullMQ counts it and asks how long to wait. */
class Again extends Error {
  override readonly name = 'Again'

  constructor(readonly inMs: number) {
    super('to be tried again')
    // BullMQ keeps stacks in Redis.
    this.stack = ''
  }
}

async function finish(job: Job, token: string | undefined, outcome: Outcome): Promise<void> {
  if (outcome === 'done') return
  if (outcome.isFailure) throw new Again(outcome.againInMs)
  await job.moveToDelayed(Date.now() + outcome.againInMs, token)
  throw new DelayedError()
}
