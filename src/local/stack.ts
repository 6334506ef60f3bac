// Where the stack of this folder runs, so that other commands find it: a small file beside its data.
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { isAlive, readIfExists } from './processes.ts'

export interface LocalStack {
  /** The process of `hearth up`. */
  readonly pid: number
  readonly baseUrl: string
  readonly databaseUrl: string
  readonly redisUrl: string
}

/** Everything local is kept here, out of git. */
export const LOCAL_FOLDER = join(import.meta.dir, '../../.hearth')

const pathIn = (folder: string) => join(folder, 'dev', 'stack.json')

/** The stack that `npm start` runs in this folder right now, or undefined. */
export function readLocalStack(folder = LOCAL_FOLDER): LocalStack | undefined {
  const text = readIfExists(pathIn(folder))
  const stack: unknown = text ? JSON.parse(text) : undefined
  return isStack(stack) && isAlive(stack.pid) ? stack : undefined
}

/** Written whole under another name first, for nobody but this user to read: the URLs hold passwords. */
export function writeLocalStack(stack: LocalStack, folder = LOCAL_FOLDER): void {
  const path = pathIn(folder)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(`${path}.new`, `${JSON.stringify(stack, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

/** Nothing runs here any more. */
export const removeLocalStack = (folder = LOCAL_FOLDER): void => rmSync(pathIn(folder), { force: true })

function isStack(value: unknown): value is LocalStack {
  if (typeof value !== 'object' || value === null) return false
  const texts = ['baseUrl', 'databaseUrl', 'redisUrl'].map((name) => Reflect.get(value, name))
  return typeof Reflect.get(value, 'pid') === 'number' && texts.every((text) => typeof text === 'string')
}
