// What can be seen of an actor: rate, duration and failures of its work, how full its mailbox is, its dead letters.
import { countOfDeadLetters } from '../../src/features/dead-letters/verbs.ts'
import type { Depth } from '../../src/platform/queue/queues.ts'
import type { Actor, ActorContext } from './actor.ts'

export interface Observed {
  message: (outcome: 'done' | 'failed' | 'dead' | 'put_back', seconds: number) => void
  round: (work: string, outcome: 'done' | 'failed', seconds: number) => void
  close: () => void
}

const LOOK_EVERY_MS = 5000
const DURATION_BOUNDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60]

/** Registers the metrics of an actor. Its mailbox is looked at every few seconds, not at each scrape. */
export function observeActor<Data>(actor: Actor<Data>, { deps, metrics }: ActorContext): Observed {
  const label = { actor: actor.name }
  const durations = (name: string, description: string) =>
    metrics.meter.createHistogram(name, { description, advice: { explicitBucketBoundaries: DURATION_BOUNDS } })
  const messages = durations('hearth_actor_message_duration_seconds', 'Time to handle a message, by what became of it')
  const rounds = durations('hearth_actor_round_duration_seconds', 'Time of a round of periodic work')
  let depth: Depth | undefined
  let deadLetters = Number.NaN
  const look = async () => {
    const [queue, letters] = await Promise.allSettled([
      deps.queues.depth(actor.name),
      countOfDeadLetters(deps, actor.name),
    ])
    depth = queue.status === 'fulfilled' ? queue.value : undefined
    deadLetters = letters.status === 'fulfilled' ? letters.value : Number.NaN
  }
  // NaN is what Prometheus has for "not known": the store was away.
  const timer = actor.handle ? setInterval(() => void look(), LOOK_EVERY_MS) : undefined
  if (actor.handle) {
    for (const state of ['waiting', 'delayed', 'active'] as const)
      metrics.gauge('hearth_actor_queue_messages', 'Messages in the mailbox', () => depth?.[state] ?? Number.NaN, {
        ...label,
        state,
      })
    metrics.gauge(
      'hearth_actor_oldest_waiting_seconds',
      'How long the next message has waited',
      () => (depth?.oldestWaitingMs ?? Number.NaN) / 1000,
      label,
    )
    metrics.gauge('hearth_actor_dead_letters', 'Messages that were given up', () => deadLetters, label)
    void look()
  }
  return {
    message: (outcome, seconds) => messages.record(seconds, { ...label, outcome }),
    round: (work, outcome, seconds) => rounds.record(seconds, { ...label, work, outcome }),
    close: () => clearInterval(timer),
  }
}

/**
 * Gauges of an actor's own: `look` is asked every few seconds, and not at all while nobody can answer. The process ends
 * them. A name that ends in `_total` is a sum that only grows.
 */
export function gaugesOf<Name extends string>(
  { metrics, log, signal }: ActorContext,
  look: () => Promise<Record<Name, number>>,
  gauges: Record<Name, readonly [name: string, description: string]>,
  everyMs = LOOK_EVERY_MS,
): void {
  let seen: Record<Name, number> | undefined
  const refresh = async () => {
    try {
      seen = await look()
    } catch (error) {
      seen = undefined
      log.debug({ err: error }, 'figures are not known')
    }
  }
  for (const key in gauges) {
    const [name, description] = gauges[key]
    const observe = name.endsWith('_total') ? metrics.counter : metrics.gauge
    observe(name, description, () => seen?.[key] ?? Number.NaN)
  }
  const timer = setInterval(() => void refresh(), everyMs)
  signal.addEventListener('abort', () => clearInterval(timer))
  void refresh()
}
