// Handles one message of an actor: trace, key lock, timeout, and the retry or dead letter after a failure.
import { SpanKind, context as traceContext, trace } from '@opentelemetry/api'

import { isStillWanted, recordDeadLetter, resolveDeadLetter } from '../../src/features/upkeep/dead-letters/verbs.ts'
import type { Outcome, ReceivedMessage } from '../../src/platform/queue/queue-consumer.ts'
import { StoreUnavailable } from '../../src/platform/store-error.ts'
import { contextOf, inSpan } from '../../src/platform/telemetry/trace-context.ts'
import { type Actor, type ActorContext, type Message, UnrecoverableError } from './actor.ts'
import { underLock } from './fenced-writes.ts'
import type { KeyedMutex } from './keyed-mutex.ts'
import { ctxOf } from '../../src/ctx.ts'

export type MessageOutcome = 'done' | 'failed' | 'dead' | 'requeued'

export interface HandlerOptions<State> {
  readonly state: State
  readonly mutex: KeyedMutex
  record: (outcome: MessageOutcome, seconds: number) => void
  /** Ends the process: a handler goes on after its timeout. */
  crash: (reason: string) => void
}

/** The pause of a message whose key is locked by another process, or has too many waiters in this one. */
const LOCKED_DELAY_MS = 100
/** The pause of a message that failed because a store is unavailable, which does not count as an attempt. */
const STORE_UNAVAILABLE_DELAY_MS = 1000
/** How long a handler may go on after its signal is aborted. */
const GRACE_MS = 5000

const tracer = trace.getTracer('hearth.actors')

/** Creates the function that receives the queue's messages. It never throws. */
export function createMessageHandler<Data, State>(
  context: ActorContext,
  actor: Actor<Data, State>,
  options: HandlerOptions<State>,
): (received: ReceivedMessage) => Promise<Outcome> {
  return async (received) => {
    const startedMs = performance.now()
    const attributes = {
      'messaging.system': 'bullmq',
      'messaging.destination.name': actor.name,
      'messaging.message.id': received.id,
      'hearth.attempt': received.attempt,
    }
    const outcome = await traceContext.with(contextOf(received.traceparent), async () => {
      try {
        return await inSpan(tracer, `${actor.name} message`, { kind: SpanKind.CONSUMER, attributes }, () =>
          handle(context, actor, received, options),
        )
      } catch (error) {
        return await outcomeOfFailure(context, actor, received, error)
      }
    })
    options.record(labelOf(outcome), (performance.now() - startedMs) / 1000)
    return outcome === 'dead' ? 'done' : outcome
  }
}

const labelOf = (outcome: Outcome | 'dead'): MessageOutcome =>
  typeof outcome === 'string' ? outcome : outcome.isFailure ? 'failed' : 'requeued'

async function handle<Data, State>(
  context: ActorContext,
  actor: Actor<Data, State>,
  received: ReceivedMessage,
  { state, mutex, crash }: HandlerOptions<State>,
): Promise<Outcome> {
  if (received.attempt > actor.retry.attempts)
    throw new UnrecoverableError('The process died during each attempt to handle this message.')
  await context.deps.restoredCopy.refuseChanges()
  const { deadLetterId } = received
  if (deadLetterId !== undefined && !(await isStillWanted(context.ctx, { id: deadLetterId }))) return 'done'
  const message: Message<Data> = { id: received.id, attempt: received.attempt, data: parse(actor, received.data) }
  const key = actor.key?.(message.data)
  const lock = key === undefined ? undefined : await mutex.acquire(key)
  if (key !== undefined && !lock) return { againInMs: LOCKED_DELAY_MS, isFailure: false }
  const timeout = startTimeout(actor.timeoutMs, crash)
  const signals = [timeout.signal, context.signal, ...(lock ? [lock.lost] : [])]
  try {
    await underLock(lock, () => actor.handle?.(message, { ...context, signal: AbortSignal.any(signals) }, state))
  } finally {
    timeout.clear()
    await lock?.release()
  }
  if (deadLetterId !== undefined) await resolveDeadLetter(context.ctx, { id: deadLetterId })
  return 'done'
}

function parse<Data>({ parse: parseData }: Pick<Actor<Data>, 'parse'>, data: unknown): Data {
  try {
    return parseData ? parseData(data) : (data as Data)
  } catch (error) {
    throw new UnrecoverableError('The data of the message is invalid.', { cause: error })
  }
}

/** Aborts `signal` after `timeoutMs`, and crashes the process when the work goes on for {@link GRACE_MS} after that. */
function startTimeout(timeoutMs: number, crash: HandlerOptions<unknown>['crash']) {
  const controller = new AbortController()
  const abort = () => controller.abort(new Error(`The message took longer than ${timeoutMs} ms.`))
  const abortTimer = setTimeout(abort, timeoutMs)
  const crashTimer = setTimeout(() => crash('a message handler goes on after its timeout'), timeoutMs + GRACE_MS)
  const clear = () => {
    clearTimeout(abortTimer)
    clearTimeout(crashTimer)
  }
  return { signal: controller.signal, clear }
}

async function outcomeOfFailure<Data, State>(
  { deps, log, signal }: ActorContext,
  actor: Actor<Data, State>,
  { id, attempt: attempts, data, traceparent, deadLetterId }: ReceivedMessage,
  error: unknown,
): Promise<Outcome | 'dead'> {
  const requeued: Outcome = { againInMs: STORE_UNAVAILABLE_DELAY_MS, isFailure: false }
  if (error instanceof StoreUnavailable || signal.aborted) return requeued
  if (!(error instanceof UnrecoverableError) && attempts < actor.retry.attempts) {
    const againInMs = actor.retry.delayMs(attempts)
    log.warn({ err: error, messageId: id, attempts, againInMs }, 'message failed and will be retried')
    return { againInMs, isFailure: true }
  }
  try {
    const failed = { actor: actor.name, messageId: id, data, traceparent, attempts, error, deadLetterId }
    await recordDeadLetter(ctxOf(deps), failed)
  } catch (storeError) {
    log.error({ err: storeError, messageId: id }, 'failed to store a dead letter')
    return requeued
  }
  log.error({ err: error, messageId: id, attempts }, 'message became a dead letter')
  return 'dead'
}
