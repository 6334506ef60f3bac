// Written by `npm run schema` from queries.sql. Do not edit.
import { type Exec, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** Pros of one name in one city are created one after the other: each looks for a slug that is free. */
export const lockSlug = statement('lockSlug', { nullable: ['locked'] }) as One<'tx',
  { slug: string },
  { locked: boolean | null }>

/** Open on weekdays, without services and without a mark. A slug that another pro has gets a number. No row for an account or an external id that another pro has. */
export const insertPro = statement('insertPro') as One<'tx',
  { slug: string; id: string; accountId: string; externalId?: string | null; businessName: string; phone?: string | null; latitude: number; longitude: number; radius: number; plan: string; now: string | Date; cityId: number },
  { slug: string; timeZone: string }>

export const hasExternalId = statement('hasExternalId') as One<'tx',
  { externalId: string },
  { has: boolean }>

/** The status of a pro, locked until the transaction ends, with what a message about it names. */
export const lockProStatus = statement('lockProStatus', { texts: { status: ['active', 'paused', 'closed'] } }) as One<'tx',
  { id: string },
  { status: 'active' | 'paused' | 'closed'; pausedByOperator: boolean; accountId: string; businessName: string; timeZone: string; email: string }>

/** A trigger changes what search finds. */
export const saveProStatus = statement('saveProStatus') as Exec<'tx',
  { status: string; pausedByOperator: boolean; now: string | Date; id: string }>
