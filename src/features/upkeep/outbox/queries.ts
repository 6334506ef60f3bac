// Rows of outbox_events, as the relay reads and marks them.
import type { DueWork } from '../../../platform/postgres/due-work.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'
import * as statements from './queries.sql.ts'

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
  const rows = await statements.findWaitingPartitions(ctx, { lastPartition: partitions - 1 })
  return rows.map(({ partition }) => partition)
}

/** The partitions with events to relay, and what is due of other work; see sql/functions/due_work.sql. */
export async function findWaitingWork(
  ctx: Ctx,
  { partitions, now }: { partitions: number; now: Date },
): Promise<{ partitions: number[]; due: DueWork[] }> {
  const rows = await statements.findWaitingWork<{ partition: number; work: null } | { partition: null; work: DueWork }>(
    ctx,
    { lastPartition: partitions - 1, now },
  )
  return {
    partitions: rows.flatMap(({ partition }) => partition ?? []),
    due: rows.flatMap(({ work }) => work ?? []),
  }
}

/** Locks a partition until the transaction ends. Returns false when another transaction holds the lock. */
export async function lockPartition(ctx: TxCtx, { partition }: { partition: number }): Promise<boolean> {
  const row = await statements.lockPartition(ctx, { relayLock: RELAY_LOCK, partition })
  return row?.locked ?? false
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
  return statements.selectWaiting<Pick<WaitingEvent, 'data'>>(ctx, { partition, after, pros, perPro, limit })
}

/** Marks exactly these events: an event with a position between them may have been committed after they were read. */
export async function markRelayed(
  ctx: TxCtx,
  { positions, now }: { positions: readonly number[]; now: Date },
): Promise<void> {
  await statements.markRelayed(ctx, { now, positions: `{${positions.join(',')}}` })
}

/** An event, relayed or not. */
export async function findEvent(ctx: TxCtx, { id }: { id: string }): Promise<OutboxEvent | undefined> {
  return await statements.findEvent<Pick<OutboxEvent, 'data'>>(ctx, { id })
}

export interface Lag {
  waiting: number
  oldestSeconds: number
}

/** The number of unrelayed events and the age of the oldest. */
export async function measureLag(ctx: Ctx, { now }: { now: Date }): Promise<Lag> {
  const row = await statements.measureLag(ctx, { now })
  return row ?? { waiting: 0, oldestSeconds: 0 }
}
