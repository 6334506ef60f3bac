// Expires holds, quotes and old records: in batches by due time. Any number of processes may run concurrently.
import { cancelUnanswered, lapseHolds } from '../../src/features/bookings/verbs/holds.ts'
import { resendUnacknowledged } from '../../src/features/dead-letters/verbs.ts'
import { deleteExpiredOutcomes } from '../../src/idempotency/verbs.ts'
import { deleteOldUsage } from '../../src/auth/keys/verbs/usage.ts'
import { pruneOperations } from '../../src/features/operations/verbs/traces.ts'
import { deleteOldNotifications, settleRefunds } from '../../src/payments/verbs.ts'
import { deleteOldPreparedWork } from '../../src/features/drafts/verbs/prepared-work.ts'
import { expireProposals } from '../../src/features/proposals/verbs/proposals.ts'
import { expireQuotes } from '../../src/features/quotes/verbs/quotes.ts'
import { deleteOldRuns, deleteOldThreads } from '../../src/features/threads/verbs/retention.ts'
import { deleteExpiredSessions } from '../../src/auth/users/verbs/sessions.ts'
import { type PeriodicTask, defineActor } from '../runtime/actor.ts'
import type { Deps } from '../../src/deps.ts'
import { runActor } from '../runtime/process.ts'

const SECOND_MS = 1000

/** Each sweep is a task of its own, so that a slow one (the payment provider) delays no other. Runs again after a full batch. */
const sweep = (
  name: string,
  everyMs: number,
  batch: number,
  expire: (deps: Deps, limit: number) => Promise<number>,
): PeriodicTask => ({
  name,
  everyMs,
  run: async ({ deps, log }) => {
    const swept = await expire(deps, batch)
    if (swept > 0) log.debug({ sweep: name, swept }, 'swept')
    return swept === batch
  },
})

export const sweepExpired = defineActor({
  name: 'sweep-expired',
  periodic: [
    sweep('holds', SECOND_MS, 100, lapseHolds),
    sweep('unanswered', SECOND_MS, 100, cancelUnanswered),
    sweep('quotes', SECOND_MS, 100, expireQuotes),
    sweep('proposals', 10 * SECOND_MS, 500, expireProposals),
    sweep('refunds', SECOND_MS, 20, async (deps, limit) => {
      const { settled, failed } = await settleRefunds(deps, { limit })
      return settled + failed
    }),
    sweep('idempotency', 10 * SECOND_MS, 1000, deleteExpiredOutcomes),
    sweep('key-usage', 600 * SECOND_MS, 1000, deleteOldUsage),
    sweep('sessions', 60 * SECOND_MS, 1000, deleteExpiredSessions),
    sweep('payment-notifications', 60 * SECOND_MS, 1000, deleteOldNotifications),
    sweep('dead-letters', 10 * SECOND_MS, 100, resendUnacknowledged),
    sweep('threads', 60 * SECOND_MS, 50, deleteOldThreads),
    sweep('agent-runs', 60 * SECOND_MS, 500, deleteOldRuns),
    sweep('prepared-work', 60 * SECOND_MS, 500, deleteOldPreparedWork),
    sweep('operations', 60 * SECOND_MS, 2000, pruneOperations),
  ],
})

if (import.meta.main) await runActor(sweepExpired)
