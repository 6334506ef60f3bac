// Written by `npm run schema` from prepared-work.sql. Do not edit.
import { type Exec, type One, statementsOf } from '../../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const insertPrepared = statement('insertPrepared') as Exec<'tx',
  { id: string; professionalId: string; kind: string; rfqId?: string | null; bookingId?: string | null; jobId?: string | null; day?: string | null; quoteId?: string | null; content: string; now: string | Date }>

export const findAssessment = statement('findAssessment', { nullable: ['content'] }) as One<'read',
  { professionalId: string; id?: string | null; rfqId?: string | null; bookingId?: string | null; jobId?: string | null },
  { content: unknown },
  'content'>

export const findBasis = statement('findBasis', { nullable: ['content'] }) as One<'read',
  { professionalId: string; quoteId: string },
  { content: unknown },
  'content'>
