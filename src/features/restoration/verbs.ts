// A copy of the database that was restored from a backup: what it is, and how it becomes the original.
import type { Deps } from '../../deps.ts'
import {
  type HeldDeliveries,
  type Pending,
  countPending,
  holdDeliveries,
  insertRestoration,
  relayAll,
  releaseHeld,
  selectHeld,
} from './queries.ts'

export interface Restoration {
  /** What the database was restored to, while it is a copy. */
  target: string | undefined
  pending: Pending
  held: HeldDeliveries[]
}

export async function getRestoration({ read, restoredCopy }: Deps): Promise<Restoration> {
  const [target, pending, held] = await Promise.all([restoredCopy.target(), countPending(read), selectHeld(read)])
  return { target, pending, held }
}

const HELD = 'held: pending when a backup was restored; the previous server may have sent it'

/**
 * Makes the copy the original: work starts again. Deliveries that were pending at its point are held, because the previous
 * server may have sent them. Refunds and agent runs go on: the provider makes a refund once per id, and a run acts in this
 * database only. Returns the number of held deliveries; undefined when the database is no copy.
 */
export const declareOriginal = ({ write }: Deps): Promise<number | undefined> =>
  write.begin('declareOriginal', async (tx) => {
    const at = await insertRestoration(tx)
    if (at === undefined) return undefined
    await relayAll(tx, at)
    return await holdDeliveries(tx, at, HELD)
  })

/** Sends the held deliveries after all. Returns how many; undefined in a copy. */
export async function sendHeld({ write, clock, restoredCopy }: Deps): Promise<number | undefined> {
  if ((await restoredCopy.target()) !== undefined) return undefined
  return await releaseHeld(write, clock.now())
}
