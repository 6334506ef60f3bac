// Written by `npm run schema` from queries.sql. Do not edit.
import { type Many, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** A user who runs the marketplace and may log in. */
export const findOperator = statement('findOperator') as One<'read',
  { email: string },
  { id: string }>

/** The key with the id, if it is one of an operator's programs. */
export const findOperatorKey = statement('findOperatorKey', { nullable: ['scopes', 'userId'] }) as One<'tx',
  { id: string },
  { id: string; name: string; lastFour: string; scopes: unknown; owner: string; userId: string | null },
  'scopes'>

/** The keys of the operator, or of all, newest first. */
export const selectOperatorKeys = statement('selectOperatorKeys', { nullable: ['scopes', 'expiresAt', 'revokedAt', 'lastUsedAt', 'replacedBy'] }) as Many<'write',
  { userId?: string | null },
  { id: string; name: string; mode: 'live' | 'test'; lastFour: string; scopes: unknown; createdAt: string; expiresAt: string | null; revokedAt: string | null; lastUsedAt: string | null; replacedBy: string | null; owner: string; userId: string; role: 'administrator' | 'support' | 'moderation' | 'finance'; isDisabled: boolean },
  'scopes'>
