// Agent runs for tests: a scripted model, a recording tool executor, and a check that runs and tasks agree.
import { trace } from '@opentelemetry/api'

import type { ToolCall, Conversation, Model, Turn } from '../../src/mcp/models/model.ts'
import type { ToolOutcome, ToolExecutor } from '../../src/mcp/runs/tool-executor.ts'
import type { RunMetrics } from '../../src/mcp/runs/metrics.ts'
import type { RunOptions } from '../../src/mcp/runs/execute.ts'
import type { Sql } from '../../src/platform/postgres/database.ts'

/** The model's response at a turn. */
export type ModelScript = (
  conversation: Conversation,
  turn: number,
  signal: AbortSignal,
) => Partial<Turn> | Promise<Partial<Turn>>

/** A model that follows a script, turn by turn. It sees everything that a real model would. */
export function scriptedModel(play: ModelScript): Model & { conversations: Conversation[] } {
  const conversations: Conversation[] = []
  return {
    name: 'a-model',
    conversations,
    next: async (conversation, signal) => {
      conversations.push(conversation)
      const turn = conversation.messages.filter(
        (message) => message.role === 'agent' && message.calls.length > 0,
      ).length
      return { text: null, calls: [], inputTokens: 0, outputTokens: 0, ...(await play(conversation, turn, signal)) }
    },
  }
}

export const call = (tool: string, input: unknown = {}): ToolCall => ({ id: `call-${tool}`, tool, input })

/** A ToolExecutor with one tool that reads and one that writes. `done` records each call with its key. */
export function recordingToolExecutor(
  answer?: (tool: string) => ToolOutcome | Promise<ToolOutcome>,
): ToolExecutor & { done: string[] } {
  const done: string[] = []
  return {
    tools: ['look', 'write'].map((name) => ({ name, description: name, parameters: { type: 'object' } })),
    done,
    writes: (tool) => tool === 'write',
    call: async (tool, input, key) => {
      done.push(`${tool} ${JSON.stringify(input)} ${key.split('-').at(-1)}`)
      return (await answer?.(tool)) ?? { text: `{"of":"${tool}"}`, isError: false, summary: `of ${tool}` }
    },
  }
}

const noMetrics: RunMetrics = { ended: () => undefined, step: () => undefined, turn: () => undefined }

export const runOptions = (
  model: Model,
  executor: ToolExecutor = recordingToolExecutor(),
  changes: Partial<RunOptions> = {},
): RunOptions => ({
  model,
  executorFor: () => executor,
  limits: { steps: 12, seconds: 60, tokens: 100_000 },
  metrics: noMetrics,
  signal: new AbortController().signal,
  ...changes,
})

/**
 * Describes every inconsistency of runs: tasks that did not end with their runs, unfinished steps, gaps in threads.
 * Empty when all is consistent and no run is in progress.
 */
export async function runFaults(sql: Sql): Promise<string[]> {
  const rows = await sql<{ fault: string }[]>`
    select format('run %s is %s, its task %s', r.id, r.status, coalesce(t.status, 'is missing')) as fault
    from agent_runs r left join metered_tasks t on t.professional_id = r.professional_id and t.id = r.id
    where not coalesce(case r.status
      when 'succeeded' then t.status = 'settled'
      when 'cancelled' then t.status = 'released'
      when 'failed' then t.status in ('settled', 'released')
      else t.status = 'reserved' end, false)
    union all
    select format('task %s is for a %s that is missing', t.id, t.kind) from metered_tasks t
    where t.kind in ('run_agent', 'chat_on_thread') and not exists (
      select from agent_runs r where r.professional_id = t.professional_id and r.id = t.id)
    union all
    select format('run %s counts %s steps, and has %s', r.id, r.step_count, s.steps) from agent_runs r
    cross join lateral (
      select count(*) as steps, coalesce(max(number), 0) as last from agent_steps s
      where s.professional_id = r.professional_id and s.run_id = r.id) s
    where r.step_count <> s.steps or s.steps <> s.last
    union all
    select format('step %s of run %s is unfinished', s.number, s.run_id) from agent_steps s
    join agent_runs r on r.professional_id = s.professional_id and r.id = s.run_id
    where r.status = 'succeeded' and s.status = 'planned'
    union all
    select format('thread %s counts %s messages, and has %s up to %s', t.id, t.message_count, m.messages, m.last)
    from threads t
    cross join lateral (
      select count(*) as messages, coalesce(max(position), 0) as last from thread_messages m
      where m.professional_id = t.professional_id and m.thread_id = t.id) m
    where t.message_count <> m.messages or m.messages <> m.last`
  return rows.map(({ fault }) => fault)
}

/** The trace id of the active span. */
export const activeTraceId = (): string | undefined => trace.getActiveSpan()?.spanContext().traceId
