// Threads, their messages, and the runs of a pro's agent with their steps.
import { type Static, Type } from '@sinclair/typebox'

import { FreeText, Instant, Name, Nullable, OneOf, Uuid } from '../../platform/schema/types.ts'
import { PageMeta } from '../../platform/schema/paging.ts'
import { RUN_STATES } from './states.ts'

/** The most runs of a pro that may be queued or running. */
export const MAX_OPEN_RUNS = 20
/** A message, a goal, an answer. */
export const MAX_MESSAGE_LENGTH = 5000

/** Why a run came to nothing, by code: part of the interface, like the codes of errors. */
export const FAILURES = {
  deadline: 'It was not done within half an hour and was called off. No task was used.',
  model_unavailable: 'The model that decides did not answer. Run it again later.',
  model_unusable: 'The model that decides gave answers that make no sense. Say the goal in other words.',
  step_limit: 'It took more steps than a run may. Give it a smaller goal.',
  time_limit: 'It took longer than a run may. Give it a smaller goal.',
  token_limit: 'It read and wrote more than a run may. Give it a smaller goal.',
  interrupted: 'Whoever worked on it died over it each time. Run it again later.',
  internal_error: 'Something broke on our side. Run it again later.',
} as const
export type Failure = keyof typeof FAILURES

export const RunKind = OneOf(['run_agent', 'chat_on_thread'])
export type RunKind = Static<typeof RunKind>

export const Thread = Type.Object(
  {
    id: Uuid(),
    title: Name(),
    messageCount: Type.Integer(),
    createdAt: Instant(),
    lastActivityAt: Instant({ description: 'When its last message was written' }),
  },
  { $id: 'Thread' },
)
export type Thread = Static<typeof Thread>

export const ThreadMessage = Type.Object(
  {
    position: Type.Integer({ minimum: 1, description: 'The place in the thread, from 1 on' }),
    role: OneOf(['person', 'agent', 'tool', 'system'], {
      description:
        'person: a goal or message of the pro. agent: its answer. tool: a step that the agent took. system: why a run came to nothing',
    }),
    content: FreeText(),
    runId: Uuid({ description: 'The run that the message began or came from' }),
    step: Nullable(Type.Integer({ description: 'Of a tool’s message: which step of the run' })),
    createdAt: Instant(),
  },
  { $id: 'ThreadMessage' },
)
export type ThreadMessage = Static<typeof ThreadMessage>

export const ThreadList = Type.Object({ threads: Type.Array(Thread), meta: PageMeta }, { $id: 'ThreadList' })
export type ThreadList = Static<typeof ThreadList>

export const AgentStep = Type.Object(
  {
    number: Type.Integer({ minimum: 1 }),
    tool: Type.String({ description: 'The tool that the agent called' }),
    input: Type.Unknown({ description: 'What it called it with' }),
    status: OneOf(['planned', 'done', 'refused'], {
      description: 'planned: under way. refused: the tool answered with an error, which the agent has read',
    }),
    summary: Nullable(Type.String({ description: 'The result in a line' })),
    remark: Nullable(Type.String({ description: 'What the agent said with the call' })),
    durationMs: Nullable(Type.Integer()),
    inputTokens: Type.Integer(),
    outputTokens: Type.Integer(),
  },
  { $id: 'AgentStep' },
)
export type AgentStep = Static<typeof AgentStep>

export const AgentRun = Type.Object(
  {
    id: Uuid(),
    kind: RunKind,
    status: OneOf(RUN_STATES),
    goal: FreeText(),
    threadId: Nullable(Uuid()),
    answer: Nullable(FreeText({ description: 'What the agent says in the end, once the run has succeeded' })),
    failure: Nullable(
      Type.Object({ code: Type.String(), meaning: Type.String() }, { description: 'Why the run came to nothing' }),
    ),
    model: Nullable(Type.String({ description: 'Who decides: a model, or the built-in planner' })),
    steps: Type.Array(AgentStep),
    usage: Type.Object({ inputTokens: Type.Integer(), outputTokens: Type.Integer() }),
    queuedAt: Instant(),
    deadlineAt: Instant({ description: 'When it will be called off if it has not ended' }),
    startedAt: Nullable(Instant()),
    finishedAt: Nullable(Instant()),
  },
  { $id: 'AgentRun' },
)
export type AgentRun = Static<typeof AgentRun>

export const ThreadDetail = Type.Object(
  {
    thread: Thread,
    messages: Type.Array(ThreadMessage, { description: 'Oldest first' }),
    earlier: Nullable(Type.Integer({ description: 'There are earlier messages: ask for those before this position' })),
    openRuns: Type.Array(Type.Object({ id: Uuid(), status: OneOf(['queued', 'running']), queuedAt: Instant() }), {
      description: 'Runs of this thread that have not ended',
    }),
  },
  { $id: 'ThreadDetail' },
)
export type ThreadDetail = Static<typeof ThreadDetail>

/** Whoever has threads: the pro, and the account that asks for them. */
export interface ThreadOwner {
  accountId: string
  professionalId: string
}

/** Names a run. */
export interface RunRef {
  professionalId: string
  runId: string
}
