// Written by `npm run schema` from customer.sql. Do not edit.
import { type Many, type One, statementsOf } from '../../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const selectOpenRequests = statement('selectOpenRequests') as Many<'tx',
  { ids: string },
  { id: string; status: 'new' | 'responded' | 'archived' }>

export const findAccountKind = statement('findAccountKind') as One<'read',
  { email: string },
  { kind: string }>
