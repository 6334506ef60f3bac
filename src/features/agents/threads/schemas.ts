// Shapes of threads, messages, runs and steps.
import { type Static, Type } from '@sinclair/typebox'

import { Natural } from '../../../platform/schema/numbers.ts'
import { FreeText, Instant, Name, Nullable, OneOf, Uuid } from '../../../platform/schema/types.ts'
import { PageMeta } from '../../../platform/schema/paging.ts'
import { PROPOSAL_STATES } from '../proposals/states.ts'
import { RUN_STATES } from './states.ts'

/** Queued and running runs of a pro. */
export const MAX_OPEN_RUNS = 20
/** The length of a message, a goal or an answer. */
export const MAX_MESSAGE_LENGTH = 5000

/** Goals that the built-in planner understands. */
const EXAMPLES =
  '"draft quotes for new leads", "plan my day", "raise the price of drain cleaning by 5%", "follow up on quotes", "prepare my jobs", "how was my month"'

/** Why a run failed. The codes are part of the API, like error codes. */
export const FAILURES = {
  deadline: 'The run did not end within half an hour and was cancelled. It cost no task.',
  model_unavailable: 'The language model did not answer. Run it again later.',
  model_unusable: 'The language model gave unusable answers. Phrase the goal differently.',
  model_refused: 'The language model declined this goal. Phrase it differently.',
  model_cut_off: 'The answer of the language model was cut off at its limit of length. Give it a smaller goal.',
  not_understood: `Your agent did not understand the goal. It did nothing, and the run cost no task. It understands for example: ${EXAMPLES}. It reads, drafts and proposes; it does not confirm, send or pay.`,
  step_limit: 'The run reached its limit of steps. Give it a smaller goal.',
  time_limit: 'The run reached its time limit. Give it a smaller goal.',
  token_limit: 'The run reached its limit of tokens. Give it a smaller goal.',
  interrupted: 'The run was interrupted too often. Run it again later.',
  internal_error: 'An internal error occurred. Run it again later.',
} as const
export type Failure = keyof typeof FAILURES

export const RunKind = OneOf(['run_agent', 'chat_on_thread'])
export type RunKind = Static<typeof RunKind>

export const Thread = Type.Object(
  {
    id: Uuid(),
    title: Name(),
    messageCount: Natural(),
    createdAt: Instant(),
    lastActivityAt: Instant({ description: 'When its last message was written' }),
  },
  { $id: 'Thread' },
)
export type Thread = Static<typeof Thread>

export const ThreadMessage = Type.Object(
  {
    position: Natural({ minimum: 1, description: 'The position in the thread, from 1' }),
    role: OneOf(['person', 'agent', 'tool', 'system'], {
      description:
        'person: a goal or message of the pro. agent: its answer. tool: a step that the agent took. system: why a run failed',
    }),
    content: FreeText(),
    runId: Uuid({ description: 'The run that the message started or came from' }),
    step: Nullable(Natural({ description: 'The step of the run, for a message of a tool' })),
    createdAt: Instant(),
  },
  { $id: 'ThreadMessage' },
)
export type ThreadMessage = Static<typeof ThreadMessage>

export const ThreadList = Type.Object({ threads: Type.Array(Thread), meta: PageMeta }, { $id: 'ThreadList' })
export type ThreadList = Static<typeof ThreadList>

export const AgentStep = Type.Object(
  {
    number: Natural({ minimum: 1 }),
    tool: Type.String({ description: 'The tool that the agent called' }),
    input: Type.Unknown({ description: 'The input of the call' }),
    status: OneOf(['planned', 'done', 'refused'], {
      description: 'planned: not finished. refused: the tool returned an error to the agent',
    }),
    summary: Nullable(Type.String({ description: 'The result in one line' })),
    remark: Nullable(Type.String({ description: 'The agent’s text with the call' })),
    durationMs: Nullable(Natural()),
    inputTokens: Natural(),
    outputTokens: Natural(),
  },
  { $id: 'AgentStep' },
)
export type AgentStep = Static<typeof AgentStep>

export const RunProposal = Type.Object({
  id: Uuid(),
  status: OneOf(PROPOSAL_STATES),
  summary: Type.String({ description: 'The change in one line' }),
})

export const AgentRun = Type.Object(
  {
    id: Uuid(),
    kind: RunKind,
    status: OneOf(RUN_STATES),
    goal: FreeText(),
    threadId: Nullable(Uuid()),
    answer: Nullable(FreeText({ description: 'The agent’s answer, once the run has succeeded' })),
    failure: Nullable(
      Type.Object({ code: Type.String(), meaning: Type.String() }, { description: 'Why the run failed' }),
    ),
    model: Nullable(Type.String({ description: 'The language model, or the built-in planner' })),
    steps: Type.Array(AgentStep),
    proposals: Type.Array(RunProposal, { description: 'The changes that the run proposed, oldest first' }),
    usage: Type.Object({ inputTokens: Natural(), outputTokens: Natural() }),
    queuedAt: Instant(),
    deadlineAt: Instant({ description: 'The run is cancelled when it has not ended by then' }),
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
    earlier: Nullable(
      Natural({
        description: 'Request earlier messages with `before` set to this position; null when there are none',
      }),
    ),
    openRuns: Type.Array(Type.Object({ id: Uuid(), status: OneOf(['queued', 'running']), queuedAt: Instant() }), {
      description: 'Runs of this thread that are queued or running',
    }),
  },
  { $id: 'ThreadDetail' },
)
export type ThreadDetail = Static<typeof ThreadDetail>

/** The pro who owns threads, and the account that acts for them. */
export interface ThreadOwner {
  accountId: string
  professionalId: string
}

export interface RunRef {
  professionalId: string
  runId: string
}
