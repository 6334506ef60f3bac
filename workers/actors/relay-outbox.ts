// Relays committed events from the outbox, in order per aggregate. Any number of processes may run concurrently.
import {
  type EventPlanner,
  type RelayResult,
  getOutboxLag,
  relayEventAgain,
  relayBatch,
  listWaiting,
} from '../../src/features/upkeep/outbox/verbs.ts'
import { planEventMessages } from '../../src/features/messages/messages/verbs/plan-message.ts'
import { deliveryMessages, planDeliveries } from '../../src/webhooks/delivery/planning.ts'
import { type ActorContext, defineActor } from '../runtime/actor.ts'
import { registerGauges } from '../runtime/actor-metrics.ts'
import { runActor } from '../runtime/process.ts'
import type { TxCtx } from '../../src/ctx.ts'

/** Partitions that one process relays concurrently: each takes a connection. */
const CONCURRENCY = 4

/** A relay that writes what `plan` derives from events. */
export function relayWith(plan: EventPlanner) {
  let relayedTotal = 0
  return defineActor<{ eventId: string }>({
    name: 'relay-outbox',
    periodic: [
      // A notification follows each commit of an event. The interval covers processes that died in between. The task never
      // rests, because it also finds the due work of all others.
      {
        name: 'relay',
        everyMs: 1000,
        wakeOn: 'outbox_written',
        longestRestMs: 0,
        run: async (context) => {
          const { relayed, hasMore } = await relayAll(context, plan)
          relayedTotal += relayed
          return hasMore || (relayed > 0 ? false : 'nothing')
        },
      },
    ],
    // Messages are retried dead letters: events that could not be planned.
    handle: ({ data }, { ctx }) => relayEventAgain(ctx, { eventId: data.eventId, plan }),
    open: (context) => {
      registerGauges(context, () => getOutboxLag(context.ctx), {
        waiting: ['hearth_outbox_waiting', 'Events that were not relayed yet'],
        oldestSeconds: ['hearth_outbox_lag_seconds', 'Age of the oldest event that was not relayed yet'],
      })
      context.metrics.counter('hearth_outbox_relayed_total', 'Events that this process relayed', () => relayedTotal)
    },
  })
}

/** Relays one batch of every partition that has events waiting. */
async function relayAll({ ctx, signal }: ActorContext, plan: EventPlanner): Promise<RelayResult> {
  const partitions = await listWaiting(ctx)
  const all: RelayResult = { relayed: 0, hasMore: false }
  const relayNext = async () => {
    for (let next = partitions.pop(); next !== undefined && !signal.aborted; next = partitions.pop()) {
      const batch = await relayBatch(ctx, { partition: next, plan })
      all.relayed += batch.relayed
      all.hasMore ||= batch.hasMore
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, relayNext))
  return all
}

/** The subscribers are webhook endpoints, and the people whom an event concerns. */
export const planSubscribed: EventPlanner = async (ctx: TxCtx, events) => {
  const now = ctx.clock.now()
  await planEventMessages(ctx, { events, now })
  return deliveryMessages(await planDeliveries(ctx, { events }))
}

export const relayOutbox = relayWith(planSubscribed)

if (import.meta.main) await runActor(relayOutbox)
