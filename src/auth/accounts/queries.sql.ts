// Written by `npm run schema` from queries.sql. Do not edit.
import { type Many, type One, statementsOf } from '../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const findAccountByEmail = statement('findAccountByEmail', { nullable: ['testOf'] }) as One<'write',
  { email: string },
  { id: string; kind: 'developer' | 'pro' | 'client' | 'customer' | 'operator'; email: string; testOf: string | null }>

export const insertAccount = statement('insertAccount') as Many<'write',
  { id: string; kind: string; email: string; name: string; createdAt: string | Date; testOf?: string | null },
  { id: string }>

export const actsForPro = statement('acts_for_pro') as One<'write',
  { accountId: string; professionalId: string },
  { acts: boolean }>
