// Written by `npm run schema` from codes.sql. Do not edit.
import { type Exec, type One, statementsOf } from '../../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const upsertSignInCode = statement('upsertSignInCode') as Exec<'tx',
  { browserHash: Buffer; email: string; codeDigest: string; tries: number; returnTo: string; now: string | Date; expiresAt: string | Date; keepsValid: boolean }>

/** The browser's latest code that was not used. */
export const findCode = statement('findCode') as One<'write',
  { now: string | Date; browserHash: Buffer },
  { email: string; returnTo: string; isValid: boolean }>

/** The browser's valid code, locked until the transaction ends. */
export const lockCode = statement('lockCode') as One<'tx',
  { browserHash: Buffer; now: string | Date },
  { email: string; codeDigest: string; returnTo: string }>

export const countSignInTry = statement('countSignInTry') as One<'tx',
  { browserHash: Buffer },
  { triesLeft: number }>

export const deleteCode = statement('deleteCode') as Exec<'tx',
  { browserHash: Buffer }>
