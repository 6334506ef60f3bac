// Compares intents, refunds and disputes at the payment provider with our rows, once a day. Lost notifications are applied
// then; differences that remain are shown to an operator.
import type { Ctx } from '../../../../ctx.ts'
import { providerNamed } from '../../../../payments/open-provider.ts'
import { type IntentState, type PaymentProvider, ProviderUnavailable } from '../../../../payments/provider.ts'
import { readAnyIntent } from '../../../../payments/verbs/payments.ts'
import {
  type Difference,
  type Part,
  type PaymentHealth,
  type Step,
  claimPart,
  saveDifference,
  selectHealth,
  selectOurs,
  selectUnknown,
  sumLeft,
} from '../queries.ts'
import { savePart, selectDifferences } from '../queries.sql.ts'
import { applyIntent } from './notifications.ts'

export type { Difference, PaymentHealth }

const DAY_MS = 86_400_000
/** How long a process may hold a part of the comparison. After that, another process takes over from one that died. */
const LEASE_MS = 5 * 60_000
/** Stripe retries a notification for three days. */
const MISSED_DAYS = 3
/** Banks return refunds for some weeks. */
const RETURNED_DAYS = 35
const MAX_LISTED = 50

/** The step after each step. The last one completes the comparison. */
const NEXT: Record<Step, Step | undefined> = {
  intents: 'refunds',
  refunds: 'disputes',
  disputes: 'ours',
  ours: undefined,
}

/**
 * Compares the next part: a page of the provider's list, or up to `limit` of our intents. Returns `limit` while more is due at
 * once, otherwise zero. Any process may go on, after any crash.
 */
export async function reconcile(ctx: Ctx, { limit }: { limit: number }): Promise<number> {
  if (!ctx.config.stripe) return 0
  const provider = providerNamed(ctx, 'stripe')
  const now = ctx.clock.now()
  const part = await claimPart(ctx, { now, leaseMs: LEASE_MS })
  if (!part) return 0
  try {
    const { intentIds, after } = await nextIntents(ctx, provider, part, limit)
    for (const intentId of intentIds) await compareIntent(ctx, { intentId })
    const hasMore = after !== undefined || NEXT[part.step] !== undefined
    await savePart(ctx, following(part, after, now))
    return hasMore ? limit : 0
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
    ctx.log.warn({ err: error, step: part.step }, 'the payment provider did not answer; the comparison continues later')
    return 0
  }
}

/**
 * The intents that this part compares. A restored database has the time of the last comparison from its backup, so it
 * compares everything since then.
 */
async function nextIntents(
  ctx: Ctx,
  provider: PaymentProvider,
  { step, afterId, startedAt, completedAt }: Part,
  limit: number,
): Promise<{ intentIds: string[]; after: string | undefined }> {
  const days = step === 'refunds' ? RETURNED_DAYS : MISSED_DAYS
  const since = new Date(Date.parse(completedAt ?? startedAt) - days * DAY_MS)
  if (step === 'ours') {
    const intentIds = await selectOurs(ctx, { since, afterId, limit })
    return { intentIds, after: intentIds.length === limit ? intentIds.at(-1) : undefined }
  }
  const page = await provider.list?.(step, { since, after: afterId ?? undefined })
  if (!page) return { intentIds: [], after: undefined }
  return { intentIds: await selectUnknown(ctx, { kind: step, listed: page.listed }), after: page.after }
}

function following(part: Part, after: string | undefined, now: Date) {
  const { step, startedAt, completedAt } = part
  if (after !== undefined) return { step, afterId: after, startedAt, completedAt, nextAt: now }
  const next = NEXT[step]
  if (next) return { step: next, afterId: null, startedAt, completedAt, nextAt: now }
  const nextAt = new Date(Math.max(Date.parse(startedAt) + DAY_MS, now.getTime() + LEASE_MS))
  return {
    step: 'intents' as const,
    afterId: null,
    startedAt: nextAt.toISOString(),
    completedAt: startedAt,
    nextAt,
  }
}

/** Applies what the provider says of an intent, and records whether our rows say the same afterwards. */
export async function compareIntent(ctx: Ctx, { intentId }: { intentId: string }): Promise<void> {
  const read = await readAnyIntent(ctx, { intentId })
  if (!read) return
  const { payment, reading } = read
  if (payment) await applyIntent(ctx, { payment, reading })
  const { intent } = reading
  // An intent without one of our payment ids may belong to another system that shares the account.
  if (!payment && intent.paymentId === undefined) return
  const difference = {
    intentId,
    paymentId: payment?.id ?? intent.paymentId ?? null,
    providerCents: leftOf(intent),
    ourCents: await sumLeft(ctx, { intentId }),
  }
  if (difference.providerCents !== difference.ourCents)
    ctx.log.warn(difference, 'a payment differs from the payment provider; see /console/payments')
  await saveDifference(ctx, { difference, now: ctx.clock.now() })
}

const leftOf = ({ capturedCents, refunds, disputes }: IntentState): number =>
  capturedCents -
  centsOf(refunds.filter(({ state }) => state !== 'failed')) -
  centsOf(disputes.filter(({ state }) => state === 'lost'))

const centsOf = (rows: readonly { amountCents: number }[]): number =>
  rows.reduce((sum, { amountCents }) => sum + amountCents, 0)

/** What waits for an operator, and how old the last complete comparison is. */
export const getPaymentHealth = (ctx: Ctx): Promise<PaymentHealth> => selectHealth(ctx, { now: ctx.clock.now() })

/** The intents that differ, oldest first. At most 50. */
export const listDifferences = (ctx: Ctx): Promise<Difference[]> => selectDifferences(ctx, { limit: MAX_LISTED })
