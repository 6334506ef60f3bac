// Written by `npm run schema` from steps.sql. Do not edit.
import { type Exec, type Many, statementsOf } from '../../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const selectSteps = statement('selectSteps', { nullable: ['remark', 'result'] }) as Many<'tx',
  { professionalId: string; runId: string },
  { number: number; turn: number; callId: string; remark: string | null; tool: string; input: string; status: 'planned' | 'done' | 'refused'; result: string | null }>

export const extendRunClaim = statement('extendRunClaim') as Many<'tx',
  { heldUntil: string | Date; steps: number; inputTokens: number; outputTokens: number; professionalId: string; runId: string; attempt: number },
  {}>

export const insertAgentSteps = statement('insertAgentSteps') as Exec<'tx',
  { professionalId: string; runId: string; now: string | Date; steps: string }>

export const finishAgentStep = statement('finishAgentStep') as Exec<'tx',
  { status: string; result: string; summary: string; durationMs: number; now: string | Date; professionalId: string; runId: string; number: number }>
