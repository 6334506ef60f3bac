// Written by `npm run schema` from changes.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const saveBookingState = statement('saveBookingState', { nullable: ['booking'] }) as Many<'tx',
  { status: string; at: string | Date; by: string; reason?: string | null; id: string },
  { booking: unknown; eventSequence: number },
  'booking'>

/** Records the end of a locked booking's hold, with its event. */
export const lapseHold = statement('lapse_hold') as Exec<'tx',
  { now: string | Date; id: string }>

export const lapseHolds = statement('lapse_holds') as One<'write',
  { now: string | Date; limit: number },
  { lapsed: number }>

export const selectUnanswered = statement('selectUnanswered') as Many<'write',
  { now: string | Date; limit: number },
  { id: string }>

/** Assigns a locked booking to a member. */
export const saveAssignment = statement('saveAssignment') as Exec<'tx',
  { memberId: string; id: string }>

/** Unassigns a member's open bookings. */
export const clearAssignments = statement('clearAssignments') as Exec<'tx',
  { professionalId: string; memberId: string }>

export const findOpenVisit = statement('findOpenVisit') as One<'tx',
  { professionalId: string; jobId: string },
  { id: string }>

/** Waits for concurrent changes of the pro's schedule. Call it before locking any row. */
export const lockSchedule = statement('lock_schedule') as Exec<'tx',
  { professionalId: string }>

export const rescheduleBooking = statement('reschedule_booking', { nullable: ['outcome', 'booking', 'eventSequence', 'nextAvailable'] }) as Many<'tx',
  { id: string; date?: string | null; minute?: number | null; instant?: string | Date | null; isLate: boolean; now: string | Date; baseUrl: string },
  { outcome: unknown; booking: unknown; eventSequence: unknown; nextAvailable: unknown },
  'outcome' | 'booking' | 'eventSequence' | 'nextAvailable'>

export const proposeTime = statement('propose_time', { nullable: ['outcome', 'nextAvailable'] }) as Many<'tx',
  { id: string; date?: string | null; minute?: number | null; instant?: string | Date | null; message?: string | null; now: string | Date; baseUrl: string },
  { outcome: unknown; nextAvailable: unknown },
  'outcome' | 'nextAvailable'>

export const findProposedStart = statement('findProposedStart') as One<'tx',
  { id: string },
  { startsAt: string }>

export const declineProposedTime = statement('declineProposedTime') as Exec<'tx',
  { now: string | Date; id: string }>

export const findDeclinedBooking = statement('findDeclinedBooking', { nullable: ['booking'] }) as Many<'tx',
  { id: string },
  { booking: unknown },
  'booking'>

export const findCancellationTerms = statement('findCancellationTerms', { nullable: ['freeCancellationUntil', 'balance', 'quoteId', 'quoteValidUntil'], texts: { status: ['pending', 'confirmed', 'completed', 'no_show', 'cancelled'] } }) as One<'write',
  { now: string | Date; id: string },
  { status: 'pending' | 'confirmed' | 'completed' | 'no_show' | 'cancelled'; startsAt: string; freeCancellationUntil: string | null; balance: unknown; hasWorkBegun: boolean; timeZone: string; quoteId: string | null; quoteValidUntil: string | null },
  'balance'>

/** An operator cancelled it in the pro's place: the pro hears of it as of every other cancellation. */
export const tellProOfCancellation = statement('tellProOfCancellation') as Exec<'tx',
  { now: string | Date; id: string }>
