// Written by `npm run schema` from queries.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const upsertDeadLetter = statement('upsertDeadLetter') as Exec<'write',
  { id: string; actor: string; messageId: string; data: string; error: string; attempts: number; traceparent?: string | null; now: string | Date }>

/** Changes nothing when the dead letter was discarded meanwhile. */
export const updateFailedRetry = statement('updateFailedRetry') as Exec<'write',
  { error: string; attempts: number; now: string | Date; id: string }>

export const deleteDeadLetter = statement('deleteDeadLetter') as Exec<'write',
  { id: string }>

export const markRetried = statement('markRetried', { nullable: ['data', 'traceparent', 'retriedAt', 'firstFailedAt'] }) as One<'write',
  { now: string | Date; id: string },
  { id: string; actor: string; messageId: string; data: unknown; error: string; attempts: number; traceparent: string | null; failedAt: string; retriedAt: string | null; firstFailedAt: string | null },
  'data'>

/** Those of one id or of one actor that are not on their way, the oldest first. */
export const markSentAgain = statement('markSentAgain', { nullable: ['data', 'traceparent', 'retriedAt', 'firstFailedAt'] }) as Many<'tx',
  { id?: string | null; actor?: string | null; limit: number; now: string | Date },
  { id: string; actor: string; messageId: string; data: unknown; error: string; attempts: number; traceparent: string | null; failedAt: string; retriedAt: string | null; firstFailedAt: string | null },
  'data'>

export const takeDeadLetter = statement('takeDeadLetter') as One<'tx',
  { id: string },
  { actor: string; messageId: string; error: string; attempts: number }>

export const findKept = statement('findKept') as One<'write',
  { id: string },
  { isKept: boolean; isOnItsWay: boolean }>

/** The latest first, with the event and the pro that each is about. `relay-outbox` names an event, and `run-agent-tasks` a pro. */
export const selectLetters = statement('selectLetters', { nullable: ['retriedAt', 'eventType', 'bookingId', 'professionalId', 'businessName'] }) as Many<'read',
  { id?: string | null; limit: number; offset: number },
  { id: string; actor: string; error: string; attempts: number; firstFailedAt: string; failedAt: string; retriedAt: string | null; eventType: string | null; bookingId: string | null; professionalId: string | null; businessName: string | null }>

export const claimUnacknowledged = statement('claimUnacknowledged', { nullable: ['data', 'traceparent', 'retriedAt', 'firstFailedAt'] }) as Many<'write',
  { before: string | Date; limit: number; now: string | Date },
  { id: string; actor: string; messageId: string; data: unknown; error: string; attempts: number; traceparent: string | null; failedAt: string; retriedAt: string | null; firstFailedAt: string | null },
  'data'>

export const selectDeadLetterCount = statement('selectDeadLetterCount') as One<'read',
  { actor: string },
  { count: number }>
