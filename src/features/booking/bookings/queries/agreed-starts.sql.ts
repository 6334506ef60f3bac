// Written by `npm run schema` from agreed-starts.sql. Do not edit.
import { type Many, type One, statementsOf } from '../../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const selectProsWithDrifted = statement('selectProsWithDrifted') as Many<'write',
  { now: string | Date; after: string; limit: number },
  { id: string; drifted: boolean }>

/** A pro's drifted bookings, ordered so that no booking is moved to the time of one that still has to move. */
export const selectDrifted = statement('selectDrifted') as Many<'write',
  { professionalId: string; now: string | Date },
  { id: string; confirmationCode: string; localStart: string; timeZone: string; startsAt: string; agreedStart: string }>

export const rescheduleToAgreedStart = statement('reschedule_to_agreed_start', { nullable: ['outcome', 'booking', 'eventSequence'] }) as One<'tx',
  { id: string; now: string | Date },
  { outcome: unknown; booking: unknown; eventSequence: unknown },
  'outcome' | 'booking' | 'eventSequence'>
