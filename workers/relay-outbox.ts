// The relay: brings committed events out of the outbox, in order per aggregate. Any number may run side by side.
import {
  type Plan,
  outboxLag,
  pruneOutbox,
  relayAgain,
  relayBatch,
  waitingPartitions,
} from '../src/features/outbox/service.ts'
import { deliveryMessages, planDeliveries } from '../src/features/webhooks/service.ts'
import { type ActorContext, defineActor } from './actor.ts'
import { gaugesOf } from './observe.ts'
import { runActor } from './process.ts'

/** Partitions that one process works on at once: each takes a connection. */
const AT_ONCE = 4
const MINUTE_MS = 60_000

/** A relay that writes what `plan` says events need. */
export const relayWith = (plan: Plan) =>
  defineActor<{ eventId: string }>({
    name: 'relay-outbox',
    every: [
      // Woken by each commit that writes an event; the clock is for notifications that were lost with a connection.
      { name: 'relay', everyMs: 1000, wokenBy: 'outbox_written', run: (context) => relayAll(context, plan) },
      { name: 'prune', everyMs: MINUTE_MS, run: ({ deps }) => pruneOutbox(deps) },
    ],
    // Events that could not be planned come by mail, when their dead letter is tried again.
    handle: ({ data }, { deps }) => relayAgain(deps, data.eventId, plan),
    open: (context) =>
      gaugesOf(context, () => outboxLag(context.deps), {
        waiting: ['hearth_outbox_waiting', 'Events that were not relayed yet'],
        oldestSeconds: ['hearth_outbox_lag_seconds', 'Age of the oldest event that was not relayed yet'],
      }),
  })

/** One batch of every partition in which events wait. True when any may have more. */
async function relayAll({ deps, signal }: ActorContext, plan: Plan): Promise<boolean> {
  const left = await waitingPartitions(deps)
  let isMore = false
  const relayOn = async () => {
    for (let partition = left.pop(); partition !== undefined && !signal.aborted; partition = left.pop())
      if ((await relayBatch(deps, partition, plan)).isMore) isMore = true
  }
  await Promise.all(Array.from({ length: AT_ONCE }, relayOn))
  return isMore
}

/** Subscribers are the endpoints of webhooks. */
export const relayOutbox = relayWith(async (tx, { clock }, events) =>
  deliveryMessages(await planDeliveries(tx, events, clock.now())),
)

if (import.meta.main) await runActor(relayOutbox)
