// A copy of the database that was restored from a backup: its state, and how an operator declares it the original.
import type { Ctx } from '../../../ctx.ts'
import {
  type HeldDeliveries,
  type Pending,
  countHeldMessages,
  countPending,
  holdDeliveries,
  holdMessages,
  insertRestoration,
  releaseHeld,
  releaseHeldMessages,
} from './queries.ts'
import { relayAll, selectHeld } from './queries.sql.ts'

export interface Restoration {
  /** What the database was restored to, while it is a copy. */
  target: string | undefined
  pending: Pending
  held: HeldDeliveries[]
  heldMessages: number
}

/** The numbers of deliveries and messages that are held, or sent after all. */
export interface Held {
  deliveries: number
  messages: number
}

export async function getRestoration(ctx: Ctx): Promise<Restoration> {
  const [target, pending, held, heldMessages] = await Promise.all([
    ctx.restoredCopy.target(),
    countPending(ctx),
    selectHeld(ctx),
    countHeldMessages(ctx),
  ])
  return { target, pending, held, heldMessages }
}

const HELD = 'held: pending when a backup was restored; the previous server may have sent it'

/**
 * Makes the copy the original: work starts again. Deliveries and messages that were pending at its point are held, because the
 * previous server may have sent them. Refunds and agent runs go on: a refund is looked up at the provider first, and a run acts in
 * this database only. Undefined when the database is no copy.
 */
export const declareOriginal = (ctx: Ctx): Promise<Held | undefined> =>
  ctx.transaction('declareOriginal', async (ctx) => {
    const at = await insertRestoration(ctx)
    if (at === undefined) return undefined
    await relayAll(ctx, { at })
    return {
      deliveries: await holdDeliveries(ctx, { at, reason: HELD }),
      messages: await holdMessages(ctx, { at, reason: HELD }),
    }
  })

/** Sends the held deliveries and messages after all. Undefined in a copy. */
export async function sendHeld(ctx: Ctx): Promise<Held | undefined> {
  if ((await ctx.restoredCopy.target()) !== undefined) return undefined
  const now = ctx.clock.now()
  return await ctx.transaction('sendHeld', async (ctx) => ({
    deliveries: await releaseHeld(ctx, { now }),
    messages: await releaseHeldMessages(ctx, { now }),
  }))
}
