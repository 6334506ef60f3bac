// Written by `npm run schema` from queries.sql. Do not edit.
import { type Exec, type One, statementsOf } from '../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const findIdempotent = statement('find_idempotent', { nullable: ['outcome', 'result'] }) as One<'tx',
  { accountId: string; operation: string; key: string; requestHash: Buffer; now: string | Date },
  { outcome: unknown; result: unknown },
  'outcome' | 'result'>

export const keepIdempotent = statement('keep_idempotent') as Exec<'tx',
  { accountId: string; operation: string; key: string; requestHash: Buffer; outcome: string; now: string | Date }>
