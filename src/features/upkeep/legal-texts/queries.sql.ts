// Written by `npm run schema` from queries.sql. Do not edit.
import { type Many, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** All versions, the newest of each kind first, with the text of those in force. */
export const listLegalTexts = statement('listLegalTexts', { nullable: ['content'] }) as Many<'read',
  {},
  { kind: 'terms' | 'privacy' | 'imprint'; version: number; at: string; isEmpty: boolean; content: string | null }>

export const findLegalText = statement('findLegalText') as One<'read',
  { kind: string; version: number },
  { content: string }>

/** The newest first, with the address of the operator while there is one. */
export const listLegalVersions = statement('listLegalVersions', { nullable: ['by'] }) as Many<'read',
  { kind: string; limit: number },
  { version: number; at: string; isEmpty: boolean; by: string | null }>

/** Nothing when another operator has published this version meanwhile. */
export const insertLegalText = statement('insertLegalText') as One<'tx',
  { kind: string; version: number; content: string; byUserId?: string | null; now: string | Date },
  { version: number }>
