// Written by `npm run schema` from readings.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** Claims the calendar that has been due for the longest time; see sql/functions/claim_calendar.sql. */
export const claimCalendar = statement('claimCalendar', { nullable: ['memberId', 'etag', 'lastModified', 'bodyDigest', 'expandedFrom', 'expandedZone'] }) as One<'write',
  { now: string | Date; until: string | Date },
  { id: string; professionalId: string; accountId: string; email: string; memberId: string | null; claim: number; name: string; addressEncrypted: string; etag: string | null; lastModified: string | null; bodyDigest: string | null; expandedFrom: string | null; expandedZone: string | null; failures: number; timeZone: string; changedAt: string }>

/** Ends a claim's turn: the pro's other calendars that are due go to the end of the queue. */
export const endTurn = statement('endTurn') as Exec<'write',
  { id: string; claim: number; now: string | Date; professionalId: string }>

/** Records that a reading changed the busy time. */
export const updateChanged = statement('updateChanged') as Exec<'tx',
  { now: string | Date; next: string | Date; id: string }>

export const updateFailed = statement('updateFailed', { nullable: ['lastReadAt'] }) as One<'tx',
  { now: string | Date; error: string; next: string | Date; toldBefore: string | Date; id: string; claim: number },
  { lastReadAt: string | null; isToTell: boolean }>

export const replaceBusy = statement('replaceBusy') as One<'tx',
  { busy: string; professionalId: string; id: string; now: string | Date; until: string | Date },
  { changes: number }>

export const insertConflicts = statement('insertConflicts', { nullable: ['booking'] }) as Many<'tx',
  { id: string; professionalId: string; now: string | Date; memberId?: string | null },
  { bookingId: string; startsAt: string; endsAt: string; booking: unknown },
  'booking'>

export const findReadingBacklog = statement('findReadingBacklog') as One<'read',
  { now: string | Date },
  { calendars: number; failing: number; overdueSeconds: number }>
