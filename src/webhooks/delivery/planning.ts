// Planned deliveries: one for each event and endpoint, the message that announces them, and their retention.
import type { Deps } from '../../deps.ts'
import type { Runner } from '../../platform/postgres/database.ts'
import type { NewMessage } from '../../platform/queue/queues.ts'
import { type Planned, measureBacklog, planEvents, pruneEvents } from './queries.ts'

/** How long events can be replayed. */
const KEPT_DAYS = 30
const PRUNED_AT_ONCE = 1000

/**
 * Writes, in the relay's transaction, a delivery for each enabled endpoint that subscribes to one of the events and whose
 * account made what the event is about, or is the pro it is about. Events must still be in the outbox. Planning an event
 * twice changes nothing. {@link deliveryMessages} makes words for the workers of what it answers.
 */
export const planDeliveries = async (tx: Runner, events: readonly { id: string }[], now: Date): Promise<Planned[]> =>
  events.length === 0
    ? []
    : await planEvents(
        tx,
        events.map(({ id }) => id),
        now,
      )

/** The actor that delivers. */
export const DELIVERING_ACTOR = 'deliver-webhooks'

/** What a message to the delivering actor says: something may be due for these endpoints. */
export interface DeliveryNotice {
  endpointIds: string[]
}

/** One message for a batch of planned deliveries: the worker looks in the database what exactly is due. */
export function deliveryMessages(planned: readonly Planned[]): NewMessage[] {
  const [first] = planned
  if (!first) return []
  const data: DeliveryNotice = { endpointIds: [...new Set(planned.map(({ endpointId }) => endpointId))] }
  return [{ id: `from-${first.id}`, data }]
}

/** Reads a message. Throws for one that is none. */
export function parseNotice(data: unknown): DeliveryNotice {
  const endpointIds = typeof data === 'object' && data !== null && 'endpointIds' in data ? data.endpointIds : undefined
  if (!Array.isArray(endpointIds) || !endpointIds.every((id) => typeof id === 'string'))
    throw new Error('A message to the delivering actor names no endpoints.')
  return { endpointIds }
}

/** How far delivering is behind. */
export const deliveryBacklog = ({ read, clock }: Deps) => measureBacklog(read, clock.now())

/** Deletes what was sent a month ago, a batch at a time. True: there may be more. */
export async function pruneDeliveries({ write, clock }: Deps): Promise<boolean> {
  const before = new Date(clock.now().getTime() - KEPT_DAYS * 86_400_000)
  return (await pruneEvents(write, before, PRUNED_AT_ONCE)) === PRUNED_AT_ONCE
}
