// Executes agent runs. PostgreSQL holds the runs; a message names one that can be executed now.
import { type Model } from '../../src/mcp/models/model.ts'
import { openModel } from '../../src/mcp/models/open-model.ts'
import { toolExecutorFor } from '../../src/mcp/runs/tool-executor.ts'
import { type RunMetrics, observeRuns } from '../../src/mcp/runs/metrics.ts'
import { executeRun } from '../../src/mcp/runs/execute.ts'
import type { RunRef } from '../../src/features/agents/threads/schemas.ts'
import { cancelOverdueRuns } from '../../src/features/agents/threads/verbs/run-end.ts'
import {
  RUN_ACTOR,
  parseRunMessage,
  runBacklog,
  runMessages,
} from '../../src/features/agents/threads/verbs/run-queue.ts'
import { type ActorContext, defineActor, moreOrNothing } from '../runtime/actor.ts'
import { registerGauges } from '../runtime/actor-metrics.ts'
import { runActor } from '../runtime/process.ts'

const BATCH = 100

export const runAgentTasks = defineActor<RunRef, { model: Model; metrics: RunMetrics }>({
  name: RUN_ACTOR,
  // Runs of different pros; the runs of one pro are executed one after another.
  concurrency: 8,
  key: ({ professionalId }) => professionalId,
  parse: parseRunMessage,
  // Longer than the time limit of a run.
  timeoutMs: 150_000,
  open: async (context) => {
    const model = await openModel(context.deps.config)
    registerGauges(context, () => runBacklog(context.ctx), {
      queued: ['hearth_agent_runs_queued', 'Queued agent runs'],
      running: ['hearth_agent_runs_under_way', 'Agent runs in progress'],
      oldestSeconds: ['hearth_agent_runs_lag_seconds', 'Waiting time of the first queued agent run'],
    })
    return { model, metrics: observeRuns(context.metrics, model.name) }
  },
  handle: async ({ data }, { ctx, signal }, { model, metrics }) => {
    await executeRun(ctx, data, {
      model,
      metrics,
      executorFor: (run) => toolExecutorFor(ctx, run),
      limits: ctx.config.agentLimits,
      signal,
    })
  },
  periodic: [
    // Notifications trigger it for every queued or ended run; the timer covers lost notifications and dead workers.
    { name: 'send', everyMs: 2000, wakeOn: 'agent_runs_moved', due: 'runs', run: sendRuns },
    {
      name: 'cancel-overdue',
      everyMs: 5000,
      due: 'runs',
      run: async ({ ctx }) => moreOrNothing(await cancelOverdueRuns(ctx, { limit: BATCH }), BATCH),
    },
  ],
})

/** Sends a message for every run that can be executed now. The queue ignores a message that it already contains. */
async function sendRuns({ ctx }: ActorContext): Promise<'nothing' | void> {
  const messages = await runMessages(ctx, { limit: BATCH })
  if (messages.length === 0) return 'nothing'
  await ctx.queues.send(RUN_ACTOR, messages)
}

if (import.meta.main) await runActor(runAgentTasks)
