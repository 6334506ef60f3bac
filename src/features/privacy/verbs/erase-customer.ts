// The erasure of a customer, everywhere at once: records, their copies, messages, and the account.
import { announceKeyChange } from '../../../auth/keys/verbs/keys.ts'
import type { Deps } from '../../../deps.ts'
import type { Transaction } from '../../../platform/postgres/database.ts'
import { StoreUnavailable } from '../../../platform/store-error.ts'
import { closeRequest } from '../../quotes/verbs/close-request.ts'
import type { Root } from '../queries/copies.ts'
import {
  findOpenRecords,
  findOpenWork,
  isKnown,
  lockRecords,
  selectOpenRequests,
  selectRecords,
} from '../queries/customer.ts'
import {
  type Erasure,
  addCounts,
  claimLookAgain,
  deleteAccount,
  deleteMessages,
  endLookAgain,
  findErasure,
  insertErasure,
} from '../queries/erasures.ts'
import type { ErasureResult, OpenWork } from '../schemas.ts'
import { type Counts, eraseRecords } from './erase-copies.ts'

/** A domain that cannot exist (RFC 2606). */
const PSEUDONYM_DOMAIN = 'erased.invalid'
/** Requests, bookings or reviews per transaction: a few hundred milliseconds, for which their writers wait. */
const BATCH = 20
const MESSAGE_BATCH = 500
/** In which order they are locked: the verbs of quotes lock requests before bookings. */
const ROOTS = ['rfqs', 'bookings', 'reviews'] as const satisfies Root[]
const FIRST = '00000000-0000-0000-0000-000000000000'
/** By then, every transaction that had read the customer's data before has ended. */
const LOOK_AGAIN_MS = 5 * 60_000

/** The keyed digest under which an erasure is recorded. */
export const digestOfErased = ({ encryption }: Pick<Deps, 'encryption'>, email: string): string =>
  encryption.digest('erased customer', email)

/**
 * Erases everything that identifies the customer with this normal e-mail address, and nothing else: records by the address,
 * their copies by the records' ids. All records get one pseudonym, so that a repeated customer still counts as one. Changes
 * nothing while work is open that needs the customer's data. Open requests are archived and their quotes declined.
 *
 * A record goes with all its copies in one transaction, a few at a time, and the account last. What was not erased still has
 * the address: after a crash, the next call goes on there, under a pseudonym of its own. A record that arrives meanwhile
 * and is relied on, such as a new booking, stays whole. `requestedBy` says who asked, for the record; it must not name the
 * customer.
 */
export async function eraseCustomer(
  deps: Deps,
  { email, requestedBy }: { email: string; requestedBy: string },
): Promise<ErasureResult> {
  const pseudonym = `erased-${deps.ids.uuid()}@${PSEUDONYM_DOMAIN}`
  const erasure = { id: deps.ids.uuid(), pseudonym, emailDigest: digestOfErased(deps, email), requestedBy }
  const refused = await deps.write.begin('beginErasure', async (tx): Promise<ErasureResult | undefined> => {
    if (!(await isKnown(tx, email)))
      return { outcome: 'unknown', erasedBefore: await findErasure(tx, erasure.emailDigest) }
    const open = await findOpenWork(tx, email, deps.clock.now())
    if (isOpen(open)) return { outcome: 'open_work', open }
    await insertErasure(tx, erasure, { now: deps.clock.now(), lookAgainAt: lookAgainAt(deps) })
    return undefined
  })
  if (refused) return refused
  for (const root of ROOTS) await eraseRoots(deps, root, { email, erasure })
  while ((await eraseMessages(deps, { email, erasure })) === MESSAGE_BATCH);
  const { sum: counts } = await inErasure(deps, 'eraseAccount', erasure, async (tx) => {
    const deleted = await deleteAccount(tx, email)
    // Connected apps lose their access.
    await announceKeyChange(tx)
    return { counts: deleted }
  })
  deps.log.info({ pseudonym, requestedBy, ...counts }, 'erased a customer')
  return { outcome: 'erased', pseudonym, counts }
}

const isOpen = (open: OpenWork): boolean => Object.values(open).some((list: string[]) => list.length > 0)

const lookAgainAt = ({ clock }: Deps): Date => new Date(clock.now().getTime() + LOOK_AGAIN_MS)

interface Progress {
  email: string
  erasure: Erasure
}

/** One step of an erasure in a transaction, which also notes what it erased. Returns what `work` returns, and the sum so far. */
const inErasure = <T extends { counts: Counts }>(
  deps: Deps,
  name: string,
  erasure: Erasure,
  work: (tx: Transaction) => Promise<T>,
): Promise<T & { sum: Counts }> =>
  deps.write.begin(name, async (tx) => {
    const result = await work(tx)
    return { ...result, sum: await addCounts(tx, erasure, { ...result, lookAgainAt: lookAgainAt(deps) }) }
  })

const eraseRoots = (deps: Deps, root: Root, progress: Progress): Promise<void> =>
  inSteps(async (after, limit) => {
    const { email, erasure } = progress
    const { ids } = await inErasure(deps, `erase_${root}`, erasure, async (tx) => {
      const locked = await lockRecords(tx, root, { email, after, limit })
      const open = new Set(await findOpenRecords(tx, root, { ids: locked, now: deps.clock.now() }))
      const closed = locked.filter((id) => !open.has(id))
      if (root === 'rfqs') for (const rfq of await selectOpenRequests(tx, closed)) await closeRequest(deps, tx, rfq)
      return { ids: locked, counts: await eraseRecords(tx, root, { ids: closed, ...erasure }) }
    })
    return ids
  })

/**
 * Takes step after step in the order of ids until one has fewer than its limit. `step` returns the ids that it did. When one
 * takes longer than the database allows, the next are smaller.
 */
async function inSteps(step: (after: string, limit: number) => Promise<string[]>): Promise<void> {
  let [after, limit] = [FIRST, BATCH]
  for (;;) {
    try {
      const ids = await step(after, limit)
      if (ids.length < limit) return
      after = ids.at(-1) ?? after
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || limit === 1) throw error
      limit = Math.ceil(limit / 4)
    }
  }
}

async function eraseMessages(deps: Deps, { email, erasure }: Progress): Promise<number> {
  const { counts } = await inErasure(deps, 'eraseMessages', erasure, async (tx) => ({
    counts: { messages: await deleteMessages(tx, email, MESSAGE_BATCH) },
  }))
  return counts.messages
}

/**
 * Looks once more at the records of the erasure that is due longest: an event may have been relayed, a message planned or an
 * agent's step stored by a transaction that had read the records before. Returns how many were due: 0 or 1.
 */
export async function eraseLateCopies(deps: Deps): Promise<number> {
  const claimed = await claimLookAgain(deps.write, { now: deps.clock.now(), leaseEndsAt: lookAgainAt(deps) })
  if (!claimed) return 0
  const { id: erasureId, pseudonym } = claimed
  for (const root of ROOTS)
    await inSteps(async (after, limit) => {
      const ids = await selectRecords(deps.write, root, { email: pseudonym, after, limit })
      if (ids.length > 0)
        await deps.write.begin(`eraseLate_${root}`, (tx) => eraseRecords(tx, root, { ids, pseudonym }))
      return ids
    })
  await endLookAgain(deps.write, erasureId)
  return 1
}
