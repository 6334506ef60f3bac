// Deliveries as their account sees them, test events and replays.
import type { AccountDelivery, Delivery, DeliveryDetail, DeliveryState } from '../schemas.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'

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
  const [row] = await ctx.read.run<{ deliveries: Delivery[]; total: number }>(
    'selectDeliveries',
    (sql) => sql`
      select (
          select count(*) from webhook_deliveries
          where endpoint_id = ${endpointId} and (${state}::text is null or state = ${state}))::integer as total,
        coalesce((
          select json_agg(delivery_object(page.id, false) order by page.id desc)
          from (
            select id from webhook_deliveries
            where endpoint_id = ${endpointId} and (${state}::text is null or state = ${state})
            order by id desc limit ${limit} offset ${offset}
          ) page), '[]') as deliveries`,
  )
  return row ?? { deliveries: [], total: 0 }
}

/** The same for all endpoints of an account, or one, and optionally for one type of event, one day or one subject. */
export async function selectAccountDeliveries(
  ctx: Ctx,
  { accountId, endpointId, type, state, about, day, limit, offset }: { accountId: string } & AccountDeliveriesFilter,
): Promise<{ deliveries: AccountDelivery[]; total: number }> {
  const [row] = await ctx.read.run<{ deliveries: AccountDelivery[]; total: number }>(
    'selectAccountDeliveries',
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
  const [row] = await ctx.read.run<{ delivery: DeliveryDetail }>(
    'findDelivery',
    (sql) => sql`
      select delivery_object(d.id, true) as delivery
      from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
      where d.endpoint_id = ${endpointId} and d.event_id = ${eventId} and e.account_id = ${accountId}`,
  )
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
  await ctx.tx.run(
    'insertTestEvent',
    (sql) => sql`
      with event as (
        insert into webhook_events (id, type, body, traceparent, created_at)
        values (${event.id}, ${event.type},
          webhook_body(${event.id}::uuid, ${event.type}, ${now}, 1,
            jsonb_build_object('object', ${JSON.stringify(event.object)}::text::jsonb)),
          ${event.traceparent}, ${now})
        returning id
      )
      insert into webhook_deliveries (endpoint_id, event_id, next_attempt_at, created_at)
      select ${endpointId}, event.id, ${now}, ${now} from event`,
  )
}

/** Makes a finished delivery due again, with all its retries. Returns whether there was one. */
export async function replayDelivery(
  ctx: TxCtx,
  { endpointId, eventId, now }: { endpointId: string; eventId: string; now: Date },
): Promise<boolean> {
  const rows = await ctx.tx.run(
    'replayDelivery',
    (sql) => sql`
      update webhook_deliveries set state = 'pending', round = 0, next_attempt_at = ${now.toISOString()}, finished_at = null
      where endpoint_id = ${endpointId} and event_id = ${eventId} and state <> 'pending' returning id`,
  )
  return rows.length > 0
}

/** Makes a delivery that waits for its next attempt due now. Returns whether there was one. */
export async function hastenDelivery(
  ctx: Ctx,
  { endpointId, eventId, now }: { endpointId: string; eventId: string; now: Date },
): Promise<boolean> {
  const rows = await ctx.write.run(
    'hastenDelivery',
    (sql) => sql`
      update webhook_deliveries set next_attempt_at = ${now.toISOString()}
      where endpoint_id = ${endpointId} and event_id = ${eventId} and state = 'pending' and courier_id is null
        and next_attempt_at > ${now.toISOString()} returning id`,
  )
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
  const [row] = await ctx.tx.run<{ replayed: number; lastAt: string | null }>(
    'replayRange',
    (sql) => sql`
      with picked as (
        select d.id, v.created_at from webhook_deliveries d join webhook_events v on v.id = d.event_id
        where d.endpoint_id = ${endpointId} and d.state = any (${[...range.states]}::text[])
          and v.created_at >= ${range.from} and v.created_at < ${range.to}
        order by v.created_at, d.id limit ${range.limit} for update of d
      ), replayed as (
        update webhook_deliveries d set state = 'pending', round = 0, next_attempt_at = ${now.toISOString()},
          finished_at = null
        from picked where d.id = picked.id
      )
      select count(*)::integer as replayed, max(created_at) as last_at from picked`,
  )
  return row ?? { replayed: 0, lastAt: null }
}
