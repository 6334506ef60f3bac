// Written by `npm run schema` from sessions.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** Lock the user before: it must see a second factor that was set up meanwhile. */
export const insertSession = statement('insertSession') as Many<'tx',
  { now: string | Date; userId: string; passwordHash: string; hasProvenFactor: boolean; tokenHash: Buffer; expiresAt: string | Date; endsAt: string | Date },
  {}>

export const findSession = statement('findSession', { nullable: ['operatorRole', 'proRole', 'memberId', 'accountId', 'accountEmail', 'testAccountId', 'professionalId', 'businessName', 'pausedBy'], texts: { operatorRole: ['administrator', 'support', 'moderation', 'finance'], proRole: ['owner', 'dispatcher', 'worker'], pausedBy: ['operator', 'pro'] } }) as One<'write',
  { tokenHash: Buffer; now: string | Date },
  { userId: string; email: string; role: 'operator' | 'developer' | 'pro'; operatorRole: 'administrator' | 'support' | 'moderation' | 'finance' | null; proRole: 'owner' | 'dispatcher' | 'worker' | null; memberId: string | null; accountId: string | null; accountEmail: string | null; testAccountId: string | null; professionalId: string | null; businessName: string | null; pausedBy: 'operator' | 'pro' | null; mustSetUpFactor: boolean; expiresAt: string; endsAt: string }>

export const extendSession = statement('extendSession') as Exec<'write',
  { expiresAt: string | Date; tokenHash: Buffer }>

/** Sets the test account whose data the session's pages show; null for the live one. */
export const setTestAccount = statement('setTestAccount') as Exec<'write',
  { testAccountId?: string | null; tokenHash: Buffer }>

export const deleteSession = statement('deleteSession') as Exec<'write',
  { tokenHash: Buffer }>

export const countAccess = statement('countAccess') as One<'write',
  { userId: string; at: string | Date },
  { sessions: number; apps: number }>

/** Ends all sessions of the user. Run it after the change itself, so that it sees a login which the change waited for. */
export const deleteSessionsOf = statement('deleteSessionsOf') as Exec<'tx',
  { userId: string }>

/** All but one. Lock the user before, as for all of them. */
export const deleteOtherSessionsOf = statement('deleteOtherSessionsOf') as Exec<'tx',
  { userId: string; tokenHash: Buffer }>
