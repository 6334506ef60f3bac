// Deliveries in the database: planned, claimed, finished, pruned.
import type { Ctx, TxCtx } from '../../ctx.ts'

export interface PlannedDelivery {
  id: number
  endpointId: string
}

/** Inserts deliveries of events in the outbox, except those planned before. */
export const insertDeliveries = (
  ctx: TxCtx,
  { eventIds, now }: { eventIds: readonly string[]; now: Date },
): Promise<PlannedDelivery[]> =>
  ctx.tx.run<PlannedDelivery>(
    'plan_deliveries',
    (sql) => sql`select id, endpoint_id from plan_deliveries(${[...eventIds]}::uuid[], ${now.toISOString()})`,
  )

/** A delivery claimed for an attempt. */
export interface ClaimedDelivery {
  id: number
  endpointId: string
  /** The event's public id. */
  eventId: string
  type: string
  body: string
  traceparent: string | null
  /** The time of the event. */
  eventAt: string
  attempts: number
  round: number
  url: string
  ordered: boolean
  maxRetries: number
  failingSince: string | null
  /** Encrypted: the current one, and the previous one while it still signs. */
  secrets: string[]
}

/**
 * Claims due deliveries: up to `slots` per endpoint id. No other worker claims them before `leaseUntil`, unless this one
 * dies. Returns none when the worker has no lease.
 */
export const claimDeliveries = (
  ctx: Ctx,
  {
    workerId,
    slots,
    now,
    leaseUntil,
  }: { workerId: string; slots: ReadonlyMap<string, number>; now: Date; leaseUntil: Date },
): Promise<ClaimedDelivery[]> =>
  ctx.write.run<ClaimedDelivery>(
    'claim_deliveries',
    (sql) => sql`
      select * from claim_deliveries(${[...slots.keys()]}::uuid[], ${[...slots.values()]}::integer[],
        ${workerId}, ${now.toISOString()}, ${leaseUntil.toISOString()})`,
  )

/** The caller holds the worker's lock. Called again after the session was lost and others deleted the lease. */
export async function insertLease(ctx: Ctx, { workerId, now }: { workerId: string; now: Date }): Promise<void> {
  await ctx.write.run(
    'insertLease',
    (sql) => sql`
      insert into webhook_couriers (id, enlisted_at) values (${workerId}, ${now.toISOString()}) on conflict do nothing`,
  )
}

export async function deleteLease(ctx: Ctx, { workerId }: { workerId: string }): Promise<void> {
  await ctx.write.run('deleteLease', (sql) => sql`delete from webhook_couriers where id = ${workerId}`)
}

/** Makes the deliveries of dead workers due again and returns how many. */
export async function reclaimDeliveries(ctx: Ctx, { now }: { now: Date }): Promise<number> {
  const [row] = await ctx.write.run<{ reclaimed: number }>(
    'free_deliveries',
    (sql) => sql`select free_deliveries(${now.toISOString()}) as reclaimed`,
  )
  return row?.reclaimed ?? 0
}

/** Releases claims that the worker does not know of: committed, but their result was lost on the way. */
export async function releaseUnknownClaims(
  ctx: Ctx,
  { workerId, known, now }: { workerId: string; known: readonly number[]; now: Date },
): Promise<void> {
  await ctx.write.run(
    'releaseUnknownClaims',
    (sql) => sql`
      update webhook_deliveries set courier_id = null, next_attempt_at = ${now.toISOString()}
      where state = 'pending' and courier_id = ${workerId} and next_attempt_at > ${now.toISOString()}
        and id <> all(${[...known]}::bigint[])`,
  )
}

/** Releases claims that the worker will not attempt now. */
export async function releaseClaims(
  ctx: Ctx,
  { workerId, ids, now }: { workerId: string; ids: readonly number[]; now: Date },
): Promise<void> {
  await ctx.write.run(
    'releaseClaims',
    (sql) => sql`
      update webhook_deliveries set courier_id = null, next_attempt_at = ${now.toISOString()}
      where state = 'pending' and courier_id = ${workerId} and id = any(${[...ids]}::bigint[])`,
  )
}

/** The ids of enabled endpoints with due deliveries. */
export async function selectDueEndpoints(ctx: Ctx, { now }: { now: Date }): Promise<string[]> {
  const rows = await ctx.write.run<{ endpointId: string }>(
    'due_endpoints',
    (sql) => sql`
      select d.endpoint_id from due_endpoints(${now.toISOString()}) d
      join webhook_endpoints e on e.id = d.endpoint_id and e.status = 'enabled'`,
  )
  return rows.map(({ endpointId }) => endpointId)
}

export interface AttemptResult {
  id: number
  endpointId: string
  /** Attempts before this one: identifies a result that arrives after the lease ran out. */
  attempts: number
  state: 'delivered' | 'pending' | 'failed'
  at: Date
  nextAttemptAt: Date | null
  durationMs: number
  status: number | null
  error: string | null
  response: string | null
  /** As they were sent; null if nothing was. */
  requestHeaders: Readonly<Record<string, string>> | null
}

export async function finishAttempts(ctx: Ctx, { results }: { results: readonly AttemptResult[] }): Promise<void> {
  await ctx.write.run('finish_attempts', (sql) => sql`select finish_attempts(${JSON.stringify(results)}::text::jsonb)`)
}

export interface DeliveryBacklog {
  /** Due deliveries to endpoints that do not fail, and the age of the oldest. */
  due: number
  oldestSeconds: number
  /** Due deliveries to endpoints whose last attempts failed: they wait for their receivers. */
  dueToFailing: number
  failingEndpoints: number
  enabledEndpoints: number
}

export async function measureBacklog(ctx: Ctx, { now }: { now: Date }): Promise<DeliveryBacklog> {
  const [row] = await ctx.read.run<DeliveryBacklog>(
    'measureBacklog',
    (sql) => sql`
      with due as (
        select e.failing_since is not null as fails, d.next_attempt_at
        from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id and e.status = 'enabled'
        where d.state = 'pending' and d.next_attempt_at <= ${now.toISOString()}
      )
      select (select count(*) from due where not fails)::integer as due,
        coalesce(extract(epoch from ${now.toISOString()}::timestamptz
          - (select min(next_attempt_at) from due where not fails)), 0)::float8 as oldest_seconds,
        (select count(*) from due where fails)::integer as due_to_failing,
        count(*) filter (where failing_since is not null)::integer as failing_endpoints,
        count(*)::integer as enabled_endpoints
      from webhook_endpoints where status = 'enabled'`,
  )
  return row ?? { due: 0, oldestSeconds: 0, dueToFailing: 0, failingEndpoints: 0, enabledEndpoints: 0 }
}

/** Disables an enabled endpoint and fails its pending deliveries. Returns undefined when it was not enabled. */
export async function updateToDisabled(
  ctx: Ctx,
  { endpointId, reason, now }: { endpointId: string; reason: 'by_owner' | 'gone' | 'failing'; now: Date },
): Promise<{ accountId: string; name: string } | undefined> {
  const [row] = await ctx.write.run<{ accountId: string; name: string }>(
    'updateToDisabled',
    (sql) => sql`
      with disabled as (
        update webhook_endpoints set status = 'disabled', disabled_reason = ${reason}, disabled_at = ${now.toISOString()},
          updated_at = ${now.toISOString()}
        where id = ${endpointId} and status = 'enabled' returning id, account_id, name
      ), failed as (
        update webhook_deliveries d set state = 'failed', next_attempt_at = null, finished_at = ${now.toISOString()}
        from disabled where d.endpoint_id = disabled.id and d.state = 'pending'
      )
      select account_id, name from disabled`,
  )
  return row
}
