// Written by `npm run schema` from queries.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** One that is sent again counts as new: it is not removed before its version is saved. */
export const insertBrandPicture = statement('insertBrandPicture') as Exec<'write',
  { id: string; kind: string; width: number; height: number; whole: Buffer; screen?: Buffer | null; tab?: Buffer | null; now: string | Date }>

export const findBrandPicture = statement('findBrandPicture') as One<'write',
  { id: string; kind: string },
  { id: string; width: number; height: number }>

/** The picture stays until the transaction ends. */
export const lockBrandPicture = statement('lockBrandPicture') as Many<'tx',
  { id: string; kind: string },
  {}>

/** The picture in one of its sizes. A logo has one. */
export const findBrandFile = statement('findBrandFile') as One<'read',
  { size: string; id: string },
  { bytes: Buffer }>
