// Written by `npm run schema` from queries.sql. Do not edit.
import { type Exec, type One, statementsOf } from '../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const findAccountOfCustomer = statement('findAccountOfCustomer') as One<'tx',
  { email: string },
  { accountId: string }>

export const insertCustomer = statement('insertCustomer') as Exec<'tx',
  { accountId: string; email: string; at: string | Date; accountEmail: string }>

export const insertCustomerSession = statement('insertCustomerSession') as Exec<'tx',
  { tokenHash: Buffer; accountId: string; customerEmail: string; now: string | Date; expiresAt: string | Date; endsAt: string | Date }>

/** Undefined as well when the customer has another address now than the one that was proven. */
export const findCustomerSession = statement('findCustomerSession') as One<'write',
  { tokenHash: Buffer; now: string | Date },
  { accountId: string; customerEmail: string; expiresAt: string; endsAt: string }>

export const extendCustomerSession = statement('extendCustomerSession') as Exec<'write',
  { expiresAt: string | Date; tokenHash: Buffer }>

export const deleteCustomerSession = statement('deleteCustomerSession') as Exec<'write',
  { tokenHash: Buffer }>
