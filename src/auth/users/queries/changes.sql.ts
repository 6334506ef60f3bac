// Written by `npm run schema` from changes.sql. Do not edit.
import { type Exec, type Many, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const insertChange = statement('insertChange') as Exec<'tx',
  { id: string; userId: string; action: string; operatorRole?: string | null; by?: string | null; at: string | Date }>

/** Newest first. */
export const selectChanges = statement('selectChanges', { nullable: ['operatorRole', 'by'], texts: { operatorRole: ['administrator', 'support', 'moderation', 'finance'] } }) as Many<'write',
  { userId: string; limit: number },
  { action: 'created' | 'disabled' | 'enabled' | 'logged_out' | 'link_made' | 'password_set' | 'role_given' | 'email_changed' | 'factor_set_up' | 'factor_removed' | 'recovery_codes_made' | 'recovery_code_used'; operatorRole: 'administrator' | 'support' | 'moderation' | 'finance' | null; at: string; by: string | null }>
