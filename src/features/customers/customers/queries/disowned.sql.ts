// Written by `npm run schema` from disowned.sql. Do not edit.
import { type One, statementsOf } from '../../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const selectDisowned = statement('selectDisowned', { nullable: ['rows'] }) as One<'write',
  { limit: number; offset: number },
  { total: number; rows: unknown },
  'rows'>
