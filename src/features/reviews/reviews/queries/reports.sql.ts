// Written by `npm run schema` from reports.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** Of a locked review. */
export const countReports = statement('countReports') as One<'tx',
  { reviewId: string },
  { total: number; open: number }>

export const insertReport = statement('insertReport') as Exec<'tx',
  { id: string; reviewId: string; professionalId: string; number: number; reason: string; words: string; now: string | Date }>

/** Closes the open report of a locked review. */
export const decideReport = statement('decideReport') as One<'tx',
  { now: string | Date; outcome: string; answer: string; by?: string | null; reviewId: string },
  { id: string; number: number; professionalId: string; businessName: string; email: string; content: string }>

export const findLastOutcome = statement('findLastOutcome', { nullable: ['outcome'] }) as One<'tx',
  { reviewId: string },
  { outcome: 'kept' | 'taken_down' | null }>

export const isOpenReport = statement('isOpenReport') as One<'tx',
  { id: string; reviewId: string },
  { open: boolean }>

/** The last report of each review that has one. */
export const selectLastReports = statement('selectLastReports', { nullable: ['decidedAt', 'outcome', 'answer'] }) as Many<'write',
  { ids: string },
  { reviewId: string; number: number; createdAt: string; decidedAt: string | null; outcome: 'kept' | 'taken_down' | null; answer: string | null }>
