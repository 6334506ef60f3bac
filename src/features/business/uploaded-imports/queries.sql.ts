// Written by `npm run schema` from queries.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const insertImport = statement('insertImport') as Exec<'write',
  { id: string; by: string; name: string; keptUntil: string | Date; now: string | Date }>

/** The storage has all of the file. */
export const saveContent = statement('saveContent') as Exec<'write',
  { bytes: number; id: string }>

export const deleteUpload = statement('deleteUpload') as Exec<'write',
  { id: string }>

/** A file that waits for its options. */
export const findUpload = statement('findUpload') as One<'read',
  { id: string; by: string },
  { name: string; bytes: number }>

export const lockImport = statement('lockImport', { nullable: ['by', 'options', 'preview', 'bytes', 'keptUntil'] }) as One<'tx',
  { id: string },
  { status: 'uploading' | 'uploaded' | 'checked' | 'running' | 'done' | 'failed'; name: string; by: string | null; options: unknown; preview: unknown; bytes: number | null; keptUntil: string | null },
  'options' | 'preview'>

export const saveReceived = statement('saveReceived') as Exec<'tx',
  { options: string; now: string | Date; keptUntil: string | Date; id: string }>

export const saveStarted = statement('saveStarted') as Exec<'tx',
  { by: string; now: string | Date; keptUntil: string | Date; id: string }>

/** The file that is being read, if who read it has died; else the one that has waited for the longest time. Claimed until an instant. */
export const claimImport = statement('claimImport', { nullable: ['by', 'options', 'counts'] }) as One<'write',
  { claim: string; until: string | Date; now: string | Date },
  { id: string; by: string | null; status: 'uploading' | 'uploaded' | 'checked' | 'running' | 'done' | 'failed'; options: unknown; counts: unknown; claims: number },
  'options' | 'counts'>

/** Returns no row for a claim that ended: what the transaction has done is undone. */
export const saveProgress = statement('saveProgress') as One<'tx',
  { until: string | Date; counts: string; id: string; claim: string },
  { id: string }>

export const extendClaim = statement('extendClaim') as One<'write',
  { until: string | Date; id: string; claim: string },
  { id: string }>

/** Another process goes on with it from an instant. An interruption does not count as a claim. */
export const releaseImport = statement('releaseImport') as Exec<'write',
  { at: string | Date; uncounted: number; id: string; claim: string }>

/** What the dry run or the import found, and did. */
export const saveOutcome = statement('saveOutcome') as Exec<'write',
  { status: string; format?: string | null; counts: string; findings: string; now: string | Date; keptUntil: string | Date; id: string; claim: string }>

export const saveFailed = statement('saveFailed') as Exec<'write',
  { problem: string; now: string | Date; keptUntil: string | Date; id: string; claim: string }>

export const findImport = statement('findImport', { nullable: ['by', 'bytes', 'format', 'options', 'preview', 'counts', 'findings', 'problem', 'startedAt', 'finishedAt', 'keptUntil'] }) as One<'read',
  { id: string },
  { id: string; by: string | null; name: string; bytes: number | null; format: 'csv' | 'jsonl' | null; options: unknown; status: 'uploading' | 'uploaded' | 'checked' | 'running' | 'done' | 'failed'; preview: unknown; counts: unknown; findings: unknown; problem: string | null; createdAt: string; startedAt: string | null; finishedAt: string | null; keptUntil: string | null; waitsForAnother: boolean },
  'options' | 'preview' | 'counts' | 'findings'>

/** The latest first. */
export const selectImports = statement('selectImports', { nullable: ['by', 'preview', 'counts'] }) as Many<'read',
  { limit: number },
  { id: string; by: string | null; name: string; status: 'uploading' | 'uploaded' | 'checked' | 'running' | 'done' | 'failed'; preview: unknown; counts: unknown; createdAt: string },
  'preview' | 'counts'>

/** Imports whose files are kept no longer. Those that a worker reads are kept. */
export const selectOutdated = statement('selectOutdated') as Many<'read',
  { now: string | Date; limit: number },
  { id: string }>

/** The storage has neither the file nor its refused lines. An upload that was never sent leaves no row. */
export const endKeeping = statement('endKeeping') as Exec<'write',
  { id: string }>
