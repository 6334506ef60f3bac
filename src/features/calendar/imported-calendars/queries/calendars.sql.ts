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
