// Maintenance of metering: releases stuck tasks, opens months, notifies pros whose tasks run out.
import {
  ledgerTotals,
  noticeLowBalances,
  openAllowances,
  releaseStuckTasks,
  taskBacklog,
} from '../../src/features/agents/metering/verbs.ts'
import { type ActorContext, defineActor, moreOrNothing } from '../runtime/actor.ts'
import { registerGauges } from '../runtime/actor-metrics.ts'
import { runActor } from '../runtime/process.ts'
import type { Ctx } from '../../src/ctx.ts'

/** Ledgers or tasks per transaction, which locks their ledgers until its end. */
const BATCH = 100
/** The totals read every ledger. */
const TOTALS_EVERY_MS = 60_000

/** One batch of due work. Runs again after a full batch, as more may be due. */
const batchOf =
  (work: (ctx: Ctx, input: { now: Date; limit: number }) => Promise<number>) =>
  async ({ ctx }: ActorContext): Promise<boolean | 'nothing'> =>
    moreOrNothing(await work(ctx, { now: ctx.clock.now(), limit: BATCH }), BATCH)

export const meterAgentTasks = defineActor({
  name: 'meter-agent-tasks',
  periodic: [
    { name: 'release-stuck', everyMs: 10_000, due: 'tasks', run: batchOf(releaseStuckTasks) },
    { name: 'open-allowances', everyMs: 10_000, run: batchOf(openAllowances) },
    { name: 'notice-low-balances', everyMs: 5000, due: 'balances', run: batchOf(noticeLowBalances) },
  ],
  open: (context) => {
    registerGauges(context, () => taskBacklog(context.ctx, { now: context.deps.clock.now() }), {
      reserved: ['hearth_agent_tasks_reserved', 'Reserved agent tasks'],
      overdueSeconds: [
        'hearth_agent_tasks_overdue_seconds',
        'Seconds that the oldest reserved agent task is past its deadline',
      ],
    })
    const totals = {
      spent: ['hearth_agent_tasks_spent_total', 'Settled agent tasks'],
      sold: ['hearth_agent_tasks_sold_total', 'Agent tasks that pros bought'],
      prepaid: ['hearth_agent_tasks_prepaid', 'Bought agent tasks that are not used yet'],
      imbalance: ['hearth_agent_ledger_imbalance', 'Sum of all ledger accounts; must be 0'],
    } as const
    registerGauges(context, () => ledgerTotals(context.ctx), totals, TOTALS_EVERY_MS)
  },
})

if (import.meta.main) await runActor(meterAgentTasks)
