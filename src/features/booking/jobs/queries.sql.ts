// Written by `npm run schema` from queries.sql. Do not edit.
import { type Exec, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const insertJob = statement('insertJob') as Exec<'tx',
  { id: string; professionalId: string; serviceId?: string | null; quoteId: string; amountCents: number; units?: number | null; now: string | Date }>

/** With `only_member_id` only a job that has a visit of this member, and the ids of these visits. */
export const findJob = statement('findJob', { nullable: ['job', 'ownVisits'] }) as One<'read',
  { onlyMemberId?: string | null; id: string; professionalId: string },
  { job: unknown; ownVisits: unknown },
  'job' | 'ownVisits'>

/** A job of the pro, locked until the transaction ends; with `only_member_id` only one that has a visit of this member. */
export const lockJob = statement('lockJob', { nullable: ['serviceId', 'quoteId'] }) as One<'tx',
  { id: string; professionalId: string; onlyMemberId?: string | null },
  { id: string; status: 'scheduled' | 'in_progress' | 'completed' | 'cancelled'; professionalId: string; serviceId: string | null; quoteId: string | null }>

/** Plans the message to the pro that the customer cancelled a job. */
export const planJobCancelledMessage = statement('plan_job_cancelled_message') as Exec<'tx',
  { now: string | Date; id: string }>

/** Cancels a locked job unless it is over. */
export const saveEndedJob = statement('saveEndedJob') as Exec<'tx',
  { now: string | Date; by: string; reason?: string | null; id: string }>

export const saveJobState = statement('saveJobState') as Exec<'tx',
  { status: string; amountCents?: number | null; at: string | Date; reason?: string | null; id: string }>

export const lockJobOfQuote = statement('lockJobOfQuote') as One<'tx',
  { quoteId: string },
  { id: string; status: 'scheduled' | 'in_progress' | 'completed' | 'cancelled'; hasVisit: boolean }>

export const lockJobOfBooking = statement('lockJobOfBooking') as One<'tx',
  { bookingId: string },
  { id: string; status: 'scheduled' | 'in_progress' | 'completed' | 'cancelled'; hasVisit: boolean }>
