// Written by `npm run schema` from queries.sql. Do not edit.
import { type Many, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const selectMembers = statement('selectMembers', { nullable: ['members'] }) as One<'read',
  { professionalId: string; limit: number; offset: number },
  { total: number; members: unknown },
  'members'>

/** Inserts a member. Returns undefined when an active member already has the e-mail address. */
export const insertMember = statement('insertMember') as One<'tx',
  { id: string; professionalId: string; name: string; email: string; role: string; now: string | Date },
  { id: string; name: string; email: string; role: 'manager' | 'crew' | 'office'; createdAt: string }>

export const lockMember = statement('lockMember') as Many<'tx',
  { professionalId: string; id: string },
  { id: string }>

export const deactivateMember = statement('deactivateMember') as Many<'tx',
  { now: string | Date; professionalId: string; id: string },
  { id: string }>

/** An active member. */
export const findMember = statement('findMember') as One<'read',
  { professionalId: string; id: string },
  { id: string; name: string; email: string; role: 'manager' | 'crew' | 'office'; createdAt: string }>

/** The account of the pro, and what messages name. */
export const findOwner = statement('findOwner') as One<'tx',
  { professionalId: string },
  { accountId: string; businessName: string; email: string }>
