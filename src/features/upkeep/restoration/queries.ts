// SQL of restored copies: what is pending, what is held, and the declaration.
import type { Ctx, TxCtx } from '../../../ctx.ts'
import * as statements from './queries.sql.ts'

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
  const row = await statements.countPending(ctx)
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

/** Declares the copy the original. Returns the instant; undefined for an original. */
export async function insertRestoration(ctx: TxCtx): Promise<string | undefined> {
  const row = await statements.insertRestoration(ctx)
  return row?.declaredAt
}

/** Ends all messages that are due; those of later keep their time. Returns how many. */
export async function holdMessages(ctx: TxCtx, { at, reason }: { at: string; reason: string }): Promise<number> {
  const held = await statements.holdMessages(ctx, { reason, at })
  return held.length
}

/** Makes the held messages due again. Returns how many. */
export async function releaseHeldMessages(ctx: TxCtx, { now }: { now: Date }): Promise<number> {
  const released = await statements.releaseHeldMessages(ctx, { now })
  return released.length
}

/** Messages that were due when the copy became the original, and were not sent since. */
export async function countHeldMessages(ctx: Ctx): Promise<number> {
  const row = await statements.countHeldMessages(ctx)
  return row?.held ?? 0
}

/** Ends all pending deliveries with an attempt that says why. Returns how many. */
export async function holdDeliveries(ctx: TxCtx, { at, reason }: { at: string; reason: string }): Promise<number> {
  const held = await statements.holdDeliveries(ctx, { at, reason })
  return held.length
}

/** Makes the held deliveries due again, with all their retries. Returns how many. */
export async function releaseHeld(ctx: TxCtx, { now }: { now: Date }): Promise<number> {
  const released = await statements.releaseHeld(ctx, { now })
  return released.length
}
