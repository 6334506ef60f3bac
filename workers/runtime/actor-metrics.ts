// The metrics of an actor: rate, duration and failures of its work, the depth of its queue, its dead letters.
import { countDeadLetters } from '../../src/features/upkeep/dead-letters/verbs.ts'
import type { Depth } from '../../src/platform/queue/queues.ts'
import type { Actor, ActorContext } from './actor.ts'
import type { MessageOutcome } from './message-handler.ts'
import { ctxOf } from '../../src/ctx.ts'

export interface ActorMetrics {
  recordMessage: (outcome: MessageOutcome, seconds: number) => void
  recordRun: (task: string, outcome: 'done' | 'failed', seconds: number) => void
}

/** Values are read for a collection of metrics, unless they are younger. */
const MAX_AGE_MS = 5000
const DURATION_BOUNDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60]

/** Registers the metrics of an actor. */
export function observeActor<Data, State>(
  { deps, metrics }: ActorContext,
  actor: Pick<Actor<Data, State>, 'name' | 'handle'>,
): ActorMetrics {
  const label = { actor: actor.name }
  const durations = (name: string, description: string) =>
    metrics.meter.createHistogram(name, { description, advice: { explicitBucketBoundaries: DURATION_BOUNDS } })
  const messages = durations('hearth_actor_message_duration_seconds', 'Time to handle a message, by outcome')
  const runs = durations('hearth_actor_round_duration_seconds', 'Time of one run of periodic work')
  // NaN stands for "unknown" in Prometheus: the store was unavailable.
  let depth: Depth | undefined
  let deadLetters = Number.NaN
  const refresh = async () => {
    const [queue, letters] = await Promise.allSettled([
      deps.queues.depth(actor.name),
      countDeadLetters(ctxOf(deps), { actor: actor.name }),
    ])
    depth = queue.status === 'fulfilled' ? queue.value : undefined
    deadLetters = letters.status === 'fulfilled' ? letters.value : Number.NaN
  }
  if (actor.handle) {
    for (const state of ['waiting', 'delayed', 'active'] as const)
      metrics.gauge('hearth_actor_queue_messages', 'Messages in the queue', () => depth?.[state] ?? Number.NaN, {
        ...label,
        state,
      })
    metrics.gauge(
      'hearth_actor_oldest_waiting_seconds',
      'How long the next message has waited',
      () => (depth?.oldestWaitingMs ?? Number.NaN) / 1000,
      label,
    )
    metrics.gauge('hearth_actor_dead_letters', 'Messages that failed for good', () => deadLetters, label)
    metrics.beforeCollection(atMostEvery(MAX_AGE_MS, refresh))
  }
  return {
    recordMessage: (outcome, seconds) => {
      metrics.noteWork()
      messages.record(seconds, { ...label, outcome })
    },
    recordRun: (work, outcome, seconds) => runs.record(seconds, { ...label, work, outcome }),
  }
}

/**
 * Registers gauges of one actor. `read` runs when metrics are collected, unless the values are younger than `maxAgeMs`; they are
 * unknown while it fails. A name that ends in `_total` is registered as a counter.
 */
export function registerGauges<Name extends string>(
  { metrics, log }: ActorContext,
  read: () => Promise<Record<Name, number>>,
  gauges: Record<Name, readonly [name: string, description: string]>,
  maxAgeMs = MAX_AGE_MS,
): void {
  let values: Record<Name, number> | undefined
  const refresh = async () => {
    try {
      values = await read()
    } catch (error) {
      values = undefined
      log.debug({ err: error }, 'failed to read gauges')
    }
  }
  for (const key in gauges) {
    const [name, description] = gauges[key]
    const observe = name.endsWith('_total') ? metrics.counter : metrics.gauge
    observe(name, description, () => values?.[key] ?? Number.NaN)
  }
  metrics.beforeCollection(atMostEvery(maxAgeMs, refresh))
}

/** Calls `read` when the last one began longer ago than `maxAgeMs`. Waits for the one that runs. */
function atMostEvery(maxAgeMs: number, read: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let readMs = -Infinity
  return async () => {
    if (!running && performance.now() - readMs >= maxAgeMs) {
      readMs = performance.now()
      running = read().finally(() => (running = undefined))
    }
    await running
  }
}
