// Written by `npm run schema` from password-links.sql. Do not edit.
import { type Exec, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** Creates the user's link, which replaces the previous one. */
export const upsertLink = statement('upsertLink') as Exec<'tx',
  { userId: string; tokenHash: Buffer; createdAt: string | Date; expiresAt: string | Date }>

/** The user's link, which may have expired. */
export const findLinkOf = statement('findLinkOf') as One<'tx',
  { userId: string },
  { tokenHash: Buffer; createdAt: string; expiresAt: string }>

/** The user of a link; undefined when the link has expired or the user is disabled. */
export const findLink = statement('findLink') as One<'write',
  { tokenHash: Buffer; now: string | Date },
  { userId: string; email: string; role: 'operator' | 'developer' | 'pro' }>

export const deleteLinkOf = statement('deleteLinkOf') as Exec<'tx',
  { userId: string }>
