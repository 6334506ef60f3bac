// Written by `npm run schema` from clients.sql. Do not edit.
import { type Exec, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const findClient = statement('findClient', { nullable: ['uri', 'readAt', 'etag'] }) as One<'read',
  { id: string },
  { id: string; name: string; redirectUris: string[]; uri: string | null; readAt: string | null; freshSeconds: number; staleSeconds: number; etag: string | null }>

/** Inserts a registered app. */
export const insertClient = statement('insertClient') as Exec<'write',
  { id: string; name: string; redirectUris: readonly string[]; uri?: string | null; now: string | Date }>

export const saveOAuthDocument = statement('saveOAuthDocument') as Exec<'write',
  { id: string; name: string; redirectUris: readonly string[]; uri?: string | null; at: string | Date; freshSeconds: number; staleSeconds: number; etag?: string | null }>
