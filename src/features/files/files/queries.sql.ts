// Written by `npm run schema` from queries.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** Uploads of one account are counted one after another. */
export const lockUploads = statement('lockUploads') as One<'tx',
  { accountId: string },
  { locked: boolean }>

export const countFiles = statement('countFiles') as One<'tx',
  { since: string | Date; accountId: string },
  { today: number; kept: number }>

export const insertFile = statement('insertFile', { nullable: ['file'] }) as One<'tx',
  { id: string; name: string; accountId: string; professionalId?: string | null; purpose: string; status: string; private: boolean; bytes?: number | null; openUntil?: string | Date | null; now: string | Date },
  { file: unknown },
  'file'>

/** A file whose content is in the storage. The workers are told. */
export const saveReceived = statement('saveReceived', { nullable: ['file'] }) as One<'tx',
  { bytes: number; now: string | Date; id: string },
  { file: unknown },
  'file'>

export const tellReceived = statement('tellReceived') as Exec<'tx',
  {}>

export const deleteUpload = statement('deleteUpload') as Exec<'write',
  { id: string }>

export const findFile = statement('findFile', { nullable: ['file'] }) as One<'read',
  { id: string; accountId: string },
  { file: unknown },
  'file'>

/** A file of the account, with the size that its sender announced while it waits. */
export const findUpload = statement('findUpload', { nullable: ['bytes'] }) as One<'write',
  { id: string; accountId: string },
  { name: string; status: 'uploading' | 'waiting' | 'received' | 'ready' | 'refused'; bytes: number | null }>

/** Claims the file that has been due for the longest time, until an instant. One that is decided already still has its original. */
export const claimFile = statement('claimFile', { nullable: ['bytes'] }) as One<'write',
  { until: string | Date; now: string | Date },
  { id: string; name: string; purpose: 'pro_logo' | 'pro_cover' | 'pro_gallery' | 'member' | 'request' | 'review' | 'job' | 'package' | 'marketplace' | 'verification'; status: 'uploading' | 'waiting' | 'received' | 'ready' | 'refused'; bytes: number | null; claims: number }>

export const saveReady = statement('saveReady') as Many<'write',
  { type: string; width?: number | null; height?: number | null; placeholder?: string | null; sizes: string; now: string | Date; id: string },
  { id: string }>

export const saveRefused = statement('saveRefused') as Many<'write',
  { reason: string; now: string | Date; id: string },
  { id: string }>

/** The file is decided. It falls due once more when its address takes no content any more: what came meanwhile is removed then. */
export const endClaim = statement('endClaim') as Exec<'write',
  { now: string | Date; id: string }>

export const postponeFile = statement('postponeFile') as Exec<'write',
  { at: string | Date; id: string }>

/** A file that may be served, by its name. */
export const findServed = statement('findServed', { nullable: ['type'] }) as One<'read',
  { name: string },
  { private: boolean; type: string | null }>

/** Claims removals that are due, until an instant. */
export const claimRemovals = statement('claimRemovals') as Many<'write',
  { until: string | Date; now: string | Date; limit: number; last: string | Date },
  { name: string; isLast: boolean }>

export const endRemoval = statement('endRemoval') as Exec<'write',
  { name: string }>

export const postponeRemoval = statement('postponeRemoval') as Exec<'write',
  { at: string | Date; name: string }>

export const findDecodingBacklog = statement('findDecodingBacklog') as One<'write',
  { now: string | Date },
  { waiting: number; oldestSeconds: number }>

/** Lets a request, review or job use files of the account that nothing uses yet. Refused ones are not used. */
export const usePhotos = statement('usePhotos') as Many<'tx',
  { rfqId?: string | null; reviewId?: string | null; jobId?: string | null; names: string; accountId: string; purpose: string },
  { name: string }>

/** What the pro added to a job, oldest first, also what is not decoded yet or was refused. */
export const selectJobFiles = statement('selectJobFiles', { nullable: ['file'] }) as Many<'read',
  { jobId: string; professionalId: string },
  { file: unknown },
  'file'>

/** Files of the account by their ids, also refused ones. */
export const selectChosen = statement('selectChosen', { nullable: ['file'] }) as Many<'read',
  { ids: string; accountId: string; purpose: string },
  { file: unknown; isUsed: boolean },
  'file'>

/** What became of the photos of a record, by their names. */
export const selectPhotos = statement('selectPhotos') as Many<'read',
  { names: string },
  { name: string; state: 'uploading' | 'waiting' | 'received' | 'ready' | 'refused' }>
