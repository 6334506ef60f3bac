// Expires holds, quotes and marks, deletes rows past their age, erases customers who asked for it, and ends the work of pros who left: in batches by due time. Any number
// of processes may run concurrently.
import { continueCatalogWork } from '../../src/features/catalog/entries/verbs/merge.ts'
import { endExpiredGrants } from '../../src/auth/oauth/verbs/tokens.ts'
import { cancelUnanswered, lapseHolds } from '../../src/features/booking/bookings/verbs/holds.ts'
import { eraseRequested } from '../../src/features/customers/customers/verbs/erasure.ts'
import { continueClosing } from '../../src/features/business/closing/verbs/end.ts'
import { endDueMarks } from '../../src/features/business/verification/verbs.ts'
import { eraseLateCopies } from '../../src/features/customers/privacy/verbs/erase-customer.ts'
import { resendUnacknowledged } from '../../src/features/upkeep/dead-letters/verbs.ts'
import { deleteExcessTraces } from '../../src/features/upkeep/operations/verbs/traces.ts'
import { findUnhandled } from '../../src/payments/verbs/check-providers.ts'
import { getPaymentHealth, reconcile } from '../../src/features/money/checkout/verbs/reconciliation.ts'
import { settleRefunds } from '../../src/payments/verbs/refunds.ts'
import { expireProposals } from '../../src/features/agents/proposals/verbs/proposals.ts'
import { removeContent, removeLeftovers } from '../../src/features/files/files/verbs/remove.ts'
import { expireQuotes } from '../../src/features/quoting/quotes/verbs/quotes.ts'
import { AGING_TABLES, deleteOldRows, getOverdueDays } from '../../src/features/upkeep/retention/verbs.ts'
import { registerGauges } from '../runtime/actor-metrics.ts'
import { type ActorContext, type PeriodicTask, defineActor } from '../runtime/actor.ts'
import type { DueWork } from '../../src/platform/postgres/due-work.ts'
import { runActor } from '../runtime/process.ts'
import type { Ctx } from '../../src/ctx.ts'

const SECOND_MS = 1000
/** The interval, and also the longest rest, of sweeps that take a statement per table and concern rows that age for days. */
const DAYS_EVERY_MS = 600 * SECOND_MS

/** Each sweep is a task of its own, so that a slow one (the payment provider) delays no other. Runs again after a full batch. */
const sweep = (
  name: string,
  everyMs: number,
  batch: number,
  expire: (ctx: Ctx, input: { limit: number }) => Promise<number>,
  due?: DueWork,
): PeriodicTask => ({
  name,
  everyMs,
  ...(due ? { due } : {}),
  run: async ({ ctx, log }) => {
    const swept = await expire(ctx, { limit: batch })
    if (swept === 0) return 'nothing'
    log.debug({ sweep: name, swept }, 'swept')
    return swept === batch
  },
})

async function settleDueRefunds(ctx: Ctx, { limit }: { limit: number }): Promise<number> {
  const { settled, failed } = await settleRefunds(ctx, { limit })
  return settled + failed
}

/** The number of rows that this process deleted, by table. */
const deletedRows = new Map(Array.from(AGING_TABLES.keys(), (table) => [table, 0]))

/** After a full batch, deletion rests this many times as long as the batch took, and a second at most. */
const REST = 4
const MAX_REST_MS = SECOND_MS

let lastDeletion: Promise<void> = Promise.resolve()

/** Deletes one batch and rests, one table at a time in this process, so that requests come first. */
async function deleteInTurn(ctx: Ctx, table: string): Promise<{ deleted: number; hasMore: boolean }> {
  const previous = lastDeletion
  const ended = Promise.withResolvers<void>()
  lastDeletion = ended.promise
  await previous
  try {
    const startedMs = performance.now()
    const outcome = await deleteOldRows(ctx, { table })
    if (outcome.hasMore) await Bun.sleep(Math.min(REST * (performance.now() - startedMs), MAX_REST_MS))
    return outcome
  } finally {
    ended.resolve()
  }
}

/** Deletes a table's rows past their age. */
function deletion(table: string): PeriodicTask {
  let unreported = 0
  return {
    name: `delete-${table}`,
    everyMs: 60 * SECOND_MS,
    longestRestMs: DAYS_EVERY_MS,
    run: async ({ ctx, log }) => {
      const { deleted, hasMore } = await deleteInTurn(ctx, table)
      deletedRows.set(table, (deletedRows.get(table) ?? 0) + deleted)
      unreported += deleted
      if (hasMore) return true
      if (unreported === 0) return 'nothing'
      log.info({ table, rows: unreported }, 'deleted rows past their age')
      unreported = 0
      return false
    },
  }
}

/** Does in parts what an edit of the catalog has left to do. */
const catalogWork: PeriodicTask = {
  name: 'catalog',
  everyMs: SECOND_MS,
  due: 'catalog',
  run: async ({ ctx }) => (await continueCatalogWork(ctx)) || 'nothing',
}

/** Alerts while payments or refunds wait for a provider that this process lacks. They stay due. */
function watchUnhandled(context: ActorContext): void {
  const read = async () => {
    const { payments, refunds } = await findUnhandled(context.ctx)
    if (payments + refunds > 0)
      context.log.error(
        { payments, refunds },
        'payments wait for a provider that is not configured: set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET',
      )
    return { payments, refunds }
  }
  const waiting = (what: string) => `${what} that wait for a payment provider that the process lacks`
  registerGauges(
    context,
    read,
    {
      payments: ['hearth_payments_without_provider', waiting('Open payments')],
      refunds: ['hearth_refunds_without_provider', waiting('Refunds')],
    },
    60 * SECOND_MS,
  )
}

export const sweepExpired = defineActor({
  name: 'sweep-expired',
  handlesPayments: true,
  open: (context) => {
    registerGauges(
      context,
      async () => ({ overdue: (await getOverdueDays(context.ctx)) * 86_400 }),
      { overdue: ['hearth_old_rows_overdue_seconds', 'For how long the oldest row could have been deleted'] },
      DAYS_EVERY_MS,
    )
    watchUnhandled(context)
    registerGauges(
      context,
      async () => {
        const { comparedSeconds, ...waiting } = await getPaymentHealth(context.ctx)
        return { ...waiting, comparedSeconds: comparedSeconds ?? 0 }
      },
      {
        failedRefunds: ['hearth_refunds_failed', 'Refunds that failed and wait for an operator'],
        openDisputes: ['hearth_payment_disputes_open', 'Disputes of payments that are open'],
        differences: [
          'hearth_payment_differences',
          'Payments of which the provider and the database say different things',
        ],
        comparedSeconds: [
          'hearth_payments_compared_seconds',
          'Since the last complete comparison with the payment provider',
        ],
      },
      60 * SECOND_MS,
    )
    for (const table of AGING_TABLES.keys())
      context.metrics.counter(
        'hearth_deleted_rows_total',
        'Rows that this process deleted because of their age, without those that went with them',
        () => deletedRows.get(table) ?? 0,
        { table },
      )
  },
  periodic: [
    sweep('holds', SECOND_MS, 100, lapseHolds, 'holds'),
    sweep('unanswered', SECOND_MS, 100, cancelUnanswered, 'unanswered'),
    sweep('quotes', SECOND_MS, 100, expireQuotes, 'quotes'),
    sweep('proposals', 10 * SECOND_MS, 500, expireProposals, 'proposals'),
    sweep('refunds', SECOND_MS, 20, settleDueRefunds, 'refunds'),
    sweep('reconciliation', 10 * SECOND_MS, 20, reconcile),
    sweep('erasures', 5 * SECOND_MS, 1, eraseRequested, 'erasures'),
    sweep('marks', SECOND_MS, 20, endDueMarks, 'marks'),
    sweep('closings', SECOND_MS, 1, continueClosing, 'closings'),
    sweep('late-copies', 60 * SECOND_MS, 1, eraseLateCopies),
    sweep('dead-letters', 10 * SECOND_MS, 100, resendUnacknowledged, 'dead-letters'),
    sweep('file-removals', 10 * SECOND_MS, 50, removeContent, 'file-removals'),
    sweep('file-leftovers', DAYS_EVERY_MS, 1, removeLeftovers),
    catalogWork,
    sweep('grants', 60 * SECOND_MS, 500, endExpiredGrants),
    sweep('traces', 60 * SECOND_MS, 2000, deleteExcessTraces),
    ...Array.from(AGING_TABLES.keys(), deletion),
  ],
})

if (import.meta.main) await runActor(sweepExpired)
