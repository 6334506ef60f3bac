// Written by `npm run schema` from queries.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** The pictures of one pro change one after another. */
export const lockPictures = statement('lockPictures') as One<'tx',
  { professionalId: string },
  { id: string }>

/** Uses the pro's files that are named, each for its own purpose. Refused ones are not used. */
export const usePictures = statement('usePictures') as Many<'tx',
  { wanted: string; professionalId: string },
  { id: string }>

/** Those that the pro does not use any more are deleted after a day. */
export const endPictures = statement('endPictures') as Exec<'tx',
  { now: string | Date; professionalId: string; kept: string }>

/** What the pro uses, in its order. */
export const selectPictures = statement('selectPictures', { nullable: ['file'] }) as Many<'read',
  { professionalId: string },
  { file: unknown },
  'file'>

/** What was refused after the pro had put it into a place, until the pro changes the pictures. */
export const selectRefusedPictures = statement('selectRefusedPictures', { nullable: ['file'] }) as Many<'read',
  { professionalId: string },
  { file: unknown },
  'file'>

/** The pictures that everybody sees; a row without a file for a pro who has none. */
export const selectPublicPictures = statement('selectPublicPictures', { nullable: ['file'] }) as Many<'replicas',
  { id?: string | null; slug?: string | null; testAccountId?: string | null },
  { file: unknown },
  'file'>

/** The logos of pros that the caller has found, and so may see. */
export const selectLogos = statement('selectLogos', { nullable: ['file'] }) as Many<'replicas',
  { ids: string },
  { professionalId: string; file: unknown },
  'file'>
