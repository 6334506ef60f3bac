// Written by `npm run schema` from queries.sql. Do not edit.
import { type Many, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const selectCustomerBlocks = statement('selectCustomerBlocks', { nullable: ['customers'] }) as One<'read',
  { professionalId: string; limit: number; offset: number },
  { total: number; customers: unknown },
  'customers'>

export const findBookedEmail = statement('findBookedEmail') as One<'tx',
  { bookingId: string; professionalId: string },
  { email: string }>

export const insertCustomerBlock = statement('insertCustomerBlock', { nullable: ['reason'] }) as Many<'tx',
  { id: string; professionalId: string; email: string; reason?: string | null; now: string | Date },
  { id: string; email: string; reason: string | null; createdAt: string }>

export const deleteCustomerBlock = statement('deleteCustomerBlock') as Many<'write',
  { id: string; professionalId: string },
  { id: string }>
