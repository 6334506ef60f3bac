// Every statement of the program, read from its source: one that no test runs is found like the others.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { type Node, parseSync, visitorKeys } from 'oxc-parser'

import { SQL_FOLDER } from '../../../src/platform/postgres/statement-files.ts'
import { numberedText, parseStatements } from '../../../src/platform/postgres/statements.ts'
import { ROOT, filesUnder } from '../imports.ts'

export interface Statement {
  /** Where it stands, and its name. */
  readonly name: string
  /** With parameters `$1 … $n`. */
  readonly text: string
  /** Of its first parameters; PostgreSQL finds the others. */
  readonly types?: readonly string[]
}

export interface ProgramStatements {
  readonly statements: readonly Statement[]
  /** The names of statements whose tables or columns are known only when they run. */
  readonly dynamic: readonly string[]
}

/** Stands for a parameter until the whole statement is put together. */
const PARAMETER = '\u0001'

/** A table or column that is not written in the source. */
class Unresolved extends Error {}

interface Module {
  readonly path: string
  readonly program: Node
  readonly values: ReadonlyMap<string, Node>
}

/** Reads the `.sql` files of the nouns, those of `sql/queries/`, and the templates that are passed to `run`. */
export function readProgramStatements(): ProgramStatements {
  const files = ['src', 'workers'].flatMap(filesUnder)
  const modules = files.filter(isProgram).map(readModule)
  const shared = new Map(modules.flatMap(({ values }) => [...values]))
  const statements = [
    ...filesUnder('sql/queries').map((path) => ({
      name: path,
      text: readFileSync(join(SQL_FOLDER, '..', path), 'utf8'),
    })),
    ...files
      .filter((path) => path.endsWith('.sql'))
      .flatMap((path) =>
        parseStatements(readFileSync(join(ROOT, path), 'utf8')).map((statement) => ({
          name: `${path} ${statement.name}`,
          text: numberedText(statement),
        })),
      ),
  ]
  const dynamic: string[] = []
  for (const { path, program, values } of modules)
    for (const { name, template } of callsOfRun(program)) {
      try {
        const read = new TemplateReader(new Map([...values, ...valuesIn(template)]), shared)
        for (const text of read.variants(template) ?? [])
          statements.push({ name: `${path} ${name}`, text: withNumbers(text) })
      } catch (error) {
        if (!(error instanceof Unresolved)) throw error
        dynamic.push(`${path} ${name}`)
      }
    }
  return { statements, dynamic }
}

/** The seed and the management of stores and migrations run while no server serves requests. */
const isProgram = (path: string) =>
  /\.tsx?$/.test(path) && !path.startsWith('src/local/') && !path.startsWith('src/platform/postgres/')

function readModule(path: string): Module {
  const { program } = parseSync(path, readFileSync(join(ROOT, path), 'utf8'))
  return { path, program, values: valuesIn(program) }
}

/** The values of constants and the functions that are declared in a node, by name. */
function valuesIn(node: Node): Map<string, Node> {
  const values = new Map<string, Node>()
  for (const one of nodesOf(node)) {
    if (one.type === 'VariableDeclarator' && one.id.type === 'Identifier' && one.init) values.set(one.id.name, one.init)
    if (one.type === 'FunctionDeclaration' && one.id) values.set(one.id.name, one)
  }
  return values
}

function* nodesOf(node: Node): Generator<Node> {
  yield node
  for (const child of childrenOf(node)) yield* nodesOf(child)
}

const childrenOf = (node: Node): Node[] =>
  (visitorKeys[node.type] ?? []).flatMap((key) => {
    const child = (node as unknown as Record<string, Node | (Node | null)[] | null>)[key]
    return (Array.isArray(child) ? child : [child]).filter((one): one is Node => one !== null && one !== undefined)
  })

/** `db.run('name', (sql) => …)` and `composed(db, 'name', columns, (sql) => …)`. */
function* callsOfRun(program: Node): Generator<{ name: string; template: Node }> {
  for (const node of nodesOf(program)) {
    if (node.type !== 'CallExpression') continue
    const { callee } = node
    const isRun =
      callee.type === 'MemberExpression' && callee.property.type === 'Identifier' && callee.property.name === 'run'
    const isComposed = callee.type === 'Identifier' && callee.name === 'composed'
    if (!isRun && !isComposed) continue
    const [name, statement] = isRun ? node.arguments : [node.arguments[1], node.arguments[3]]
    if (statement?.type === 'ArrowFunctionExpression' && name) yield { name: nameIn(name), template: statement }
  }
}

/** The name of a statement; `…` stands for what varies. */
function nameIn(node: Node): string {
  if (node.type === 'Literal') return String(node.value)
  if (node.type === 'Identifier') return node.name
  if (node.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.raw).join('…')
  if (node.type === 'ConditionalExpression') return `${nameIn(node.consequent)} or ${nameIn(node.alternate)}`
  throw new Error(`a name of a statement is a ${node.type}`)
}

const withNumbers = (text: string): string => {
  let number = 0
  return text.replaceAll(PARAMETER, () => `$${++number}`)
}

class TemplateReader {
  constructor(
    private readonly own: ReadonlyMap<string, Node>,
    private readonly shared: ReadonlyMap<string, Node>,
  ) {}

  /** The texts that an expression can give; undefined if it is a value, which becomes a parameter. */
  variants(node: Node): string[] | undefined {
    if (node.type === 'TaggedTemplateExpression') return this.ofTemplate(node)
    if (node.type === 'CallExpression') return this.ofCall(node)
    if (node.type === 'ParenthesizedExpression' || node.type === 'TSAsExpression') return this.variants(node.expression)
    if (node.type === 'ConditionalExpression')
      return union([this.variants(node.consequent), this.variants(node.alternate)])
    if (node.type === 'LogicalExpression') return union([this.variants(node.left), this.variants(node.right)])
    if (node.type === 'ArrowFunctionExpression' || node.type === 'FunctionDeclaration') return this.ofFunction(node)
    const value = node.type === 'Identifier' ? this.own.get(node.name) : undefined
    return value && hasTemplate(value) ? this.variants(value) : undefined
  }

  private ofFunction({ body }: { body: Node | null }) {
    if (body?.type === 'BlockStatement') return union(returnsOf(body).map((value) => this.variants(value)))
    return body ? this.variants(body) : undefined
  }

  private ofTemplate(node: Node & { type: 'TaggedTemplateExpression' }): string[] {
    const { quasis, expressions } = node.quasi
    const parts = expressions.map((expression) => this.variants(expression) ?? [PARAMETER])
    const after = expressions.map((_, n) => quasis[n + 1]?.value.cooked ?? '')
    const start = quasis[0]?.value.cooked ?? ''
    // Each alternative occurs in one of the texts; those of one condition go together.
    return Array.from({ length: Math.max(1, ...parts.map((part) => part.length)) }, (_, which) =>
      parts.reduce((text, part, n) => text + (part[which % part.length] ?? '') + (after[n] ?? ''), start),
    )
  }

  private ofCall({ callee, arguments: [first] }: Node & { type: 'CallExpression' }): string[] | undefined {
    if (callee.type === 'Identifier' && callee.name === 'sql') return [this.namesOf(first)]
    if (callee.type === 'CallExpression') return this.ofCall(callee)
    if (callee.type === 'MemberExpression') {
      if (first && hasTemplate(first)) throw new Unresolved()
      if (first?.type === 'Identifier' && first.name === 'sql') throw new Unresolved()
      return undefined
    }
    if (callee.type !== 'Identifier') return undefined
    const called = this.own.get(callee.name) ?? this.shared.get(callee.name)
    if (called && hasTemplate(called)) return this.variants(called)
    if (!called && first?.type === 'Identifier' && first.name === 'sql') throw new Unresolved()
    return undefined
  }

  /** `sql(COLUMNS)`. */
  private namesOf(node: Node | undefined): string {
    const value = node?.type === 'Identifier' ? this.own.get(node.name) : undefined
    const names = value && namesIn(value)
    if (!names) throw new Unresolved()
    return names.join(', ')
  }
}

/** The texts of a list: `['id', 'name']`, also `as const`, or `'id name'.split(' ')`. */
function namesIn(node: Node): string[] | undefined {
  if (node.type === 'TSAsExpression') return namesIn(node.expression)
  if (node.type === 'Literal') return String(node.value).trim().split(/\s+/)
  if (node.type === 'TemplateLiteral') return node.quasis[0]?.value.raw.trim().split(/\s+/)
  if (node.type === 'CallExpression' && node.callee.type === 'MemberExpression') return namesIn(node.callee.object)
  return node.type === 'ArrayExpression' ? node.elements.flatMap((one) => (one && namesIn(one)) ?? []) : undefined
}

const union = (lists: (string[] | undefined)[]): string[] | undefined => {
  const found = lists.flatMap((list) => list ?? [])
  return found.length > 0 ? [...new Set(found)] : undefined
}

const hasTemplate = (node: Node): boolean =>
  nodesOf(node).some(
    (one) => one.type === 'TaggedTemplateExpression' && one.tag.type === 'Identifier' && one.tag.name === 'sql',
  )

/** What a block returns, without the functions in it. */
function returnsOf(node: Node): Node[] {
  if (node.type === 'ReturnStatement') return node.argument ? [node.argument] : []
  if (/Function/.test(node.type)) return []
  return childrenOf(node).flatMap(returnsOf)
}
