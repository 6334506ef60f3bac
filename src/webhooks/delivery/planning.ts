// Planned deliveries: one per event and endpoint and the message that announces them.
import type { Deps } from '../../deps.ts'
import type { Ctx, TxCtx } from '../../ctx.ts'
import type { NewMessage } from '../../platform/queue/queues.ts'
import { type DeliveryBacklog, type PlannedDelivery, measureBacklog } from './queries.ts'
import { insertDeliveries } from './queries.sql.ts'

export type { DeliveryBacklog }

/**
 * Inserts, in the relay's transaction, a delivery for each enabled endpoint that subscribes to one of the events and whose
 * account created the event's subject or is the pro it is about. The events must still be in the outbox. Planning an event
 * twice changes nothing. Send the {@link deliveryMessages} of the result to the workers.
 */
export const planDeliveries = async (
  ctx: TxCtx,
  { events }: { events: readonly { id: string }[] },
): Promise<PlannedDelivery[]> =>
  events.length === 0 ? [] : await insertDeliveries(ctx, { eventIds: events.map(({ id }) => id), now: ctx.clock.now() })

/** The actor that delivers. */
export const DELIVERY_ACTOR = 'deliver-webhooks'

/** The data of the message: endpoints that may have due deliveries. */
export interface DeliveryMessage {
  endpointIds: string[]
}

/** One message for a batch of planned deliveries: the worker queries the database for the due ones. */
export function deliveryMessages(planned: readonly PlannedDelivery[]): NewMessage[] {
  const [first] = planned
  if (!first) return []
  const data: DeliveryMessage = { endpointIds: [...new Set(planned.map(({ endpointId }) => endpointId))] }
  return [{ id: `from-${first.id}`, data }]
}

/** Sends the delivery actor a message about one endpoint. A lost message delays the delivery by a second: the actor polls. */
export async function notifyDispatcher({ queues, log }: Deps, endpointId: string, id: string): Promise<void> {
  const data: DeliveryMessage = { endpointIds: [endpointId] }
  try {
    await queues.send(DELIVERY_ACTOR, [{ id, data }])
  } catch (error) {
    log.debug({ error: String(error) }, 'failed to notify the delivery actor')
  }
}

/** Throws for data of another shape. */
export function parseDeliveryMessage(data: unknown): DeliveryMessage {
  const endpointIds = typeof data === 'object' && data !== null && 'endpointIds' in data ? data.endpointIds : undefined
  if (!Array.isArray(endpointIds) || !endpointIds.every((id) => typeof id === 'string'))
    throw new Error('A message to the delivery actor must have a list of endpointIds.')
  return { endpointIds }
}

/** The due deliveries, and the endpoints that fail. */
export const deliveryBacklog = (ctx: Ctx) => measureBacklog(ctx, { now: ctx.clock.now() })
