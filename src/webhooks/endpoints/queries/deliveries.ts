// Deliveries as their account sees them, test events and replays.
import type { AccountDelivery, Delivery, DeliveryDetail, DeliveryState } from '../schemas.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'
import { composed, json, number } from '../../../platform/postgres/composed.ts'
import * as statements from './deliveries.sql.ts'

/** A page of an endpoint's deliveries, newest first, with their attempts; and the total number. */
export async function selectDeliveries(
  ctx: Ctx,
  {
    endpointId,
    state,
    limit,
    offset,
  }: { endpointId: string; state: DeliveryState | null; limit: number; offset: number },
): Promise<{ deliveries: Delivery[]; total: number }> {
  const row = await statements.selectDeliveries<{ deliveries: Delivery[] }>(ctx, { endpointId, state, limit, offset })
  return row ?? { deliveries: [], total: 0 }
}

/** The same for all endpoints of an account, or one, and optionally for one type of event, one day or one subject. */
export async function selectAccountDeliveries(
  ctx: Ctx,
  { accountId, endpointId, type, state, about, day, limit, offset }: { accountId: string } & AccountDeliveriesFilter,
): Promise<{ deliveries: AccountDelivery[]; total: number }> {
  const [row] = await composed(
    ctx.read,
    'selectAccountDeliveries',
    { total: number, deliveries: json<AccountDelivery[]>() },
    (sql) => sql`
      with matching as (
        select d.id, e.id as endpoint_id, e.name from webhook_deliveries d
        join webhook_endpoints e on e.id = d.endpoint_id
        where e.account_id = ${accountId} and (${endpointId}::uuid is null or e.id = ${endpointId})
          and (${state}::text is null or d.state = ${state})
          and ${
            type === null
              ? sql`true`
              : sql`exists (select from webhook_events v where v.id = d.event_id and v.type = ${type})`
          }
          and ${
            day === null
              ? sql`true`
              : sql`d.created_at >= ${day}::date::timestamp at time zone 'UTC'
                and d.created_at < (${day}::date + 1)::timestamp at time zone 'UTC'`
          }
          and ${
            about === null
              ? sql`true`
              : sql`d.event_id in (
                select id from webhook_events
                where id = ${about.id}::uuid or aggregate_id = coalesce(${about.id}::uuid,
                  (select id from bookings where confirmation_code = ${about.code}::text)))`
          }
      )
      select (select count(*)::integer from matching) as total,
        coalesce((
          select jsonb_agg(delivery_object(page.id, false)::jsonb
            || jsonb_build_object('endpoint', jsonb_build_object('id', page.endpoint_id, 'name', page.name))
            order by page.id desc)
          from (select * from matching order by id desc limit ${limit} offset ${offset}) page), '[]') as deliveries`,
  )
  return row ?? { deliveries: [], total: 0 }
}

/** One of the two is null. */
export interface DeliverySubject {
  /** Of an event, or of what events are about. */
  id: string | null
  /** Of a booking. */
  code: string | null
}

interface AccountDeliveriesFilter {
  endpointId: string | null
  type: string | null
  state: DeliveryState | null
  about: DeliverySubject | null
  /** In UTC. */
  day: string | null
  limit: number
  offset: number
}

/** One delivery of an endpoint of the account, with its body and responses. */
export async function findDelivery(
  ctx: Ctx,
  { accountId, endpointId, eventId }: { accountId: string; endpointId: string; eventId: string },
): Promise<DeliveryDetail | undefined> {
  const row = await statements.findDelivery<{ delivery: DeliveryDetail }>(ctx, { endpointId, eventId, accountId })
  return row?.delivery
}

/** Inserts an event that belongs to no aggregate, and its delivery to one endpoint. */
export async function insertTestEvent(
  ctx: TxCtx,
  {
    endpointId,
    event,
  }: { endpointId: string; event: { id: string; type: string; object: object; traceparent: string | null; now: Date } },
): Promise<void> {
  const now = event.now.toISOString()
  await statements.insertTestEvent(ctx, {
    id: event.id,
    type: event.type,
    now,
    object: JSON.stringify(event.object),
    traceparent: event.traceparent,
    endpointId,
  })
}

/** Makes a finished delivery due again, with all its retries. Returns whether there was one. */
export async function replayDelivery(
  ctx: TxCtx,
  { endpointId, eventId, now }: { endpointId: string; eventId: string; now: Date },
): Promise<boolean> {
  const rows = await statements.replayDelivery(ctx, { now, endpointId, eventId })
  return rows.length > 0
}

/** Makes a delivery that waits for its next attempt due now. Returns whether there was one. */
export async function hastenDelivery(
  ctx: Ctx,
  { endpointId, eventId, now }: { endpointId: string; eventId: string; now: Date },
): Promise<boolean> {
  const rows = await statements.hastenDelivery(ctx, { now, endpointId, eventId })
  return rows.length > 0
}

/** Replays the events of a period, oldest first, up to `limit`. Returns how many, and the time of the last one. */
export async function replayRange(
  ctx: TxCtx,
  {
    endpointId,
    range,
    now,
  }: { endpointId: string; range: { from: string; to: string; states: readonly string[]; limit: number }; now: Date },
): Promise<{ replayed: number; lastAt: string | null }> {
  const row = await statements.replayRange(ctx, {
    endpointId,
    states: range.states,
    from: range.from,
    to: range.to,
    limit: range.limit,
    now,
  })
  return row ?? { replayed: 0, lastAt: null }
}
