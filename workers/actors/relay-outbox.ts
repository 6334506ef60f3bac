// The relay: brings committed events out of the outbox, in order per aggregate. Any number may run side by side.
import {
  type Plan,
  type Relayed,
  outboxLag,
  pruneOutbox,
  relayAgain,
  relayBatch,
  stayAwake,
  waitingPartitions,
} from '../../src/features/outbox/verbs.ts'
import { deliveryMessages, planDeliveries } from '../../src/webhooks/delivery/planning.ts'
import { type ActorContext, type Periodic, defineActor } from '../runtime/actor.ts'
import { gaugesOf } from '../runtime/observe.ts'
import { runActor } from '../runtime/process.ts'

/** Partitions that one process works on at once: each takes a connection. */
const AT_ONCE = 4
const MINUTE_MS = 60_000

/** A relay that writes what `plan` says events need. */
export const relayWith = (plan: Plan) =>
  defineActor<{ eventId: string }>({
    name: 'relay-outbox',
    every: [
      // Woken by a commit that writes an event; the clock is for notifications that were lost with a connection.
      { name: 'relay', everyMs: 1000, wokenBy: 'outbox_written', run: relaying(plan) },
      { name: 'prune', everyMs: MINUTE_MS, run: ({ deps }) => pruneOutbox(deps) },
    ],
    // Events that could not be planned come by mail, when their dead letter is tried again.
    handle: ({ data }, { deps }) => relayAgain(deps, data.eventId, plan),
    open: (context) => {
      gaugesOf(context, () => outboxLag(context.deps), {
        waiting: ['hearth_outbox_waiting', 'Events that were not relayed yet'],
        oldestSeconds: ['hearth_outbox_lag_seconds', 'Age of the oldest event that was not relayed yet'],
      })
      relayedBy.set(context.metrics, 0)
      const relayed = () => relayedBy.get(context.metrics) ?? 0
      context.metrics.counter('hearth_outbox_relayed_total', 'Events that this process relayed', relayed)
    },
  })

/** How many events each process that runs this actor has relayed, by its metrics. */
const relayedBy = new WeakMap<ActorContext['metrics'], number>()

/** Above so many events within a window the relay comes round by itself and spares commits the notification. */
const BUSY_EVENTS = 50
const WINDOW_MS = 250
const BUSY_ROUND_MS = 10
/** Said anew with every window. The first commit after a burst may still rely on it, so the relay is up a while longer. */
const AWAKE_MS = 2 * WINDOW_MS
const UP_LONGER_MS = 2 * AWAKE_MS

/** Rounds of one process: how long to rest after each depends on how much there was. */
function relaying(plan: Plan): Periodic['run'] {
  let [windowAtMs, inWindow, awakeUntilMs, upUntilMs] = [0, 0, 0, 0]
  return async (context) => {
    const { relayed, isMore } = await relayAll(context, plan)
    relayedBy.set(context.metrics, (relayedBy.get(context.metrics) ?? 0) + relayed)
    const nowMs = performance.now()
    if (nowMs - windowAtMs > WINDOW_MS) [windowAtMs, inWindow] = [nowMs, 0]
    inWindow += relayed
    if (inWindow >= BUSY_EVENTS && awakeUntilMs - nowMs < AWAKE_MS - WINDOW_MS) {
      await stayAwake(context.deps, AWAKE_MS)
      awakeUntilMs = nowMs + AWAKE_MS
      upUntilMs = nowMs + UP_LONGER_MS
    }
    return isMore || (nowMs < upUntilMs ? BUSY_ROUND_MS : false)
  }
}

/** One batch of every partition in which events wait. */
async function relayAll({ deps, signal }: ActorContext, plan: Plan): Promise<Relayed> {
  const left = await waitingPartitions(deps)
  const all: Relayed = { relayed: 0, isMore: false }
  const relayOn = async () => {
    for (let partition = left.pop(); partition !== undefined && !signal.aborted; partition = left.pop()) {
      const batch = await relayBatch(deps, partition, plan)
      all.relayed += batch.relayed
      all.isMore ||= batch.isMore
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, relayOn))
  return all
}

/** Subscribers are the endpoints of webhooks. */
export const relayOutbox = relayWith(async (tx, { clock }, events) =>
  deliveryMessages(await planDeliveries(tx, events, clock.now())),
)

if (import.meta.main) await runActor(relayOutbox)
