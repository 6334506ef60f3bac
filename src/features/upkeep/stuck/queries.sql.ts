// Written by `npm run schema` from queries.sql. Do not edit.
import { type Many, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** Each counts to 1,000. `retried` are messages that wait for another attempt. */
export const countStuck = statement('countStuck') as One<'read',
  { since: string | Date },
  { endpoints: number; messages: number; letters: number; retried: number }>

/** The latest first. A recipient who unsubscribed wants no message, so it is not held. */
export const selectUndelivered = statement('selectUndelivered', { nullable: ['outcome'] }) as Many<'read',
  { since: string | Date; limit: number; offset: number },
  { id: number; kind: string; recipient: string; status: 'pending' | 'sent' | 'failed' | 'suppressed' | 'dropped' | 'joined'; outcome: string | null; finishedAt: string; isKept: boolean; hasBounced: boolean }>
