// Written by `npm run schema` from export.sql. Do not edit.
import { type Many, type One, statementsOf } from '../../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const findAccountOfExport = statement('findAccountOfExport', { nullable: ['sessions', 'connectedApps'] }) as One<'write',
  { email: string },
  { createdAt: string; sessions: unknown; connectedApps: unknown },
  'sessions' | 'connectedApps'>

export const findRefusalsOfExport = statement('findRefusalsOfExport', { nullable: ['blocks', 'suppressedMessages', 'operators'] }) as One<'write',
  { email: string },
  { blocks: unknown; suppressedMessages: unknown; operators: unknown },
  'blocks' | 'suppressedMessages' | 'operators'>

export const selectBookingsOfExport = statement('selectBookingsOfExport', { nullable: ['shown'] }) as Many<'write',
  { now: string | Date; bookings: string },
  { shown: unknown },
  'shown'>

export const selectRequestsOfExport = statement('selectRequestsOfExport', { nullable: ['shown'] }) as Many<'write',
  { now: string | Date; rfqs: string },
  { shown: unknown },
  'shown'>

export const selectJobsOfExport = statement('selectJobsOfExport', { nullable: ['shown'] }) as Many<'write',
  { jobs: string },
  { shown: unknown },
  'shown'>

export const selectReviewsOfExport = statement('selectReviewsOfExport', { nullable: ['shown'] }) as Many<'write',
  { reviews: string },
  { shown: unknown },
  'shown'>

export const selectFilesOfExport = statement('selectFilesOfExport', { nullable: ['file'] }) as Many<'write',
  { rfqs: string; jobs: string; reviews: string },
  { file: unknown },
  'file'>

export const selectPaymentsOfExport = statement('selectPaymentsOfExport', { nullable: ['shown'] }) as Many<'write',
  { payments: string },
  { shown: unknown },
  'shown'>

export const selectPreparedWorkOfExport = statement('selectPreparedWorkOfExport', { nullable: ['shown'] }) as Many<'write',
  { bookings: string; rfqs: string; jobs: string },
  { shown: unknown },
  'shown'>

export const selectEventsOfExport = statement('selectEventsOfExport', { nullable: ['shown'] }) as Many<'write',
  { recordIds: string; after: string; limit: number },
  { id: string; shown: unknown },
  'shown'>

export const selectApplicationsOfExport = statement('selectApplicationsOfExport', { nullable: ['shown'] }) as Many<'write',
  { email: string },
  { shown: unknown },
  'shown'>
