// Rows of outbox_events, as the relay sees them.
import type { Runner, Transaction } from '../../platform/postgres/database.ts'

export interface OutboxEvent {
  /** The order of writing; of one aggregate's events it is their order. */
  readonly position: number
  readonly id: string
  readonly type: string
  readonly professionalId: string
  readonly aggregateType: string
  readonly aggregateId: string
  readonly sequence: number
  /** `{ object }`: what changed, as the API shows it. */
  readonly data: { readonly object: unknown }
  readonly traceparent: string | null
  readonly createdAt: string
}

/** The first of two numbers of PostgreSQL's advisory locks; the second is the partition. */
const RELAY_LOCK = 7_236_816

/** The partitions in which events wait. */
export async function findWaitingPartitions(db: Runner, partitions: number): Promise<number[]> {
  const rows = await db.run<{ partition: number }>(
    'findWaitingPartitions',
    (sql) => sql`
      select p as partition from generate_series(0, ${partitions - 1}::integer) p
      where exists (select from outbox_events o where o.partition = p and o.relayed_at is null)`,
  )
  return rows.map(({ partition }) => partition)
}

/** Keeps a partition to this transaction, to its end; false when another one has it. */
export async function lockPartition(tx: Transaction, partition: number): Promise<boolean> {
  const rows = await tx.run<{ locked: boolean }>(
    'lockPartition',
    (sql) => sql`select pg_try_advisory_xact_lock(${RELAY_LOCK}, ${partition}) as locked`,
  )
  return rows[0]?.locked ?? false
}

/** Events of a partition that wait, in the order of writing. Under its lock, in a statement after it. */
export function selectWaiting(tx: Transaction, { partition, limit }: { partition: number; limit: number }) {
  return tx.run<OutboxEvent>(
    'selectWaiting',
    (sql) => sql`
      select position, id, type, professional_id, aggregate_type, aggregate_id, sequence, data, traceparent, created_at
      from outbox_events where partition = ${partition} and relayed_at is null
      order by position limit ${limit}`,
  )
}

/** Marks these and no others: one with a position among them may have been committed after they were read. */
export async function markRelayed(
  tx: Transaction,
  { positions, now }: { positions: readonly number[]; now: Date },
): Promise<void> {
  await tx.run(
    'markRelayed',
    // Joined, so that each is found by the primary key, whatever the planner believes of a table that changes so fast.
    (sql) => sql`
      update outbox_events o set relayed_at = ${now.toISOString()}
      from unnest(${`{${positions.join(',')}}`}::text::bigint[]) relayed (position)
      where o.position = relayed.position`,
  )
}

/** Says that nobody need wake a relay for so long: by the database's clock, which those who would wake it read as well. */
export async function saveAwake(db: Runner, ms: number): Promise<void> {
  await db.run(
    'saveAwake',
    (sql) => sql`update outbox_relay set awake_until = clock_timestamp() + ${ms} * interval '1 millisecond'`,
  )
}

/** An event whatever became of it. */
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

/** How many events wait, and how long the first has. */
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

/** Deletes events that were relayed before `before`, from the oldest on, `limit` at most. Gives how many. */
export async function deleteRelayed(db: Runner, { before, limit }: { before: Date; limit: number }): Promise<number> {
  // Only the oldest rows are looked at: what is not old enough there is not old enough anywhere. Found once and for all in
  // the CTE: a subquery the planner may run again for each row, and with `skip locked` each time with another result.
  const rows = await db.run(
    'deleteRelayed',
    (sql) => sql`
      with oldest as materialized (
        select position from outbox_events order by position limit ${limit} for update skip locked)
      delete from outbox_events where relayed_at < ${before.toISOString()} and position in (select position from oldest)
      returning 1`,
  )
  return rows.length
}
