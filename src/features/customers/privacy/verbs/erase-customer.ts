// The erasure of a customer, everywhere at once: records, their copies, messages, and the account.
import { announceKeyChange } from '../../../../auth/keys/verbs/keys.ts'
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import { StoreUnavailable } from '../../../../platform/store-error.ts'
import { closeRequest } from '../../../quoting/quotes/verbs/close-request.ts'
import type { Root } from '../queries/copies.ts'
import {
  findOpenRecords,
  findOpenWork,
  isKnown,
  lockRecords,
  selectOpenRequests,
  selectRecords,
} from '../queries/customer.ts'
import { type Erasure, addCounts, deleteAccount, deleteMessages } from '../queries/erasures.ts'
import { claimLookAgain, endLookAgain, findErasure, insertErasure } from '../queries/erasures.sql.ts'
import { pseudonymOf } from '../rules/pseudonym.ts'
import type { ErasureResult, OpenWork } from '../schemas.ts'
import { type Counts, eraseRecords } from './erase-copies.ts'

/** Requests, bookings or reviews per transaction: a few hundred milliseconds, for which their writers wait. */
const BATCH = 20
const MESSAGE_BATCH = 500
/** The order in which records are locked: the verbs of quotes also lock requests before bookings. */
const ROOTS = ['rfqs', 'bookings', 'reviews'] as const satisfies Root[]
const FIRST = '00000000-0000-0000-0000-000000000000'
/**
 * How long to wait before the erasure is checked: every transaction that read the customer’s data before it has ended by
 * then.
 */
const LOOK_AGAIN_MS = 5 * 60_000

/** The keyed digest under which an erasure is recorded. */
export const digestOfErased = (ctx: Ctx, { email }: { email: string }): string =>
  ctx.encryption.digest('erased customer', email)

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
  ctx: Ctx,
  { email, requestedBy }: { email: string; requestedBy: string },
): Promise<ErasureResult> {
  const pseudonym = pseudonymOf(ctx.ids.uuid())
  const erasure = { id: ctx.ids.uuid(), pseudonym, emailDigest: digestOfErased(ctx, { email }), requestedBy }
  const refused = await ctx.transaction('beginErasure', async (ctx): Promise<ErasureResult | undefined> => {
    if (!(await isKnown(ctx, { email })))
      return { outcome: 'unknown', erasedBefore: await findErasure(ctx, { emailDigest: erasure.emailDigest }) }
    const open = await findOpenWork(ctx, { email, now: ctx.clock.now() })
    if (isOpen(open)) return { outcome: 'open_work', open }
    await insertErasure(ctx, { ...erasure, now: ctx.clock.now(), lookAgainAt: lookAgainAt(ctx) })
    return undefined
  })
  if (refused) return refused
  for (const root of ROOTS) await eraseRoots(ctx, root, { email, erasure })
  while ((await eraseMessages(ctx, { email, erasure })) === MESSAGE_BATCH);
  const { sum: counts } = await inErasure(ctx, 'eraseAccount', erasure, async (ctx) => {
    const deleted = await deleteAccount(ctx, { email })
    // Connected apps lose their access.
    await announceKeyChange(ctx)
    return { counts: deleted }
  })
  ctx.log.info({ pseudonym, requestedBy, ...counts }, 'erased a customer')
  return { outcome: 'erased', pseudonym, counts }
}

const isOpen = (open: OpenWork): boolean => Object.values(open).some((list: string[]) => list.length > 0)

const lookAgainAt = (ctx: Ctx): Date => new Date(ctx.clock.now().getTime() + LOOK_AGAIN_MS)

interface Progress {
  email: string
  erasure: Erasure
}

/**
 * Runs one step of an erasure in a transaction and records what it erased. Returns the result of `work` and the counts so
 * far.
 */
const inErasure = <T extends { counts: Counts }>(
  ctx: Ctx,
  name: string,
  erasure: Erasure,
  work: (ctx: TxCtx) => Promise<T>,
): Promise<T & { sum: Counts }> =>
  ctx.transaction(name, async (ctx) => {
    const result = await work(ctx)
    return { ...result, sum: await addCounts(ctx, { ...erasure, ...result, lookAgainAt: lookAgainAt(ctx) }) }
  })

const eraseRoots = (ctx: Ctx, root: Root, progress: Progress): Promise<void> =>
  inSteps(async (after, limit) => {
    const { email, erasure } = progress
    const { ids } = await inErasure(ctx, `erase_${root}`, erasure, async (ctx) => {
      const locked = await lockRecords(ctx, { email, after, limit, root })
      const open = new Set(await findOpenRecords(ctx, { ids: locked, now: ctx.clock.now(), root }))
      const closed = locked.filter((id) => !open.has(id))
      if (root === 'rfqs')
        for (const rfq of await selectOpenRequests(ctx, { ids: closed })) await closeRequest(ctx, rfq)
      return { ids: locked, counts: await eraseRecords(ctx, { ids: closed, ...erasure, root }) }
    })
    return ids
  })

/**
 * Runs steps in the order of ids until one handles fewer rows than its limit. `step` returns the ids that it handled. After a
 * step that exceeds the database’s time limit, the next steps are smaller.
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

async function eraseMessages(ctx: Ctx, { email, erasure }: Progress): Promise<number> {
  const { counts } = await inErasure(ctx, 'eraseMessages', erasure, async (ctx) => ({
    counts: { messages: await deleteMessages(ctx, { email, limit: MESSAGE_BATCH }) },
  }))
  return counts.messages
}

/**
 * Looks once more at the records of the erasure that is due longest: an event may have been relayed, a message planned or an
 * agent's step stored by a transaction that had read the records before. Returns how many were due: 0 or 1.
 */
export async function eraseLateCopies(ctx: Ctx): Promise<number> {
  const claimed = await claimLookAgain(ctx, { now: ctx.clock.now(), leaseEndsAt: lookAgainAt(ctx) })
  if (!claimed) return 0
  const { id: erasureId, pseudonym } = claimed
  for (const root of ROOTS)
    await inSteps(async (after, limit) => {
      const ids = await selectRecords(ctx, { email: pseudonym, after, limit, root })
      if (ids.length > 0)
        await ctx.transaction(`eraseLate_${root}`, (ctx) => eraseRecords(ctx, { ids, pseudonym, root }))
      return ids
    })
  await endLookAgain(ctx, { id: erasureId })
  return 1
}
