// The files that the processes of `hearth up` write their logs to.
import { mkdirSync, openSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const MAX_BYTES = 32 * 1024 * 1024

/** Puts a log aside that has grown long. Before anything is started that writes to it. */
export function rotateLog(path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES) renameSync(path, `${path}.1`)
}

/** Opens a log to write at its end, for nobody but this user to read. */
export const openLogFile = (path: string): number => openSync(path, 'a', 0o600)
