// Written by `npm run schema` from sessions.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const insertSession = statement('insertSession') as Many<'write',
  { now: string | Date; userId: string; passwordHash: string; tokenHash: Buffer; expiresAt: string | Date; endsAt: string | Date },
  {}>

export const findSession = statement('findSession', { nullable: ['accountId', 'accountEmail', 'testAccountId', 'professionalId', 'businessName'] }) as One<'write',
  { tokenHash: Buffer; now: string | Date },
  { userId: string; email: string; role: 'operator' | 'developer' | 'pro'; accountId: string | null; accountEmail: string | null; testAccountId: string | null; professionalId: string | null; businessName: string | null; expiresAt: string; endsAt: string }>

export const extendSession = statement('extendSession') as Exec<'write',
  { expiresAt: string | Date; tokenHash: Buffer }>

export const setTestAccount = statement('setTestAccount') as Exec<'write',
  { testAccountId?: string | null; tokenHash: Buffer }>

export const deleteSession = statement('deleteSession') as Exec<'write',
  { tokenHash: Buffer }>

export const countAccess = statement('countAccess') as One<'write',
  { userId: string; at: string | Date },
  { sessions: number; apps: number }>

export const deleteSessionsOf = statement('deleteSessionsOf') as Exec<'tx',
  { userId: string }>
