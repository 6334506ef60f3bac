// Written by `npm run schema` from pro-records.sql. Do not edit.
import { type Many, statementsOf } from '../../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** The customer's latest ten requests, bookings and jobs with the pro, by e-mail address, without the subject itself. */
export const selectCustomerHistory = statement('selectCustomerHistory', { nullable: ['service', 'amount'], texts: { kind: ['booking', 'job', 'request'] } }) as Many<'read',
  { professionalId: string; email: string; exceptId: string },
  { kind: 'booking' | 'job' | 'request'; service: string | null; status: string; date: string; amount: number | null }>

/** Photos of a request, and of published reviews of its job. */
export const selectMedia = statement('selectMedia', { nullable: ['caption'], texts: { from: ['request', 'review'] } }) as Many<'read',
  { rfqId?: string | null; professionalId: string; jobId?: string | null },
  { url: string; caption: string | null; from: 'request' | 'review'; at: string }>
