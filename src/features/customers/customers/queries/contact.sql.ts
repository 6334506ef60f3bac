// Written by `npm run schema` from contact.sql. Do not edit.
import { type One, statementsOf } from '../../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const selectLatestContact = statement('selectLatestContact', { nullable: ['phone', 'address'] }) as One<'write',
  { customerEmail: string },
  { name: string; phone: string | null; address: unknown },
  'address'>
