// Messages of the setup, and a lock so that only one command sets up the folder at a time.
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** A failure the user can fix: printed as one line, without a stack. */
export class SetupError extends Error {}

/** Prints one progress line to stderr. */
export const say = (line) => process.stderr.write(`hearth: ${line}\n`)

/** Runs `work` under a lock file. A second command waits for the first; the lock of a dead process is ignored. */
export async function underLock(lock, work) {
  // Writing before linking ensures that a lock always contains its holder's pid.
  const mine = `${lock}.${process.pid}`
  // Root runs the stores as other users, who pass through the folder to their own.
  mkdirSync(dirname(lock), { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
  writeFileSync(mine, String(process.pid), { mode: 0o600 })
  for (let waited = false; ; waited = true) {
    if (linkIfFree(mine, lock)) break
    if (!isAlive(Number(readIfExists(lock)))) rmSync(lock, { force: true })
    else if (!waited) say('waiting for another command that sets up this folder')
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  rmSync(mine, { force: true })
  try {
    return work()
  } finally {
    rmSync(lock, { force: true })
  }
}

function linkIfFree(from, to) {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

function isAlive(pid) {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

const readIfExists = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '')
