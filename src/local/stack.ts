// A file with the addresses of the stack that runs in this folder, for other commands.
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

/** The folder of all local data, ignored by git. */
export const LOCAL_FOLDER = join(import.meta.dir, '../../.hearth')

const pathIn = (folder: string) => join(folder, 'dev', 'stack.json')

/** The stack that `npm start` currently runs in this folder, or undefined. */
export function readLocalStack(folder = LOCAL_FOLDER): LocalStack | undefined {
  const text = readIfExists(pathIn(folder))
  const stack: unknown = text ? JSON.parse(text) : undefined
  return isStack(stack) && isAlive(stack.pid) ? stack : undefined
}

/** Replaces the file atomically, readable by this user only, because the URLs contain passwords. */
export function writeLocalStack(stack: LocalStack, folder = LOCAL_FOLDER): void {
  const path = pathIn(folder)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(`${path}.new`, `${JSON.stringify(stack, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

/** Removes the file when the stack stops. */
export const removeLocalStack = (folder = LOCAL_FOLDER): void => rmSync(pathIn(folder), { force: true })

function isStack(value: unknown): value is LocalStack {
  if (typeof value !== 'object' || value === null) return false
  const texts = ['baseUrl', 'databaseUrl', 'redisUrl'].map((name) => Reflect.get(value, name))
  return typeof Reflect.get(value, 'pid') === 'number' && texts.every((text) => typeof text === 'string')
}
