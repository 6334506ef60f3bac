// Deliveries on their way: planned, claimed, finished.
import type { Runner } from '../../platform/postgres/database.ts'

export interface Planned {
  id: number
  endpointId: string
}

/** Writes deliveries of events that are in the outbox. Those planned before are not planned again. */
export const planEvents = (tx: Runner, eventIds: readonly string[], now: Date): Promise<Planned[]> =>
  tx.run<Planned>(
    'plan_deliveries',
    (sql) => sql`select id, endpoint_id from plan_deliveries(${[...eventIds]}::uuid[], ${now.toISOString()})`,
  )

/** A delivery taken for an attempt, with all that it needs. */
export interface Claimed {
  id: number
  endpointId: string
  /** As receivers know it. */
  eventId: string
  type: string
  body: string
  traceparent: string | null
  /** When the event happened. */
  eventAt: string
  attempts: number
  round: number
  url: string
  ordered: boolean
  maxRetries: number
  failingSince: string | null
  /** Sealed: the present one, and the one before while it still signs. */
  secrets: string[]
}

/**
 * Takes due deliveries: up to `room[n]` of `endpointIds[n]`. Nobody else takes them before `leaseUntil`, unless the courier
 * dies. None while the courier is not enlisted.
 */
export const claimDeliveries = (
  db: Runner,
  courierId: string,
  wanted: { endpointIds: readonly string[]; room: readonly number[] },
  now: Date,
  leaseUntil: Date,
): Promise<Claimed[]> =>
  db.run<Claimed>(
    'claim_deliveries',
    (sql) => sql`
      select * from claim_deliveries(${[...wanted.endpointIds]}::uuid[], ${[...wanted.room]}::integer[],
        ${courierId}, ${now.toISOString()}, ${leaseUntil.toISOString()})`,
  )

/** Whoever does this holds the lock of the courier. Again after its session was lost and others found it dead. */
export async function insertCourier(db: Runner, courierId: string, now: Date): Promise<void> {
  await db.run(
    'insertCourier',
    (sql) => sql`
      insert into webhook_couriers (id, enlisted_at) values (${courierId}, ${now.toISOString()}) on conflict do nothing`,
  )
}

export async function deleteCourier(db: Runner, courierId: string): Promise<void> {
  await db.run('deleteCourier', (sql) => sql`delete from webhook_couriers where id = ${courierId}`)
}

/** Brings up again what dead couriers had in hand, and answers how many deliveries that were. */
export async function freeDeliveries(db: Runner, now: Date): Promise<number> {
  const [row] = await db.run<{ freed: number }>(
    'free_deliveries',
    (sql) => sql`select free_deliveries(${now.toISOString()}) as freed`,
  )
  return row?.freed ?? 0
}

/** Gives back what the courier has taken without knowing: a claim was committed, and the answer was lost. */
export async function giveBackUnknown(
  db: Runner,
  courierId: string,
  inHand: readonly number[],
  now: Date,
): Promise<void> {
  await db.run(
    'giveBackUnknown',
    (sql) => sql`
      update webhook_deliveries set courier_id = null, next_attempt_at = ${now.toISOString()}
      where state = 'pending' and courier_id = ${courierId} and next_attempt_at > ${now.toISOString()}
        and id <> all(${[...inHand]}::bigint[])`,
  )
}

/** Gives back what the courier has taken and will not attempt now. */
export async function giveBack(db: Runner, courierId: string, ids: readonly number[], now: Date): Promise<void> {
  await db.run(
    'giveBack',
    (sql) => sql`
      update webhook_deliveries set courier_id = null, next_attempt_at = ${now.toISOString()}
      where state = 'pending' and courier_id = ${courierId} and id = any(${[...ids]}::bigint[])`,
  )
}

/** Endpoints that have something due. */
export async function selectDueEndpoints(db: Runner, now: Date): Promise<string[]> {
  const rows = await db.run<{ endpointId: string }>(
    'due_endpoints',
    (sql) => sql`
      select d.endpoint_id from due_endpoints(${now.toISOString()}) d
      join webhook_endpoints e on e.id = d.endpoint_id and e.status = 'enabled'`,
  )
  return rows.map(({ endpointId }) => endpointId)
}

/** What came of an attempt. */
export interface Finished {
  id: number
  endpointId: string
  /** Attempts before this one: tells a result that comes too late from the one that counts. */
  attempts: number
  state: 'delivered' | 'pending' | 'failed'
  at: Date
  nextAttemptAt: Date | null
  durationMs: number
  status: number | null
  error: string | null
  response: string | null
}

export async function finishAttempts(db: Runner, results: readonly Finished[]): Promise<void> {
  await db.run('finish_attempts', (sql) => sql`select finish_attempts(${JSON.stringify(results)}::text::jsonb)`)
}

/** Removes events, with their deliveries and attempts, that are older than `before` and wait for nothing. */
export async function pruneEvents(db: Runner, before: Date, limit: number): Promise<number> {
  const rows = await db.run(
    'pruneEvents',
    (sql) => sql`
      delete from webhook_events v where v.id in (
        select o.id from webhook_events o
        where o.created_at < ${before.toISOString()}
          and not exists (select from webhook_deliveries d where d.event_id = o.id and d.state = 'pending')
        order by o.created_at limit ${limit})
      returning v.id`,
  )
  return rows.length
}

/** How many are due, and for how long the longest has been. */
export async function measureBacklog(db: Runner, now: Date): Promise<{ due: number; oldestSeconds: number }> {
  const [row] = await db.run<{ due: number; oldestSeconds: number }>(
    'measureBacklog',
    (sql) => sql`
      select count(*)::integer as due,
        coalesce(extract(epoch from ${now.toISOString()}::timestamptz - min(d.next_attempt_at)), 0)::float8 as oldest_seconds
      from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id and e.status = 'enabled'
      where d.state = 'pending' and d.next_attempt_at <= ${now.toISOString()}`,
  )
  return row ?? { due: 0, oldestSeconds: 0 }
}
