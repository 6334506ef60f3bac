// Written by `npm run schema` from log.sql. Do not edit.
import { type Many, type One, statementsOf } from '../../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** The messages about a pro's booking, oldest first. */
export const selectBookingMessages = statement('selectBookingMessages', { nullable: ['sentAt'] }) as Many<'read',
  { bookingId: string; professionalId: string },
  { kind: string; recipient: string; status: 'pending' | 'sent' | 'failed' | 'suppressed' | 'dropped' | 'joined'; sentAt: string | null }>

/** Newest first. */
export const selectMessages = statement('selectMessages', { nullable: ['outcome', 'nextAttemptAt', 'finishedAt'] }) as Many<'read',
  { recipient?: string | null; status?: string | null; limit: number; offset: number },
  { id: number; kind: string; recipient: string; status: 'pending' | 'sent' | 'failed' | 'suppressed' | 'dropped' | 'joined'; attempts: number; outcome: string | null; sendAt: string; nextAttemptAt: string | null; createdAt: string; finishedAt: string | null }>

export const findMessage = statement('findMessage', { nullable: ['outcome', 'nextAttemptAt', 'finishedAt', 'bookingId', 'data'] }) as One<'read',
  { now: string | Date; id: number },
  { id: number; kind: string; recipient: string; status: 'pending' | 'sent' | 'failed' | 'suppressed' | 'dropped' | 'joined'; attempts: number; outcome: string | null; sendAt: string; nextAttemptAt: string | null; createdAt: string; finishedAt: string | null; bookingId: string | null; isSecret: boolean; data: unknown },
  'data'>

export const updateToDue = statement('updateToDue', { nullable: ['bookingId'] }) as Many<'write',
  { now: string | Date; id: number },
  { kind: string; bookingId: string | null }>
