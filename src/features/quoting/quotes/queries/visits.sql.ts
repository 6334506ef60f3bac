// Written by `npm run schema` from visits.sql. Do not edit.
import { type One, statementsOf } from '../../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** The visit of a quote's job; undefined before the quote is accepted. */
export const findVisit = statement('findVisit', { nullable: ['minutes', 'bookingId', 'cancelledBy'] }) as One<'write',
  { now: string | Date; quoteId: string },
  { jobStatus: 'scheduled' | 'in_progress' | 'completed' | 'cancelled'; professionalId: string; minutes: number | null; bookingId: string | null; isOpen: boolean; hasBegun: boolean; cancelledBy: 'customer' | 'pro' | null; canCancel: boolean }>

export const bookVisit = statement('book_visit', { nullable: ['visitId'], texts: { outcome: ['booked', 'date_out_of_range', 'has_visit', 'not_possible', 'slot_unavailable'] } }) as One<'write',
  { professionalId: string; quoteId: string; date: string; minute: number; bookingId: string; confirmationCode: string; firstEventId: string; secondEventId: string; traceparent?: string | null; accountId: string; now: string | Date },
  { outcome: 'booked' | 'date_out_of_range' | 'has_visit' | 'not_possible' | 'slot_unavailable'; visitId: string | null }>
