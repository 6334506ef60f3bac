// Reads the imports and exports of every source file with a parser.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'

import { parseSync } from 'oxc-parser'

export const ROOT = resolve(import.meta.dir, '../..')

export interface SourceFile {
  /** From the repository's root: `src/http/guard.ts`. */
  path: string
  text: string
  lines: number
  imports: Import[]
  hasDefaultExport: boolean
}

export interface Import {
  /** A path from the root for our own files; otherwise the package: `elysia`, `node:fs`, `@scope/name`. */
  target: string
  isOurs: boolean
  /** Imports types only, so nothing is loaded when the program runs. */
  isTypeOnly: boolean
}

/** Whether the file is TypeScript with code. */
export const isCode = (path: string): boolean => /\.tsx?$/.test(path) && !path.endsWith('.d.ts')

/** Every TypeScript file under the folders that exist. */
export const readSources = (folders: readonly string[]): SourceFile[] =>
  folders
    .filter((folder) => existsSync(join(ROOT, folder)))
    .flatMap((folder) => filesUnder(folder))
    .filter((path) => isCode(path))
    .map(readSource)

/** Paths from the root of all files under a folder. */
export const filesUnder = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .toSorted()

function readSource(path: string): SourceFile {
  const text = readFileSync(join(ROOT, path), 'utf8')
  const { module } = parseSync(path, text)
  const fromStatements = module.staticImports.map((statement) => ({
    ...targetOf(path, statement.moduleRequest.value),
    isTypeOnly: statement.entries.length > 0 && statement.entries.every((entry) => entry.isType),
  }))
  const fromExports = module.staticExports
    .flatMap((statement) => statement.entries)
    .flatMap(({ moduleRequest, isType }) =>
      moduleRequest ? [{ ...targetOf(path, moduleRequest.value), isTypeOnly: isType }] : [],
    )
  const fromCalls = module.dynamicImports.map(({ moduleRequest }) => ({
    ...targetOf(path, text.slice(moduleRequest.start + 1, moduleRequest.end - 1)),
    isTypeOnly: false,
  }))
  return {
    path,
    text,
    lines: text.split('\n').length - 1,
    imports: [...fromStatements, ...fromExports, ...fromCalls],
    hasDefaultExport: module.staticExports.some(({ entries }) =>
      entries.some(({ exportName }) => (exportName.kind as string) === 'Default'),
    ),
  }
}

function targetOf(importer: string, specifier: string): Pick<Import, 'target' | 'isOurs'> {
  if (specifier.startsWith('.'))
    return { target: relative(ROOT, resolve(ROOT, importer, '..', specifier)), isOurs: true }
  if (specifier.startsWith('node:') || specifier.startsWith('bun:')) return { target: specifier, isOurs: false }
  return {
    target: specifier
      .split('/')
      .slice(0, specifier.startsWith('@') ? 2 : 1)
      .join('/'),
    isOurs: false,
  }
}

/**
 * Cycles among files that import each other, each as the list of its paths. Imports of types count: files that need each other's
 * types can only be read and changed together, as those that load each other.
 */
export function findCycles(files: readonly SourceFile[]): string[][] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const done = new Set<string>()
  const cycles: string[][] = []
  const visit = (path: string, trail: string[]): void => {
    if (trail.includes(path)) {
      cycles.push([...trail.slice(trail.indexOf(path)), path])
      return
    }
    if (done.has(path)) return
    for (const { target, isOurs } of byPath.get(path)?.imports ?? []) if (isOurs) visit(target, [...trail, path])
    done.add(path)
  }
  for (const file of files) visit(file.path, [])
  return cycles
}
