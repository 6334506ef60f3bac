// SQL of restored copies: what is pending, what is held, and the declaration.
import type { Ctx, TxCtx } from '../../../ctx.ts'

export interface Pending {
  /** Deliveries that are due or wait for a retry. */
  deliveries: number
  /** Events whose deliveries are not planned yet. */
  events: number
  refunds: number
  runs: number
  /** Messages that are due or wait for a retry. */
  messages: number
}

export async function countPending(ctx: Ctx): Promise<Pending> {
  const [row] = await ctx.read.run<Pending>(
    'countPending',
    (sql) => sql`
      select (select count(*)::int from webhook_deliveries where state = 'pending') as deliveries,
        (select count(*)::int from outbox_events where relayed_at is null) as events,
        (select count(*)::int from payment_refunds where status <> 'done') as refunds,
        (select count(*)::int from agent_runs where status in ('queued', 'running')) as runs,
        (select count(*)::int from messages where status = 'pending' and send_at <= now()) as messages`,
  )
  if (!row) throw new Error('The database returned no row.')
  return row
}

/** Deliveries of an endpoint that were pending when the copy became the original, and were not sent since. */
export interface HeldDeliveries {
  endpointId: string
  url: string
  deliveries: number
  /** The times of their first and last event. */
  from: string
  to: string
}

export const selectHeld = (ctx: Ctx): Promise<HeldDeliveries[]> =>
  ctx.read.run<HeldDeliveries>(
    'selectHeld',
    (sql) => sql`
      select d.endpoint_id, e.url, count(*)::int as deliveries, iso_instant(min(v.created_at)) as from,
        iso_instant(max(v.created_at)) as to
      from restorations r
      join webhook_deliveries d on d.state = 'failed' and d.finished_at = r.declared_at
      join webhook_endpoints e on e.id = d.endpoint_id
      join webhook_events v on v.id = d.event_id
      group by d.endpoint_id, e.url order by min(v.created_at)`,
  )

/** Declares the copy the original. Returns the instant; undefined for an original. */
export async function insertRestoration(ctx: TxCtx): Promise<string | undefined> {
  const [row] = await ctx.tx.run<{ declaredAt: string }>(
    'insertRestoration',
    (sql) => sql`
      insert into restorations (target) select t from restored_copy() t where t is not null
      on conflict do nothing returning declared_at::text, ask_wake_up('original_declared', '')::text`,
  )
  return row?.declaredAt
}

/** Plans the deliveries and messages of all events that were not relayed. */
export async function relayAll(ctx: TxCtx, { at }: { at: string }): Promise<void> {
  await ctx.tx.run(
    'relayAll',
    (sql) => sql`
      with events as (
        update outbox_events set relayed_at = ${at} where relayed_at is null returning id, position
      ), relayed as (
        select array_agg(id order by position) as ids from events
      )
      select plan_messages(ids, ${at}), (select count(*) from plan_deliveries(ids, ${at})) from relayed`,
  )
}

/** Ends all messages that are due; those of later keep their time. Returns how many. */
export async function holdMessages(ctx: TxCtx, { at, reason }: { at: string; reason: string }): Promise<number> {
  const held = await ctx.tx.run(
    'holdMessages',
    (sql) => sql`
      update messages set status = 'failed', outcome = ${reason}, next_attempt_at = null, finished_at = ${at}
      where status = 'pending' and send_at <= ${at} returning 1`,
  )
  return held.length
}

/** Makes the held messages due again. Returns how many. */
export async function releaseHeldMessages(ctx: TxCtx, { now }: { now: Date }): Promise<number> {
  const released = await ctx.tx.run(
    'releaseHeldMessages',
    (sql) => sql`
      update messages m set status = 'pending', next_attempt_at = ${now.toISOString()}, finished_at = null
      from restorations r where m.status = 'failed' and m.finished_at = r.declared_at returning 1`,
  )
  return released.length
}

/** Messages that were due when the copy became the original, and were not sent since. */
export async function countHeldMessages(ctx: Ctx): Promise<number> {
  const [row] = await ctx.read.run<{ held: number }>(
    'countHeldMessages',
    (sql) => sql`
      select count(*)::int as held from restorations r
      join messages m on m.status = 'failed' and m.finished_at = r.declared_at`,
  )
  return row?.held ?? 0
}

/** Ends all pending deliveries with an attempt that says why. Returns how many. */
export async function holdDeliveries(ctx: TxCtx, { at, reason }: { at: string; reason: string }): Promise<number> {
  const held = await ctx.tx.run(
    'holdDeliveries',
    (sql) => sql`
      with held as (
        update webhook_deliveries
        set state = 'failed', attempts = attempts + 1, next_attempt_at = null, finished_at = ${at}, courier_id = null
        where state = 'pending' returning id, attempts
      )
      insert into webhook_attempts (delivery_id, number, at, duration_ms, error)
      select id, attempts, ${at}, 0, ${reason} from held returning 1`,
  )
  return held.length
}

/** Makes the held deliveries due again, with all their retries. Returns how many. */
export async function releaseHeld(ctx: TxCtx, { now }: { now: Date }): Promise<number> {
  const released = await ctx.tx.run(
    'releaseHeld',
    (sql) => sql`
      update webhook_deliveries d set state = 'pending', round = 0, next_attempt_at = ${now.toISOString()},
        finished_at = null
      from restorations r
      where d.state = 'failed' and d.finished_at = r.declared_at returning 1`,
  )
  return released.length
}
