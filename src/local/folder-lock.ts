// Locks a folder for one process at a time.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

import { Database } from 'bun:sqlite'

/** Held until `release` or until this process ends. */
export interface FolderLock {
  readonly release: () => void
}

/**
 * Locks a folder for this process. Returns undefined when another process holds the lock. SQLite's file lock is released
 * by the system when its holder dies, even by SIGKILL or power loss, so a stale lock cannot exist.
 */
export function lockFolder(dir: string, name = 'claim'): FolderLock | undefined {
  mkdirSync(dir, { recursive: true })
  const lock = new Database(join(dir, `.${name}`))
  try {
    lock.run('begin exclusive')
  } catch (error) {
    lock.close()
    if (error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY') return undefined
    throw error
  }
  return { release: () => lock.close() }
}
