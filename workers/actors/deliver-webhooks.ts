// Delivers webhooks. What is due stands in PostgreSQL; messages only say for which endpoints to look at once.
import { Courier } from '../../src/webhooks/delivery/dispatcher.ts'
import { observeDeliveries } from '../../src/webhooks/delivery/metrics.ts'
import {
  type DeliveryNotice,
  DELIVERING_ACTOR,
  deliveryBacklog,
  parseNotice,
  pruneDeliveries,
} from '../../src/webhooks/delivery/planning.ts'
import { type ActorContext, defineActor } from '../runtime/actor.ts'
import { gaugesOf } from '../runtime/observe.ts'
import { runActor } from '../runtime/process.ts'

const MINUTE_MS = 60_000

/** The courier of each process that runs this actor, by its metrics: there is one of them per process. */
interface AtWork {
  courier: Courier
  stop: AbortController
  running: Promise<void>
}
const atWork = new WeakMap<ActorContext['metrics'], AtWork>()

export const deliverWebhooks = defineActor<DeliveryNotice>({
  name: DELIVERING_ACTOR,
  concurrency: 50,
  parse: parseNotice,
  open: (context) => {
    const observed = observeDeliveries(context.metrics)
    const courier = new Courier(context.deps, { onAttempt: observed.onAttempt })
    observed.watch(courier)
    gaugesOf(context, () => deliveryBacklog(context.deps), {
      due: ['hearth_webhook_deliveries_due', 'Deliveries that are due and not under way'],
      oldestSeconds: ['hearth_webhook_lag_seconds', 'How long the first of them has been due'],
    })
    const stop = new AbortController()
    const running = courier.run(AbortSignal.any([stop.signal, context.signal]))
    atWork.set(context.metrics, { courier, stop, running })
  },
  handle: ({ data }, { metrics }) => {
    atWork.get(metrics)?.courier.notice(data.endpointIds)
    return Promise.resolve()
  },
  every: [{ name: 'prune', everyMs: MINUTE_MS, run: ({ deps }) => pruneDeliveries(deps) }],
  // Takes nothing more, and lets the attempts under way end; what does not end in time comes up again by itself.
  close: async ({ metrics }) => {
    const work = atWork.get(metrics)
    work?.stop.abort()
    await work?.running
  },
})

if (import.meta.main) await runActor(deliverWebhooks)
