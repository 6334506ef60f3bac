// Delivers webhooks. PostgreSQL holds what is due; a message only names endpoints to check at once.
import { openRest } from '../../src/platform/postgres/due-work.ts'
import { DeliveryDispatcher, POLL_MS } from '../../src/webhooks/delivery/dispatcher.ts'
import { observeDeliveries } from '../../src/webhooks/delivery/metrics.ts'
import {
  type DeliveryMessage,
  DELIVERY_ACTOR,
  deliveryBacklog,
  parseDeliveryMessage,
} from '../../src/webhooks/delivery/planning.ts'
import { defineActor } from '../runtime/actor.ts'
import { registerGauges } from '../runtime/actor-metrics.ts'
import { runActor } from '../runtime/process.ts'

interface Dispatching {
  dispatcher: DeliveryDispatcher
  stop: AbortController
  running: Promise<void>
}

export const deliverWebhooks = defineActor<DeliveryMessage, Dispatching>({
  name: DELIVERY_ACTOR,
  concurrency: 50,
  parse: parseDeliveryMessage,
  open: (context) => {
    const observed = observeDeliveries(context.metrics)
    const dispatcher = new DeliveryDispatcher(context.deps, {
      rest: openRest(context.deps.notifications, { firstMs: POLL_MS, due: 'deliveries' }),
      onAttempt: (timing) => {
        context.metrics.noteWork()
        observed.onAttempt(timing)
      },
    })
    observed.watch(dispatcher)
    registerGauges(context, () => deliveryBacklog(context.ctx), {
      due: [
        'hearth_webhook_deliveries_due',
        'Deliveries that are due and not under way, to endpoints that do not fail',
      ],
      oldestSeconds: ['hearth_webhook_lag_seconds', 'How long the first of them has been due'],
      dueToFailing: ['hearth_webhook_deliveries_due_to_failing', 'The same, to endpoints that fail'],
      enabledEndpoints: ['hearth_webhook_endpoints_enabled', 'Enabled endpoints'],
      failingEndpoints: ['hearth_webhook_endpoints_failing', 'Enabled endpoints whose last attempts failed'],
    })
    const stop = new AbortController()
    return { dispatcher, stop, running: dispatcher.run(AbortSignal.any([stop.signal, context.signal])) }
  },
  handle: ({ data }, _context, { dispatcher }) => {
    dispatcher.notify(data.endpointIds)
    return Promise.resolve()
  },
  // Stops claiming and waits for the attempts in progress. Other workers reclaim those that exceed the deadline.
  close: async (_context, { stop, running }) => {
    stop.abort()
    await running
  },
})

if (import.meta.main) await runActor(deliverWebhooks)
