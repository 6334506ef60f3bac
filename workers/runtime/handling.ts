// What happens to one message: its trace, its turn, its time, and what becomes of it when the handler fails.
import { SpanKind, context, trace } from '@opentelemetry/api'

import { keepDeadLetter, settleDeadLetter } from '../../src/features/dead-letters/verbs.ts'
import type { Outcome, Received } from '../../src/platform/queue/queue-consumer.ts'
import { StoreUnavailable } from '../../src/platform/postgres/store-error.ts'
import { contextOf, inSpan } from '../../src/platform/telemetry/trace-context.ts'
import { type Actor, type ActorContext, type Message, Undeliverable } from './actor.ts'
import type { Turns } from './keyed-mutex.ts'

export interface Handling {
  /** Without the signal, which each message has of its own. */
  readonly base: Omit<ActorContext, 'signal'>
  readonly turns: Turns
  /** Aborted when the process waits no longer. */
  readonly cutOff: AbortSignal
  /** What became of a message, and how long it took. */
  record: (outcome: 'done' | 'failed' | 'dead' | 'put_back', seconds: number) => void
  /** Ends the process: a message goes on although its time is over. */
  crash: (reason: string) => void
}

/** Another process has the key, or too many wait for it here. */
const NOT_YOUR_TURN_MS = 100
/** A store that is away is no fault of the message: it comes back, and this does not count as an attempt. */
const STORE_AWAY_MS = 1000
/** How long a message may go on after its signal was aborted. */
const GRACE_MS = 5000

const tracer = trace.getTracer('hearth.actors')

/** Makes the function that the mailbox gives messages to. It never throws. */
export function handlingOf<Data>(actor: Actor<Data>, handling: Handling): (received: Received) => Promise<Outcome> {
  return async (received) => {
    const startedMs = performance.now()
    const attributes = {
      'messaging.system': 'bullmq',
      'messaging.destination.name': actor.name,
      'messaging.message.id': received.id,
      'hearth.attempt': received.attempt,
    }
    const outcome = await context.with(contextOf(received.traceparent), async () => {
      try {
        return await inSpan(tracer, `${actor.name} message`, { kind: SpanKind.CONSUMER, attributes }, () =>
          attempt(actor, handling, received),
        )
      } catch (error) {
        return await failed(actor, handling, received, error)
      }
    })
    handling.record(nameOf(outcome), (performance.now() - startedMs) / 1000)
    return outcome === 'dead' ? 'done' : outcome
  }
}

const nameOf = (outcome: Outcome | 'dead') =>
  typeof outcome === 'string' ? outcome : outcome.isFailure ? 'failed' : 'put_back'

async function attempt<Data>(actor: Actor<Data>, handling: Handling, received: Received): Promise<Outcome> {
  const { turns, base } = handling
  if (received.attempt > actor.retry.attempts) throw new Undeliverable('The process died over it each time.')
  const message: Message<Data> = { id: received.id, attempt: received.attempt, data: parsed(actor, received.data) }
  const key = actor.key?.(message.data)
  const turn = key === undefined ? undefined : await turns.take(key)
  if (key !== undefined && !turn) return { againInMs: NOT_YOUR_TURN_MS, isFailure: false }
  try {
    await withinLimit(actor, handling, turn ? [turn.lost] : [], (signal) =>
      actor.handle?.(message, { ...base, signal }),
    )
  } finally {
    await turn?.end()
  }
  if (received.deadLetterId !== undefined) await settleDeadLetter(base.deps, received.deadLetterId)
  return 'done'
}

function parsed<Data>(actor: Actor<Data>, data: unknown): Data {
  try {
    return actor.parse ? actor.parse(data) : (data as Data)
  } catch (error) {
    throw new Undeliverable('It cannot be read.', { cause: error })
  }
}

/** Runs the handler with a signal that says when its time is over; one that does not hear it ends the process. */
async function withinLimit<Data>(
  actor: Actor<Data>,
  { cutOff, crash }: Handling,
  signals: AbortSignal[],
  work: (signal: AbortSignal) => Promise<void> | undefined,
): Promise<void> {
  const limit = new AbortController()
  let grace: Timer | undefined
  const timer = setTimeout(() => {
    limit.abort(new Error(`It took longer than ${actor.limitMs} ms.`))
    grace = setTimeout(() => crash('a message goes on although its time is over'), GRACE_MS)
  }, actor.limitMs)
  try {
    await work(AbortSignal.any([limit.signal, cutOff, ...signals]))
  } finally {
    clearTimeout(timer)
    clearTimeout(grace)
  }
}

/** Again later, or a dead letter. */
async function failed<Data>(
  actor: Actor<Data>,
  { base, cutOff }: Handling,
  received: Received,
  error: unknown,
): Promise<Outcome | 'dead'> {
  const { id, attempt: attempts, data, traceparent } = received
  if (error instanceof StoreUnavailable || cutOff.aborted) return { againInMs: STORE_AWAY_MS, isFailure: false }
  const { log, deps } = base
  if (!(error instanceof Undeliverable) && attempts < actor.retry.attempts) {
    const againInMs = actor.retry.delayMs(attempts)
    log.warn({ err: error, messageId: id, attempts, againInMs }, 'a message is tried again')
    return { againInMs, isFailure: true }
  }
  try {
    await keepDeadLetter(deps, deps.write, { actor: actor.name, messageId: id, data, traceparent, attempts, error })
  } catch (unkept) {
    log.error({ err: unkept, messageId: id }, 'a dead letter could not be kept')
    return { againInMs: STORE_AWAY_MS, isFailure: false }
  }
  log.error({ err: error, messageId: id, attempts }, 'a message is a dead letter')
  return 'dead'
}
