// One command at a time per folder.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

import { Database } from 'bun:sqlite'

/** The folder is ours until `release`, or until this process ends in whatever way. */
export interface FolderLock {
  readonly release: () => void
}

/**
 * Takes a folder for this process, or gives undefined when another process holds it. The lock is SQLite's file lock: the
 * system drops it when the holder dies, even by SIGKILL or power loss, so a stale one cannot exist.
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
