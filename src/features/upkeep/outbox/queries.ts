// Rows of outbox_events, as the relay reads and marks them.
import type { DueWork } from '../../../platform/postgres/due-work.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'

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
export async function findWaitingPartitions(ctx: Ctx, { partitions }: { partitions: number }): Promise<number[]> {
  const rows = await ctx.read.run<{ partition: number }>(
    'findWaitingPartitions',
    (sql) => sql`
      select p as partition from generate_series(0, ${partitions - 1}::integer) p
      where exists (select from outbox_events o where o.partition = p and o.relayed_at is null)`,
  )
  return rows.map(({ partition }) => partition)
}

/** The partitions with events to relay, and what is due of other work; see sql/functions/due_work.sql. */
export async function findWaitingWork(
  ctx: Ctx,
  { partitions, now }: { partitions: number; now: Date },
): Promise<{ partitions: number[]; due: DueWork[] }> {
  const rows = await ctx.read.run<{ partition: number; work: null } | { partition: null; work: DueWork }>(
    'findWaitingWork',
    (sql) => sql`
      select p as partition, null as work from generate_series(0, ${partitions - 1}::integer) p
      where exists (select from outbox_events o where o.partition = p and o.relayed_at is null)
      union all
      select null, d.work from due_work(${now.toISOString()}) d`,
  )
  return {
    partitions: rows.flatMap(({ partition }) => partition ?? []),
    due: rows.flatMap(({ work }) => work ?? []),
  }
}

/** Locks a partition until the transaction ends. Returns false when another transaction holds the lock. */
export async function lockPartition(ctx: TxCtx, { partition }: { partition: number }): Promise<boolean> {
  const rows = await ctx.tx.run<{ locked: boolean }>(
    'lockPartition',
    (sql) => sql`select pg_try_advisory_xact_lock(${RELAY_LOCK}, ${partition}) as locked`,
  )
  return rows[0]?.locked ?? false
}

/** An unrelayed event. Its `turn` counts the waiting events of its pro in the partition, the oldest is 1. */
export interface WaitingEvent extends OutboxEvent {
  readonly turn: number
}

/**
 * Unrelayed events of a partition: the oldest of each pro, then the second of each, and so on; `perPro` at most of each of
 * the `pros` pros whose ids follow `after`. Call it in a statement after {@link lockPartition}.
 */
export function selectWaiting(
  ctx: TxCtx,
  {
    partition,
    after,
    pros,
    perPro,
    limit,
  }: Record<'partition' | 'pros' | 'perPro' | 'limit', number> & { after: string },
) {
  return ctx.tx.run<WaitingEvent>(
    'selectWaiting',
    // Walks the index from pro to pro, so that a long queue of one pro costs no more than a short one.
    (sql) => sql`
      with recursive walk (professional_id, place) as (
        (select o.professional_id, 1 from outbox_events o
          where o.partition = ${partition} and o.relayed_at is null and o.professional_id > ${after}
          order by o.professional_id limit 1)
        union all
        select next.professional_id, w.place + 1
        from walk w
        cross join lateral (
          select o.professional_id from outbox_events o
          where o.partition = ${partition} and o.relayed_at is null and o.professional_id > w.professional_id
          order by o.professional_id limit 1
        ) next
        where w.place < ${pros}
      )
      select e.position, e.id, e.type, e.professional_id, e.aggregate_type, e.aggregate_id, e.sequence, e.data,
        e.traceparent, e.created_at, e.turn
      from walk w
      cross join lateral (
        select oldest.*, (row_number() over (order by oldest.position))::integer as turn
        from (
          select * from outbox_events o
          where o.partition = ${partition} and o.relayed_at is null and o.professional_id = w.professional_id
          order by o.position limit ${perPro}
        ) oldest
      ) e
      order by e.turn, e.professional_id limit ${limit}`,
  )
}

/** Marks exactly these events: an event with a position between them may have been committed after they were read. */
export async function markRelayed(
  ctx: TxCtx,
  { positions, now }: { positions: readonly number[]; now: Date },
): Promise<void> {
  await ctx.tx.run(
    'markRelayed',
    // A join finds each row by the primary key even when the statistics of this fast-changing table are stale.
    (sql) => sql`
      update outbox_events o set relayed_at = ${now.toISOString()}
      from unnest(${`{${positions.join(',')}}`}::text::bigint[]) relayed (position)
      where o.position = relayed.position`,
  )
}

/** An event, relayed or not. */
export async function findEvent(ctx: TxCtx, { id }: { id: string }): Promise<OutboxEvent | undefined> {
  const rows = await ctx.tx.run<OutboxEvent>(
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
export async function measureLag(ctx: Ctx, { now }: { now: Date }): Promise<Lag> {
  const rows = await ctx.read.run<Lag>(
    'measureLag',
    (sql) => sql`
      select count(*)::int as waiting,
        coalesce(greatest(0, extract(epoch from ${now.toISOString()}::timestamptz - min(created_at))), 0)::float8
          as oldest_seconds
      from outbox_events where relayed_at is null`,
  )
  return rows[0] ?? { waiting: 0, oldestSeconds: 0 }
}
