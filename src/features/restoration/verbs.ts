// A copy of the database that was restored from a backup: what it is, and how it becomes the original.
import type { Deps } from '../../deps.ts'
import {
  type HeldDeliveries,
  type Pending,
  countHeldMessages,
  countPending,
  holdDeliveries,
  holdMessages,
  insertRestoration,
  relayAll,
  releaseHeld,
  releaseHeldMessages,
  selectHeld,
} from './queries.ts'

export interface Restoration {
  /** What the database was restored to, while it is a copy. */
  target: string | undefined
  pending: Pending
  held: HeldDeliveries[]
  heldMessages: number
}

/** Numbers of what is held, or sent after all. */
export interface Held {
  deliveries: number
  messages: number
}

export async function getRestoration({ read, restoredCopy }: Deps): Promise<Restoration> {
  const [target, pending, held, heldMessages] = await Promise.all([
    restoredCopy.target(),
    countPending(read),
    selectHeld(read),
    countHeldMessages(read),
  ])
  return { target, pending, held, heldMessages }
}

const HELD = 'held: pending when a backup was restored; the previous server may have sent it'

/**
 * Makes the copy the original: work starts again. Deliveries and messages that were pending at its point are held, because the
 * previous server may have sent them. Refunds and agent runs go on: a refund is looked up at the provider first, and a run acts in
 * this database only. Undefined when the database is no copy.
 */
export const declareOriginal = ({ write }: Deps): Promise<Held | undefined> =>
  write.begin('declareOriginal', async (tx) => {
    const at = await insertRestoration(tx)
    if (at === undefined) return undefined
    await relayAll(tx, at)
    return { deliveries: await holdDeliveries(tx, at, HELD), messages: await holdMessages(tx, at, HELD) }
  })

/** Sends what is held after all. Undefined in a copy. */
export async function sendHeld({ write, clock, restoredCopy }: Deps): Promise<Held | undefined> {
  if ((await restoredCopy.target()) !== undefined) return undefined
  const now = clock.now()
  return await write.begin('sendHeld', async (tx) => ({
    deliveries: await releaseHeld(tx, now),
    messages: await releaseHeldMessages(tx, now),
  }))
}
