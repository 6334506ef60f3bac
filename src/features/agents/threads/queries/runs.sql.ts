// Written by `npm run schema` from runs.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const insertAgentRun = statement('insertAgentRun') as Exec<'tx',
  { professionalId: string; runId: string; accountId: string; kind: string; threadId?: string | null; goalPosition?: number | null; goal: string; traceparent?: string | null; now: string | Date }>

export const countOpenAgentRuns = statement('countOpenAgentRuns') as One<'tx',
  { professionalId: string },
  { open: number }>

export const findAgentRun = statement('findAgentRun', { nullable: ['threadId', 'answer', 'failure', 'model', 'startedAt', 'finishedAt', 'steps', 'proposals'], texts: { failure: ['deadline', 'internal_error', 'interrupted', 'model_cut_off', 'model_refused', 'model_unavailable', 'model_unusable', 'not_understood', 'step_limit', 'time_limit', 'token_limit'] } }) as One<'read',
  { now: string | Date; professionalId: string; runId: string },
  { id: string; kind: 'run_agent' | 'chat_on_thread'; status: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'; goal: string; threadId: string | null; answer: string | null; failure: 'deadline' | 'internal_error' | 'interrupted' | 'model_cut_off' | 'model_refused' | 'model_unavailable' | 'model_unusable' | 'not_understood' | 'step_limit' | 'time_limit' | 'token_limit' | null; model: string | null; inputTokens: number; outputTokens: number; queuedAt: string; deadlineAt: string; startedAt: string | null; finishedAt: string | null; steps: unknown; proposals: unknown },
  'steps' | 'proposals'>

export const findAgentRunState = statement('findAgentRunState') as One<'write',
  { professionalId: string; runId: string },
  { status: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled' }>

/** The open runs of a thread, oldest first. */
export const selectOpenRunsOf = statement('selectOpenRunsOf', { texts: { status: ['queued', 'running'] } }) as Many<'read',
  { professionalId: string; threadId: string },
  { id: string; status: 'queued' | 'running'; queuedAt: string }>

/** The run, locked until the transaction ends. Lock order: the run, then the pro's ledger. */
export const lockRun = statement('lockRun', { nullable: ['threadId', 'goalPosition'] }) as One<'tx',
  { professionalId: string; runId: string },
  { professionalId: string; runId: string; accountId: string; threadId: string | null; goalPosition: number | null; goal: string; status: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'; attempt: number; stepCount: number; inputTokens: number; outputTokens: number; deadlineAt: string; queuedAt: string }>

export const startAgentRun = statement('startAgentRun') as Many<'tx',
  { model: string; heldUntil: string | Date; now: string | Date; professionalId: string; runId: string },
  {}>

export const endAgentRun = statement('endAgentRun') as Exec<'tx',
  { status: string; answer?: string | null; failure?: string | null; now: string | Date; professionalId: string; runId: string }>

/** The next run of each pro that no worker has: queued, or left by a dead worker. Oldest first. */
export const selectRunsToExecute = statement('selectRunsToExecute', { nullable: ['traceparent'] }) as Many<'write',
  { now: string | Date; limit: number },
  { professionalId: string; runId: string; traceparent: string | null }>

/** Open runs past their deadline. */
export const selectOverdueRuns = statement('selectOverdueRuns') as Many<'write',
  { now: string | Date; limit: number },
  { professionalId: string; runId: string }>

export const findAgentRunBacklog = statement('findAgentRunBacklog') as One<'read',
  { now: string | Date },
  { queued: number; running: number; oldestSeconds: number }>
