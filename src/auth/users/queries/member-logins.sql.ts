// Written by `npm run schema` from member-logins.sql. Do not edit.
import { type Exec, type Many, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** Those who log in for an account, owners first. */
export const selectLogins = statement('selectLogins', { nullable: ['proRole', 'memberId', 'lastLoginAt', 'disabledAt', 'linkExpiresAt'], texts: { proRole: ['owner', 'dispatcher', 'worker'] } }) as Many<'write',
  { accountId: string; limit: number },
  { id: string; email: string; proRole: 'owner' | 'dispatcher' | 'worker' | null; memberId: string | null; lastLoginAt: string | null; disabledAt: string | null; linkExpiresAt: string | null }>

/** The same, locked in one order, so that owners cannot end one another's log-ins at the same moment. */
export const lockLogins = statement('lockLogins', { nullable: ['proRole', 'memberId', 'lastLoginAt', 'disabledAt'], texts: { proRole: ['owner', 'dispatcher', 'worker'] } }) as Many<'tx',
  { accountId: string },
  { id: string; email: string; proRole: 'owner' | 'dispatcher' | 'worker' | null; memberId: string | null; lastLoginAt: string | null; disabledAt: string | null }>

export const updateProRole = statement('updateProRole') as Exec<'tx',
  { proRole: string; id: string }>

/** The row stays, because the history of changes names it. Its address is free for another log-in, and its second factor is gone. */
export const endLogin = statement('endLogin') as Exec<'tx',
  { id: string; now: string | Date }>
