// An import of pros from a file that an operator uploads: what it is asked to do, and what it found.
import type { ImportCounts, ImportOptions, LineFault } from '../imports/schemas.ts'
import type { ImportState } from './states.ts'

/** Larger files are imported by the command. */
export const MAX_IMPORT_BYTES = 50 * 1024 * 1024

export type UploadOptions = Pick<ImportOptions, 'pausesMissing' | 'status' | 'invitesPerMinute'>

export interface ShownLine {
  readonly line: number
  readonly faults: readonly LineFault[]
}

export interface ImportFindings {
  readonly unknownColumns: readonly string[]
  /** The first of them. The storage has all as a file. */
  readonly refused: readonly ShownLine[]
  /** Where the file could not be read any further. */
  readonly stopped: string | null
}

export interface ListedImport {
  readonly id: string
  /** Who started it, or uploaded it. Null for a user who is gone. */
  readonly by: string | null
  readonly name: string
  readonly status: ImportState
  readonly preview: ImportCounts | null
  readonly counts: ImportCounts | null
  readonly createdAt: string
}

export interface UploadedImport extends ListedImport {
  readonly bytes: number
  readonly format: 'csv' | 'jsonl' | null
  readonly options: UploadOptions
  readonly findings: ImportFindings | null
  readonly problem: string | null
  readonly startedAt: string | null
  readonly finishedAt: string | null
  /** Null once the storage has removed the file and its refused lines. */
  readonly keptUntil: string | null
  readonly waitsForAnother: boolean
}
