// Written by `npm run schema` from queries.sql. Do not edit.
import { type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const maintainPartitions = statement('maintain_partitions') as One<'write',
  { of: string; by: string; now: string | Date; before: string },
  { dropped: number }>
