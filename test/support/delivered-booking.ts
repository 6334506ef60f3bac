// A delivery about a booking of the seed, created on 2026-05-20 at 23:30 UTC.
import type { Deps } from '../../src/deps.ts'

const DELIVERED_AT = '2026-05-20T23:30:00.000Z'

/** Inserts the delivered event `booking.completed` of a booking for the endpoint. Returns the booking's code. */
export async function deliverAboutBooking({ write, ids }: Deps, endpointId: string): Promise<string> {
  const [row] = await write.run<{ code: string }>(
    'deliverAboutBooking',
    (sql) => sql`
      with booking as (select id, confirmation_code from bookings order by id limit 1),
      event as (
        insert into webhook_events (id, type, aggregate_id, body, created_at)
        select ${ids.uuid()}, 'booking.completed', id, '{}', ${DELIVERED_AT} from booking returning id),
      delivery as (
        insert into webhook_deliveries (endpoint_id, event_id, state, finished_at, created_at)
        select ${endpointId}, id, 'delivered', ${DELIVERED_AT}, ${DELIVERED_AT} from event)
      select confirmation_code as code from booking`,
  )
  if (!row) throw new Error('The seed has no bookings.')
  return row.code
}
