// The secret of the local stack: created once, so that encrypted links stay valid after a restart.
import { randomBytes } from 'node:crypto'
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { readIfExists } from '../../local/processes.ts'

const pathIn = (folder: string) => join(folder, 'dev', 'secret')

/** The secret of the folder, or undefined before the first `npm start`. */
export const readSecret = (folder: string): string | undefined => readIfExists(pathIn(folder)).trim() || undefined

/** The secret of the folder; creates one (48 random bytes, mode 600) if needed. The caller must hold the folder's lock. */
export function ensureSecret(folder: string): string {
  const existing = readSecret(folder)
  if (existing) return existing
  const secret = randomBytes(48).toString('base64url')
  writeFileSync(`${pathIn(folder)}.new`, `${secret}\n`, { mode: 0o600 })
  renameSync(`${pathIn(folder)}.new`, pathIn(folder))
  return secret
}
