// Written by `npm run schema` from second-factors.sql. Do not edit.
import { type Exec, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const findSecondFactor = statement('findSecondFactor') as One<'write',
  { userId: string },
  { secretEncrypted: string; lastStep: number; codesLeft: number; createdAt: string }>

/** Returns undefined when the user has one. */
export const insertSecondFactor = statement('insertSecondFactor') as One<'tx',
  { userId: string; secretEncrypted: string; step: number; recoveryDigests: readonly string[]; now: string | Date },
  { userId: string }>

/** Returns undefined when a code of this step or of a later one was accepted before. */
export const useStep = statement('useStep') as One<'tx',
  { step: number; userId: string; secretEncrypted: string },
  { userId: string }>

/** Returns undefined when it is no code of the user, or was used. */
export const useRecoveryCode = statement('useRecoveryCode') as One<'tx',
  { digest: string; userId: string },
  { codesLeft: number }>

export const updateRecoveryCodes = statement('updateRecoveryCodes') as Exec<'tx',
  { recoveryDigests: readonly string[]; userId: string }>

export const deleteSecondFactor = statement('deleteSecondFactor') as One<'tx',
  { userId: string },
  { userId: string }>

/** Of the operators who can log in, and those of them who have no second factor. */
export const countFactors = statement('countFactors') as One<'write',
  {},
  { operators: number; without: number }>
