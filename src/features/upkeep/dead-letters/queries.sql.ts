// Written by `npm run schema` from queries.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const upsertDeadLetter = statement('upsertDeadLetter') as Exec<'write',
  { id: string; actor: string; messageId: string; data: string; error: string; attempts: number; traceparent?: string | null; now: string | Date }>

export const deleteDeadLetter = statement('deleteDeadLetter') as Exec<'write',
  { id: string }>

export const markRetried = statement('markRetried', { nullable: ['data', 'traceparent', 'retriedAt'] }) as One<'write',
  { now: string | Date; id: string },
  { id: string; actor: string; messageId: string; data: unknown; error: string; attempts: number; traceparent: string | null; failedAt: string; retriedAt: string | null },
  'data'>

export const claimUnacknowledged = statement('claimUnacknowledged', { nullable: ['data', 'traceparent', 'retriedAt'] }) as Many<'write',
  { before: string | Date; limit: number; now: string | Date },
  { id: string; actor: string; messageId: string; data: unknown; error: string; attempts: number; traceparent: string | null; failedAt: string; retriedAt: string | null },
  'data'>

export const selectDeadLetterCount = statement('selectDeadLetterCount') as One<'read',
  { actor: string },
  { count: number }>
