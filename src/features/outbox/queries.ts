// Rows of outbox_events, as the relay reads and marks them.
import type { Runner, Transaction } from '../../platform/postgres/database.ts'

export interface OutboxEvent {
  /** The order of insertion, which is also the order of events within one aggregate. */
  readonly position: number
  readonly id: string
  readonly type: string
  readonly professionalId: string
  readonly aggregateType: string
  readonly aggregateId: string
  readonly sequence: number
  /** `{ object }`: the changed resource as the API shows it. */
  readonly data: { readonly object: unknown }
  readonly traceparent: string | null
  readonly createdAt: string
}

/** The first key of the relay's advisory locks; the partition is the second. */
const RELAY_LOCK = 7_236_816

/** The partitions with events to relay. */
export async function findWaitingPartitions(db: Runner, partitions: number): Promise<number[]> {
  const rows = await db.run<{ partition: number }>(
    'findWaitingPartitions',
    (sql) => sql`
      select p as partition from generate_series(0, ${partitions - 1}::integer) p
      where exists (select from outbox_events o where o.partition = p and o.relayed_at is null)`,
  )
  return rows.map(({ partition }) => partition)
}

/** Locks a partition until the transaction ends. Returns false when another transaction holds the lock. */
export async function lockPartition(tx: Transaction, partition: number): Promise<boolean> {
  const rows = await tx.run<{ locked: boolean }>(
    'lockPartition',
    (sql) => sql`select pg_try_advisory_xact_lock(${RELAY_LOCK}, ${partition}) as locked`,
  )
  return rows[0]?.locked ?? false
}

/** Unrelayed events of a partition, oldest first. Call it in a statement after {@link lockPartition}. */
export function selectWaiting(tx: Transaction, { partition, limit }: { partition: number; limit: number }) {
  return tx.run<OutboxEvent>(
    'selectWaiting',
    (sql) => sql`
      select position, id, type, professional_id, aggregate_type, aggregate_id, sequence, data, traceparent, created_at
      from outbox_events where partition = ${partition} and relayed_at is null
      order by position limit ${limit}`,
  )
}

/** Marks exactly these events: an event with a position between them may have been committed after they were read. */
export async function markRelayed(
  tx: Transaction,
  { positions, now }: { positions: readonly number[]; now: Date },
): Promise<void> {
  await tx.run(
    'markRelayed',
    // A join finds each row by the primary key even when the statistics of this fast-changing table are stale.
    (sql) => sql`
      update outbox_events o set relayed_at = ${now.toISOString()}
      from unnest(${`{${positions.join(',')}}`}::text::bigint[]) relayed (position)
      where o.position = relayed.position`,
  )
}

/** Suppresses wake-ups of the relay for `ms`, by the database's clock, which the notify trigger reads too. */
export async function updateAwakeUntil(db: Runner, ms: number): Promise<void> {
  await db.run(
    'updateAwakeUntil',
    (sql) => sql`update outbox_relay set awake_until = clock_timestamp() + ${ms} * interval '1 millisecond'`,
  )
}

/** An event, relayed or not. */
export async function findEvent(db: Runner, id: string): Promise<OutboxEvent | undefined> {
  const rows = await db.run<OutboxEvent>(
    'findEvent',
    (sql) => sql`
      select position, id, type, professional_id, aggregate_type, aggregate_id, sequence, data, traceparent, created_at
      from outbox_events where id = ${id}`,
  )
  return rows[0]
}

export interface Lag {
  waiting: number
  oldestSeconds: number
}

/** The number of unrelayed events and the age of the oldest. */
export async function measureLag(db: Runner, now: Date): Promise<Lag> {
  const rows = await db.run<Lag>(
    'measureLag',
    (sql) => sql`
      select count(*)::int as waiting,
        coalesce(greatest(0, extract(epoch from ${now.toISOString()}::timestamptz - min(created_at))), 0)::float8
          as oldest_seconds
      from outbox_events where relayed_at is null`,
  )
  return rows[0] ?? { waiting: 0, oldestSeconds: 0 }
}
