// Written by `npm run schema` from users.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** Returns undefined when the e-mail address exists, or the member has a log-in. */
export const insertUser = statement('insertUser', { nullable: ['operatorRole', 'proRole', 'lastLoginAt', 'disabledAt'], texts: { operatorRole: ['administrator', 'support', 'moderation', 'finance'], proRole: ['owner', 'dispatcher', 'worker'] } }) as One<'tx',
  { id: string; email: string; passwordHash: string; role: string; operatorRole: string; proRole: string; memberId?: string | null; accountId?: string | null; now: string | Date },
  { id: string; email: string; role: 'operator' | 'developer' | 'pro'; operatorRole: 'administrator' | 'support' | 'moderation' | 'finance' | null; proRole: 'owner' | 'dispatcher' | 'worker' | null; createdAt: string; lastLoginAt: string | null; disabledAt: string | null }>

export const selectUsers = statement('selectUsers', { nullable: ['operatorRole', 'proRole', 'lastLoginAt', 'disabledAt', 'account', 'businessName', 'linkExpiresAt'], texts: { operatorRole: ['administrator', 'support', 'moderation', 'finance'], proRole: ['owner', 'dispatcher', 'worker'] } }) as Many<'write',
  { id?: string | null; q: string; role?: string | null; isDisabled?: boolean | null; limit?: number | null; offset: number },
  { id: string; email: string; role: 'operator' | 'developer' | 'pro'; operatorRole: 'administrator' | 'support' | 'moderation' | 'finance' | null; proRole: 'owner' | 'dispatcher' | 'worker' | null; createdAt: string; lastLoginAt: string | null; disabledAt: string | null; account: string | null; businessName: string | null; linkExpiresAt: string | null; hasSecondFactor: boolean; total: number }>

/** Those who can log in. */
export const lockAdministrators = statement('lockAdministrators') as Many<'tx',
  {},
  { id: string }>

/** The user's id and password hash, unless the user is disabled. */
export const findCredentials = statement('findCredentials') as One<'write',
  { email: string },
  { id: string; passwordHash: string }>

export const updatePassword = statement('updatePassword') as One<'tx',
  { passwordHash: string; email: string },
  { id: string }>

export const lockUser = statement('lockUser') as One<'tx',
  { email: string },
  { id: string }>

export const updateDisabled = statement('updateDisabled') as One<'tx',
  { disabledAt?: string | Date | null; email: string },
  { id: string }>

export const lockOperatorRole = statement('lockOperatorRole') as One<'tx',
  { email: string },
  { id: string; role: 'operator' | 'developer' | 'pro'; operatorRole: 'administrator' | 'support' | 'moderation' | 'finance' }>

export const updateOperatorRole = statement('updateOperatorRole') as Exec<'tx',
  { operatorRole: string; id: string }>

export const findAccountOfPro = statement('findAccountOfPro') as One<'tx',
  { id?: string | null; slug?: string | null },
  { accountId: string }>

export const disableUsersOf = statement('disableUsersOf') as Many<'tx',
  { now: string | Date; accountId: string },
  { id: string }>

/** Those who were disabled at this instant. */
export const enableUsersOf = statement('enableUsersOf') as Many<'tx',
  { accountId: string; disabledAt: string | Date },
  { id: string }>
