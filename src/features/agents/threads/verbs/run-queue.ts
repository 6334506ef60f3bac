// The queue of runs: messages to the actor that executes them, and its backlog.
import type { Ctx } from '../../../../ctx.ts'
import type { NewMessage } from '../../../../platform/queue/queues.ts'
import { findRunBacklog } from '../queries/runs.ts'
import { selectRunsToExecute } from '../queries/runs.sql.ts'
import type { RunRef } from '../schemas.ts'

/** The actor that executes runs. */
export const RUN_ACTOR = 'run-agent-tasks'

/** Messages for runs that can be executed now: one per pro, the longest waiting first. */
export async function runMessages(ctx: Ctx, { limit }: { limit: number }): Promise<NewMessage[]> {
  const runs = await selectRunsToExecute(ctx, { now: ctx.clock.now(), limit })
  return runs.map(({ traceparent, ...data }) => ({ id: data.runId, data, traceparent }))
}

/** Reads the data of {@link runMessages}. Throws for anything else. */
export function parseRunMessage(data: unknown): RunRef {
  const { professionalId, runId } = (data ?? {}) as Partial<Record<keyof RunRef, unknown>>
  if (typeof professionalId !== 'string' || typeof runId !== 'string') throw new Error('The message names no run.')
  return { professionalId, runId }
}

/** The numbers of queued and of running runs, and the seconds that the first has waited. */
export const runBacklog = (ctx: Ctx) => findRunBacklog(ctx, { now: ctx.clock.now() })
