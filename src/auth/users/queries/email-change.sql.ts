// Written by `npm run schema` from email-change.sql. Do not edit.
import { type Exec, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const lockLoginById = statement('lockLoginById', { nullable: ['professionalId'] }) as One<'tx',
  { id: string },
  { email: string; passwordHash: string; professionalId: string | null }>

export const findLogin = statement('findLogin') as One<'tx',
  { email: string },
  { id: string }>

/** Undefined when another user got the address meanwhile. */
export const moveLogin = statement('moveLogin') as One<'tx',
  { email: string; id: string },
  { id: string }>

/** The keys of an operator act for the new address. Where it has an account already they end, so that they act for no later operator with the former one. */
export const moveOperatorKeys = statement('moveOperatorKeys') as Exec<'tx',
  { to: string; from: string; now: string | Date }>
