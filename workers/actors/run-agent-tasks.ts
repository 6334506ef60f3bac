// Runs agents: a message is a run whose turn it is. What runs there are stands in PostgreSQL, and is looked for there.
import { type Model } from '../../src/mcp/models/model.ts'
import { openModel } from '../../src/mcp/models/open-model.ts'
import { handsOf } from '../../src/mcp/runs/tool-executor.ts'
import { type RunMetrics, observeRuns } from '../../src/mcp/runs/metrics.ts'
import { workOnRun } from '../../src/mcp/runs/execute.ts'
import type { RunRef } from '../../src/features/threads/schemas.ts'
import {
  RUNNING_ACTOR,
  cancelOverdue,
  parseRunMessage,
  runBacklog,
  runMessages,
} from '../../src/features/threads/verbs/run-execution.ts'
import { type ActorContext, defineActor } from '../runtime/actor.ts'
import { registerGauges } from '../runtime/actor-metrics.ts'
import { runActor } from '../runtime/process.ts'

const BATCH = 100

/** What a process decides with, by its metrics: there is one of them per process. */
const opened = new WeakMap<ActorContext['metrics'], { model: Model; runs: RunMetrics }>()

export const runAgentTasks = defineActor<RunRef>({
  name: RUNNING_ACTOR,
  // Runs of as many pros; those of one take turns.
  concurrency: 8,
  key: ({ professionalId }) => professionalId,
  parse: parseRunMessage,
  // A run ends by its own limit, which is less.
  timeoutMs: 150_000,
  open: async (context) => {
    const model = await openModel(context.deps.config)
    opened.set(context.metrics, { model, runs: observeRuns(context.metrics, model.name) })
    registerGauges(context, () => runBacklog(context.deps), {
      queued: ['hearth_agent_runs_queued', 'Runs that wait for their turn'],
      running: ['hearth_agent_runs_under_way', 'Runs under way'],
      oldestSeconds: ['hearth_agent_runs_lag_seconds', 'How long the first of them has waited'],
    })
  },
  handle: async ({ data }, { deps, metrics, signal }) => {
    const own = opened.get(metrics)
    if (!own) throw new Error('An actor is opened before it handles.')
    await workOnRun(deps, data, {
      model: own.model,
      metrics: own.runs,
      handsFor: (run) => handsOf(deps, run),
      limits: deps.config.agentLimits,
      signal,
    })
  },
  periodic: [
    // Woken by every run that is queued or ends; the clock is for words that were lost and workers that are gone.
    { name: 'send', everyMs: 2000, wakeOn: 'agent_runs_moved', run: sendRuns },
    { name: 'cancel-overdue', everyMs: 5000, run: async ({ deps }) => (await cancelOverdue(deps, BATCH)) === BATCH },
  ],
})

/** Sends word of every run whose turn it is. One that is in the mailbox already is not put there again. */
async function sendRuns({ deps }: ActorContext): Promise<void> {
  const messages = await runMessages(deps, BATCH)
  if (messages.length > 0) await deps.queues.send(RUNNING_ACTOR, messages)
}

if (import.meta.main) await runActor(runAgentTasks)
