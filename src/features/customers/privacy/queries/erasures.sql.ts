// Written by `npm run schema` from erasures.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** `lookAgainAt`: when copies are looked for that were stored meanwhile. */
export const insertErasure = statement('insertErasure') as Exec<'tx',
  { id: string; emailDigest: string; pseudonym: string; requestedBy: string; now: string | Date; lookAgainAt: string | Date }>

export const addCountsOfErasure = statement('addCountsOfErasure', { nullable: ['counts'] }) as One<'tx',
  { lookAgainAt: string | Date; counts: string; id: string },
  { counts: unknown },
  'counts'>

/** The latest erasure of an address. */
export const findErasure = statement('findErasure') as One<'tx',
  { emailDigest: string },
  { pseudonym: string; erasedAt: string }>

/** Claims the erasure after which it is due to look again, until `leaseEndsAt`. */
export const claimLookAgain = statement('claimLookAgain') as One<'write',
  { leaseEndsAt: string | Date; now: string | Date },
  { id: string; pseudonym: string }>

export const endLookAgain = statement('endLookAgain') as Exec<'write',
  { id: string }>

/** What operators wrote about the customer. */
export const eraseNotes = statement('eraseNotes') as Many<'tx',
  { placeholder: string; email: string },
  { id: string }>

/** A blocked customer stays so: the address is left as a digest. */
export const eraseProfile = statement('eraseProfile', { nullable: ['id'] }) as Many<'tx',
  { email: string; placeholder: string },
  { id: string | null }>
