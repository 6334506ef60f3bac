// Relays committed events from the outbox, in order per aggregate. Any number of processes may run concurrently.
import {
  type EventPlanner,
  type RelayResult,
  getOutboxLag,
  relayEventAgain,
  relayBatch,
  suppressWakeUps,
  listWaitingPartitions,
} from '../../src/features/outbox/verbs.ts'
import { planEventMessages } from '../../src/features/messages/verbs/plan-message.ts'
import { deliveryMessages, planDeliveries } from '../../src/webhooks/delivery/planning.ts'
import { type ActorContext, type PeriodicTask, defineActor } from '../runtime/actor.ts'
import { registerGauges } from '../runtime/actor-metrics.ts'
import { runActor } from '../runtime/process.ts'

/** Partitions that one process relays concurrently: each takes a connection. */
const CONCURRENCY = 4

/** A relay that writes what `plan` derives from events. */
export function relayWith(plan: EventPlanner) {
  let relayedTotal = 0
  return defineActor<{ eventId: string }>({
    name: 'relay-outbox',
    periodic: [
      // A commit that writes an event notifies; the interval covers notifications lost with a connection.
      {
        name: 'relay',
        everyMs: 1000,
        wakeOn: 'outbox_written',
        run: relayTask(plan, (relayed) => (relayedTotal += relayed)),
      },
    ],
    // Messages are retried dead letters: events that could not be planned.
    handle: ({ data }, { deps }) => relayEventAgain(deps, data.eventId, plan),
    open: (context) => {
      registerGauges(context, () => getOutboxLag(context.deps), {
        waiting: ['hearth_outbox_waiting', 'Events that were not relayed yet'],
        oldestSeconds: ['hearth_outbox_lag_seconds', 'Age of the oldest event that was not relayed yet'],
      })
      context.metrics.counter('hearth_outbox_relayed_total', 'Events that this process relayed', () => relayedTotal)
    },
  })
}

/** Above this many events within a window the relay polls, and commits need not notify. */
const BUSY_EVENTS = 50
const WINDOW_MS = 250
const BUSY_PAUSE_MS = 10
/** Announced again in every window. The first commit after a burst may still rely on it, so polling goes on a while longer. */
const AWAKE_MS = 2 * WINDOW_MS
const POLLING_MS = 2 * AWAKE_MS

/** The relay's periodic task: the pause after each run depends on the load. */
function relayTask(plan: EventPlanner, onRelayed: (count: number) => void): PeriodicTask['run'] {
  let [windowAtMs, inWindow, awakeUntilMs, pollUntilMs] = [0, 0, 0, 0]
  return async (context) => {
    const { relayed, hasMore } = await relayAll(context, plan)
    onRelayed(relayed)
    const nowMs = performance.now()
    if (nowMs - windowAtMs > WINDOW_MS) [windowAtMs, inWindow] = [nowMs, 0]
    inWindow += relayed
    if (inWindow >= BUSY_EVENTS && awakeUntilMs - nowMs < AWAKE_MS - WINDOW_MS) {
      await suppressWakeUps(context.deps, AWAKE_MS)
      awakeUntilMs = nowMs + AWAKE_MS
      pollUntilMs = nowMs + POLLING_MS
    }
    return hasMore || (nowMs < pollUntilMs ? BUSY_PAUSE_MS : false)
  }
}

/** Relays one batch of every partition that has events waiting. */
async function relayAll({ deps, signal }: ActorContext, plan: EventPlanner): Promise<RelayResult> {
  const partitions = await listWaitingPartitions(deps)
  const all: RelayResult = { relayed: 0, hasMore: false }
  const relayNext = async () => {
    for (let next = partitions.pop(); next !== undefined && !signal.aborted; next = partitions.pop()) {
      const batch = await relayBatch(deps, next, plan)
      all.relayed += batch.relayed
      all.hasMore ||= batch.hasMore
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, relayNext))
  return all
}

/** The subscribers are webhook endpoints, and the people whom an event concerns. */
export const planSubscribed: EventPlanner = async ({ clock }, tx, events) => {
  const now = clock.now()
  await planEventMessages(tx, events, now)
  return deliveryMessages(await planDeliveries(tx, events, now))
}

export const relayOutbox = relayWith(planSubscribed)

if (import.meta.main) await runActor(relayOutbox)
