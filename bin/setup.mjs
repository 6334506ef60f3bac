// What fetching Bun needs besides: messages, and a lock so that two commands do not fetch at once.
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** A failure the reader can do something about: printed as one line, without a stack. */
export class SetupError extends Error {}

/** One line on stderr about what is being done. */
export const say = (line) => process.stderr.write(`hearth: ${line}\n`)

/** Two commands at once in a fresh clone: the second waits for the first. A holder that died is ignored. */
export async function underLock(lock, work) {
  // Written first and linked then: nobody ever sees a lock without its holder's pid.
  const mine = `${lock}.${process.pid}`
  mkdirSync(dirname(lock), { recursive: true })
  writeFileSync(mine, String(process.pid))
  for (let waited = false; ; waited = true) {
    if (linkIfFree(mine, lock)) break
    if (!alive(Number(readIfThere(lock)))) rmSync(lock, { force: true })
    else if (!waited) say('waiting for another command that is setting up this folder')
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

function alive(pid) {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

const readIfThere = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '')
