// The files that commands read: JSON, and text.
import { readFileSync } from 'node:fs'

import { lineOfJsonFault } from '../platform/text/json-line.ts'
import { UsageError } from './failure.ts'

/** The content of the file. Throws a UsageError that names `source`, the command that writes such files, or the line of a fault. */
export function readJsonFile(path: string, source: string): unknown {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    throw new UsageError(`${path} cannot be read. Give the path of a file that \`hearth ${source}\` wrote.`)
  }
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`${path} is not JSON: line ${lineOfJsonFault(text) ?? 1} has an error.`)
  }
}

/** The text of the file, or of standard input for `-`. Throws a UsageError. */
export async function readTextFile(path: string): Promise<string> {
  if (path === '-') return await Bun.stdin.text()
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new UsageError(`${path} cannot be read. Give the path of a text file, or - for standard input.`)
  }
}
