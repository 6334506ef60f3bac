// Written by `npm run schema` from queries.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** Locks the pro's schedule until the transaction ends; see sql/functions/lock_schedule.sql. */
export const lockSchedule = statement('lock_schedule') as Exec<'tx',
  { professionalId: string }>

export const findSchedule = statement('findSchedule', { nullable: ['schedule'] }) as One<'read',
  { now: string | Date; professionalId: string },
  { schedule: unknown },
  'schedule'>

export const updateSchedule = statement('updateSchedule') as One<'tx',
  { instantBookingEnabled?: boolean | null; requiresApproval?: boolean | null; bookingLeadTimeHours?: number | null; bookingBufferMinutes?: number | null; defaultSlotMinutes?: number | null; depositRequired?: boolean | null; keepsDeposit: boolean; depositPercentage?: number | null; keepsReminders: boolean; reminderHours?: number | null; timezone?: string | null; businessHours?: string | null; now: string | Date; professionalId: string },
  { eventSequence: number }>

export const insertBlock = statement('insertBlock', { nullable: ['block'] }) as One<'tx',
  { id: string; professionalId: string; startsAt: string | Date; endsAt: string | Date; reason?: string | null; createdAt: string | Date },
  { block: unknown },
  'block'>

export const deleteBlock = statement('deleteBlock') as Many<'tx',
  { id: string; professionalId: string },
  { id: string }>

export const selectBookingsWithin = statement('selectBookingsWithin') as Many<'tx',
  { professionalId: string; now: string | Date; endsAt: string | Date; startsAt: string | Date },
  { id: string }>

export const findClockSpan = statement('findClockSpan') as One<'read',
  { date: string; minute: number; endDate: string; endMinute: number; professionalId: string },
  { startsAt: string; endsAt: string }>
