// Written by `npm run schema` from suppressions.sql. Do not edit.
import { type Exec, type Many, statementsOf } from '../../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const insertSuppression = statement('insertSuppression') as Exec<'write',
  { email: string; reason: string; detail?: string | null; now: string | Date }>

export const deleteSuppression = statement('deleteSuppression') as Many<'write',
  { email: string; reason: string },
  {}>

export const selectSuppressions = statement('selectSuppressions', { nullable: ['detail'] }) as Many<'read',
  { email: string },
  { email: string; reason: 'bounced' | 'unsubscribed'; detail: string | null; createdAt: string }>
