// Files that `hearth setup` writes, and what becomes of those that an operator has edited since: nothing.
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

import { readIfExists } from '../../local/processes.ts'

export interface PlannedFile {
  readonly path: string
  readonly mode: number
  readonly text: string
  /** Its values are not shown: only the names of variables. */
  readonly isSecret?: true
}

export interface Outcome {
  readonly isWritten: boolean
  readonly message: string
}

/** What earlier runs wrote, by path. */
export interface Written {
  /** Whether a run wrote this file, or did this once. */
  has(name: string): boolean
  /** Remembers that something was done that later runs leave to the operator. */
  remember(name: string): void
  outcomeOf(file: PlannedFile): Outcome
}

const digest = (algorithm: 'sha256' | 'md5', text: string) => createHash(algorithm).update(text).digest('hex')

/**
 * Opens the record of what was written. `shipped` has the MD5 sums of files as their packages brought them: those are replaced,
 * as are files that are as an earlier run wrote them.
 */
export function openWritten(record: string, shipped: ReadonlyMap<string, string>): Written {
  const saved = readIfExists(record)
  const sums = new Map(Object.entries(saved ? (JSON.parse(saved) as Record<string, string>) : {}))
  const write = (file: PlannedFile) => {
    writeWhole(file)
    remember(file.path, digest('sha256', file.text))
  }
  const remember = (name: string, sum: string) => {
    sums.set(name, sum)
    writeWhole({ path: record, mode: 0o600, text: `${JSON.stringify(Object.fromEntries(sums), null, 2)}\n` })
  }
  return {
    has: (name) => sums.has(name),
    remember: (name) => remember(name, 'done'),
    outcomeOf: (file) => {
      const found = readIfExists(file.path)
      const before = sums.get(file.path)
      if (found === file.text) return { isWritten: false, message: 'as it should be' }
      if (found === '' && before !== undefined)
        return { isWritten: false, message: `removed since, and not written again; for that, remove ${record}` }
      const isOurs = before === digest('sha256', found)
      if (found !== '' && !isOurs && shipped.get(file.path) !== digest('md5', found))
        return { isWritten: false, message: `edited, and kept; ${differenceOf(found, file)}` }
      write(file)
      return {
        isWritten: true,
        message: before === undefined ? 'written' : 'brought up to date: restart what reads it',
      }
    },
  }
}

/** Replaces the file at once, so that no other process reads a part of it, and never with more rights than it should have. */
function writeWhole({ path, mode, text }: PlannedFile): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o755 })
  writeFileSync(`${path}.new`, text, { mode })
  chmodSync(`${path}.new`, mode)
  renameSync(`${path}.new`, path)
}

const SHOWN_LINES = 5

/** In one line: the lines that only one of both has. */
function differenceOf(found: string, { text, isSecret }: PlannedFile): string {
  const linesOf = (all: string) =>
    all
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line && !line.startsWith('#'))
  const only = (own: string[], other: string[]) => {
    const lines = own.filter((line) => !other.includes(line)).map((line) => (isSecret ? line.replace(/=.*/, '') : line))
    return lines.slice(0, SHOWN_LINES).join(' | ') + (lines.length > SHOWN_LINES ? ' | …' : '')
  }
  const [mine, theirs] = [only(linesOf(text), linesOf(found)), only(linesOf(found), linesOf(text))]
  const parts = [theirs && `it has: ${theirs}`, mine && `setup would write: ${mine}`].filter(Boolean)
  return parts.length > 0 ? parts.join('; ') : 'only comments and empty lines differ'
}
