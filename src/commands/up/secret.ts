// The secret of the local stack: made once, so that links which were sealed before a restart still open.
import { randomBytes } from 'node:crypto'
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { readIfExists } from '../../local/processes.ts'

const pathIn = (folder: string) => join(folder, 'dev', 'secret')

/** The secret kept in the folder, or undefined before `npm start` has made one. */
export const readSecret = (folder: string): string | undefined => readIfExists(pathIn(folder)).trim() || undefined

/** The secret kept in the folder; a new one (48 random bytes, mode 600) the first time. Only for who holds the folder. */
export function ensureSecret(folder: string): string {
  const kept = readSecret(folder)
  if (kept) return kept
  const made = randomBytes(48).toString('base64url')
  writeFileSync(`${pathIn(folder)}.new`, `${made}\n`, { mode: 0o600 })
  renameSync(`${pathIn(folder)}.new`, pathIn(folder))
  return made
}
