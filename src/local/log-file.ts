// Log files of local processes.
import { mkdirSync, openSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const MAX_BYTES = 32 * 1024 * 1024

/** Renames a log over 32 MB to `<path>.1`. Call it before starting a process that writes to it. */
export function rotateLog(path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES) renameSync(path, `${path}.1`)
}

/** Opens a log for appending, readable by this user only. */
export const openLogFile = (path: string): number => openSync(path, 'a', 0o600)
