// Written by `npm run schema` from calendars.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** Locks the pro's schedule until the transaction ends; see sql/functions/lock_schedule.sql. */
export const lockSchedule = statement('lock_schedule') as Exec<'tx',
  { professionalId: string }>

export const lockMemberOfCalendar = statement('lockMemberOfCalendar') as Many<'tx',
  { professionalId: string; id: string },
  { id: string }>

export const updateDue = statement('updateDue') as One<'tx',
  { notAfter: string | Date; now: string | Date; professionalId: string; id: string },
  { isDue: boolean }>

/** Wakes the readers when the transaction is committed. */
export const notifyReaders = statement('notifyReaders') as Exec<'tx',
  {}>

/** The first times after `now` that imported calendars block, in order. */
export const selectImportedTimes = statement('selectImportedTimes') as Many<'read',
  { professionalId: string; from: string | Date; days: number; limit: number },
  { calendarId: string; startsAt: string; endsAt: string }>

export const selectCalendars = statement('selectCalendars', { nullable: ['memberId', 'lastReadAt', 'lastError', 'failingSince'], texts: { status: ['failing', 'waiting', 'working'] } }) as Many<'read',
  { professionalId: string },
  { id: string; name: string; address: string; memberId: string | null; lastReadAt: string | null; lastError: string | null; failingSince: string | null; nextReadAt: string; eventCount: number; unreadableEventCount: number; createdAt: string; status: 'failing' | 'waiting' | 'working' }>

/** Undefined when the pro has imported this address before. */
export const insertCalendar = statement('insertCalendar', { nullable: ['memberId', 'lastReadAt', 'lastError', 'failingSince'], texts: { status: ['failing', 'waiting', 'working'] } }) as One<'tx',
  { id: string; professionalId: string; memberId?: string | null; name: string; addressEncrypted: string; addressDigest: string; host: string; now: string | Date },
  { id: string; name: string; address: string; memberId: string | null; lastReadAt: string | null; lastError: string | null; failingSince: string | null; nextReadAt: string; eventCount: number; unreadableEventCount: number; createdAt: string; status: 'failing' | 'waiting' | 'working' }>

export const deleteCalendar = statement('deleteCalendar') as Many<'tx',
  { professionalId: string; id: string },
  { id: string }>

export const deleteCalendarsOfMember = statement('deleteCalendarsOfMember') as Many<'tx',
  { professionalId: string; memberId: string },
  { id: string }>
