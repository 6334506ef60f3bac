// Deliveries in the database: planned, claimed, finished, pruned.
import type { Ctx } from '../../ctx.ts'
import * as statements from './queries.sql.ts'

export interface PlannedDelivery {
  id: number
  endpointId: string
}

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
  /** Encrypted: the previous one while it still signs, and the current one. */
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
  statements.claimDeliveries(ctx, {
    endpointIds: [...slots.keys()],
    counts: [...slots.values()],
    workerId,
    now,
    leaseUntil,
  })

/** Makes the deliveries of dead workers due again and returns how many. */
export async function reclaimDeliveries(ctx: Ctx, { now }: { now: Date }): Promise<number> {
  const row = await statements.freeDeliveries(ctx, { now })
  return row?.reclaimed ?? 0
}

/** The ids of enabled endpoints with due deliveries. */
export async function selectDueEndpoints(ctx: Ctx, { now }: { now: Date }): Promise<string[]> {
  const rows = await statements.dueEndpoints(ctx, { now })
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
  await statements.finishAttempts(ctx, { results: JSON.stringify(results) })
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
  const row = await statements.measureBacklog(ctx, { now })
  return row ?? { due: 0, oldestSeconds: 0, dueToFailing: 0, failingEndpoints: 0, enabledEndpoints: 0 }
}
