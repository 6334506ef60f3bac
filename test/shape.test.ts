// The shape of verbs and queries: `verb(ctx, input)`. A ctx has what a call has, one object has what it is asked.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { type Node, parseSync } from 'oxc-parser'

import { parseStatements } from '../src/platform/postgres/statements.ts'
import { ROOT, filesUnder, readSources } from './support/imports.ts'

const sources = readSources(['src', 'workers'])

/** Functions of another shape, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'src/idempotency/verbs.ts runIdempotently': 'takes the work that it runs at most once',
  'src/idempotency/verbs.ts runOnce': 'takes the work that it runs at most once',
}

/** Types that only a ctx may bring into a verb or query. */
const OF_A_CTX = /\b(Deps|Runner|Transaction|ReadPool|WritePool|ReplicaPool)\b/

interface Shape {
  name: string
  /** The texts of the parameters. */
  parameters: string[]
}

/** The exported functions of a file. */
function exportedFunctions(path: string, text: string): Shape[] {
  const found: Shape[] = []
  for (const statement of parseSync(path, text).program.body) {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : null
    const functions: [string, Node | null | undefined][] =
      declared?.type === 'FunctionDeclaration'
        ? [[declared.id?.name ?? '', declared]]
        : declared?.type === 'VariableDeclaration'
          ? declared.declarations.map(({ id, init }) => [id.type === 'Identifier' ? id.name : '', init])
          : []
    for (const [name, one] of functions)
      if (one?.type === 'FunctionDeclaration' || one?.type === 'ArrowFunctionExpression')
        found.push({ name, parameters: one.params.map(({ start, end }) => text.slice(start, end)) })
  }
  return found
}

test('every verb and query is called with a ctx and at most one input', () => {
  const wrong: string[] = []
  let counted = 0
  for (const { path, text } of sources) {
    if (!/\/(verbs|queries)(\/[^/]+)?\.ts$/.test(path)) continue
    for (const { name, parameters } of exportedFunctions(path, text)) {
      const [first = '', ...others] = parameters
      const takesCtx = /^ctx\b/.test(first)
      if (takesCtx) counted++
      if (`${path} ${name}` in EXCEPTIONS) continue
      // Functions without a ctx compute, and take what they like.
      if (takesCtx ? others.length > 1 : OF_A_CTX.test(parameters.join()))
        wrong.push(`${path}: ${name}(${parameters.join(', ')})`)
    }
  }
  expect(wrong).toEqual([])
  const ofFiles = filesUnder('src')
    .filter((path) => path.endsWith('.sql'))
    .flatMap((path) => parseStatements(readFileSync(join(ROOT, path), 'utf8')))
  expect(counted + ofFiles.length).toBeGreaterThan(1200)
})

test('nothing asks for a part of the dependencies', () => {
  const asks = sources.filter(({ text }) => /Pick<Deps,/.test(text))
  expect(asks.map(({ path }) => path)).toEqual([])
})

// Bun reads tsconfig.json in the folder that a command begins in, which may be any.
test('every file of elements names the library that they are of', () => {
  const isNamed = (path: string) =>
    readFileSync(join(ROOT, path), 'utf8').startsWith('/** @jsxImportSource preact */\n')
  const files = filesUnder('src').filter((path) => path.endsWith('.tsx'))
  expect(files.length).toBeGreaterThan(90)
  expect(files.filter((path) => !isNamed(path))).toEqual([])
})
