// Writes events to the outbox, in the transaction of the change.
import type { Runner } from '../postgres/database.ts'
import { currentTraceparent } from '../telemetry/trace-context.ts'

/** An event about one aggregate. `object` is the aggregate as the API returns it. */
export interface NewEvent {
  id: string
  type: string
  professionalId: string
  aggregateType: string
  aggregateId: string
  /** Counts the events of one aggregate from 1. Comes from the row that the change updated. */
  sequence: number
  object: unknown
  createdAt: Date
}

/** Writes the event with the active trace. */
export async function emit(tx: Runner, event: NewEvent): Promise<void> {
  await tx.run(
    'emit_event',
    (sql) => sql`
      select emit_event(${event.id}, ${event.type}, ${event.professionalId}, ${event.aggregateType},
        ${event.aggregateId}, ${event.sequence}, ${JSON.stringify(event.object)}::text::jsonb,
        ${currentTraceparent() ?? null}, ${event.createdAt.toISOString()})`,
  )
}
