// Closes a folder to other users, and locks it for one process at a time.
import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { Database } from 'bun:sqlite'

/** Root runs the stores as other users, who pass through the folder to their own; they cannot list it. */
const PRIVATE = process.getuid?.() === 0 ? 0o711 : 0o700

function makePrivate(dir: string): void {
  mkdirSync(dir, { recursive: true, mode: PRIVATE })
  // Without adding permissions: a folder that the stores could not enter has their data elsewhere.
  chmodSync(dir, statSync(dir).mode & PRIVATE)
}

/** Held until `release` or until this process ends. */
export interface FolderLock {
  readonly release: () => void
}

/**
 * Locks a folder for this process. Returns undefined when another process holds the lock. SQLite's file lock is released
 * by the system when its holder dies, even by SIGKILL or power loss, so a stale lock cannot exist.
 */
export function lockFolder(dir: string, name = 'claim'): FolderLock | undefined {
  makePrivate(dir)
  const file = join(dir, `.${name}`)
  // SQLite would create a file that others can read, and so lock; its journal gets the same mode. An existing file is not
  // opened here: closing it would end this process's lock on it.
  if (existsSync(file)) chmodSync(file, 0o600)
  else writeFileSync(file, '', { mode: 0o600, flag: 'a' })
  const lock = new Database(file)
  try {
    lock.run('begin exclusive')
  } catch (error) {
    lock.close()
    if (error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY') return undefined
    throw error
  }
  return { release: () => lock.close() }
}
