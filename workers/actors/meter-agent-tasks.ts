// Metering's clockwork: releases tasks that nobody ended, opens months, tells pros that tasks run out.
import {
  ledgerTotals,
  noticeLowBalances,
  openAllowances,
  releaseStuckTasks,
  taskBacklog,
} from '../../src/features/metering/verbs.ts'
import { type ActorContext, defineActor } from '../runtime/actor.ts'
import { registerGauges } from '../runtime/actor-metrics.ts'
import { runActor } from '../runtime/process.ts'

/** Ledgers or tasks per transaction: each holds its pro's ledger until the end. */
const BATCH = 100
/** Adding up all ledgers reads each of them. */
const ADD_UP_EVERY_MS = 60_000

/** A pass over what is due now; there may be more when it had its hands full. */
const pass =
  (work: (deps: ActorContext['deps'], now: Date, limit: number) => Promise<number>) =>
  async ({ deps }: ActorContext): Promise<boolean> =>
    (await work(deps, deps.clock.now(), BATCH)) === BATCH

export const meterAgentTasks = defineActor({
  name: 'meter-agent-tasks',
  periodic: [
    { name: 'release-stuck', everyMs: 10_000, run: pass(releaseStuckTasks) },
    { name: 'open-allowances', everyMs: 10_000, run: pass(openAllowances) },
    { name: 'notice-low-balances', everyMs: 5000, run: pass(noticeLowBalances) },
  ],
  open: (context) => {
    registerGauges(context, () => taskBacklog(context.deps, context.deps.clock.now()), {
      reserved: ['hearth_agent_tasks_reserved', 'Agent tasks that are reserved and neither settled nor released'],
      overdueSeconds: ['hearth_agent_tasks_overdue_seconds', 'How long the oldest of them is past its deadline'],
    })
    const totals = {
      spent: ['hearth_agent_tasks_spent_total', 'Agent tasks that were settled'],
      sold: ['hearth_agent_tasks_sold_total', 'Agent tasks that pros have bought'],
      prepaid: ['hearth_agent_tasks_prepaid', 'Agent tasks that were bought and not used yet'],
      imbalance: ['hearth_agent_ledger_imbalance', 'The sum of all accounts of the ledger: 0, or it is broken'],
    } as const
    registerGauges(context, () => ledgerTotals(context.deps), totals, ADD_UP_EVERY_MS)
  },
})

if (import.meta.main) await runActor(meterAgentTasks)
