// A schema dump (sql/schema.sql) as the rules for upgrades read it: names that a release may use, and functions that it may call.
import type { CommentStmt, CreateFunctionStmt, FunctionParameter, Node, ObjectWithArgs, TypeName } from 'libpg-query'

import { nameOf, parseStatements } from '../../src/platform/postgres/statement-locks.ts'

export interface SchemaFunction {
  readonly name: string
  /** Names, types and modes of all parameters, and the result. */
  readonly shape: string
  /** The least and greatest number of arguments. */
  readonly argumentCounts: readonly [least: number, most: number]
}

export interface ReleasedSchema {
  readonly version: string
  readonly tables: ReadonlySet<string>
  /** The names of composite types, whose rows the release writes whole. */
  readonly types: ReadonlySet<string>
  /** The names of unique, primary and exclusion constraints, and of unique indexes, which `on conflict` may need. */
  readonly unique: ReadonlySet<string>
  /** By {@link signatureOf}. */
  readonly functions: ReadonlyMap<string, SchemaFunction>
  /** Tables, `table.column` and signatures whose comment says `Unused since <version>`: the release no longer needs them. */
  readonly unused: ReadonlySet<string>
}

const UNUSED = /^Unused since \d+\.\d+\.\d+\b/

export async function readSchema(version: string, dump: string): Promise<ReleasedSchema> {
  const [tables, types] = [new Set<string>(), new Set<string>()]
  const [unique, unused] = [new Set<string>(), new Set<string>()]
  const functions = new Map<string, SchemaFunction>()
  for (const { node } of await parseStatements(dump)) {
    if ('CompositeTypeStmt' in node) types.add(node.CompositeTypeStmt.typevar?.relname ?? '')
    if ('CreateStmt' in node) tables.add(node.CreateStmt.relation?.relname ?? '')
    if ('IndexStmt' in node && node.IndexStmt.unique) unique.add(node.IndexStmt.idxname ?? '')
    if ('AlterTableStmt' in node) for (const name of uniqueConstraints(node.AlterTableStmt.cmds)) unique.add(name)
    if ('CreateFunctionStmt' in node) functions.set(...functionOf(node.CreateFunctionStmt))
    if ('CommentStmt' in node && UNUSED.test(node.CommentStmt.comment ?? ''))
      unused.add(commentedName(node.CommentStmt))
  }
  return { version, tables, types, unique, functions, unused }
}

/** `name(type, type)` with the types of the arguments. */
export const signatureOf = ({ objname, objargs = [] }: ObjectWithArgs): string =>
  `${lastName(objname)}(${objargs.map((one) => ('TypeName' in one ? typeOf(one.TypeName) : '')).join(', ')})`

/** A name without its schema. */
export const lastName = (names: readonly Node[] = []): string => nameOf(names.slice(-1))

function uniqueConstraints(commands: readonly Node[] = []): string[] {
  const added = commands.flatMap((one) =>
    'AlterTableCmd' in one && one.AlterTableCmd.def ? [one.AlterTableCmd.def] : [],
  )
  return added.flatMap((def) => {
    if (!('Constraint' in def)) return []
    const { contype, conname } = def.Constraint
    return conname !== undefined && /UNIQUE|PRIMARY|EXCLUSION/.test(contype ?? '') ? [conname] : []
  })
}

function functionOf({ funcname, parameters = [], returnType }: CreateFunctionStmt): [string, SchemaFunction] {
  const all = parameters.flatMap((one) => ('FunctionParameter' in one ? [one.FunctionParameter] : []))
  const isOutput = ({ mode }: FunctionParameter) => mode === 'FUNC_PARAM_OUT' || mode === 'FUNC_PARAM_TABLE'
  const inputs = all.filter((one) => !isOutput(one))
  const name = lastName(funcname)
  const signature = `${name}(${inputs.map(({ argType }) => typeOf(argType)).join(', ')})`
  const shown = all.map((one) => `${isOutput(one) ? 'out ' : ''}${one.name ?? ''} ${typeOf(one.argType)}`)
  const shape = `(${shown.join(', ')}) returns ${returnType?.setof ? 'setof ' : ''}${typeOf(returnType)}`
  const required = inputs.filter(({ defexpr }) => !defexpr).length
  return [signature, { name, shape, argumentCounts: [required, inputs.length] }]
}

const typeOf = (type: TypeName | undefined): string =>
  `${lastName(type?.names)}${'[]'.repeat(type?.arrayBounds?.length ?? 0)}`

function commentedName({ objtype, object }: CommentStmt): string {
  if (!object) return ''
  if ('ObjectWithArgs' in object) return signatureOf(object.ObjectWithArgs)
  const names = 'List' in object ? (object.List.items ?? []) : []
  return nameOf(names.slice(objtype === 'OBJECT_COLUMN' ? -2 : -1))
}
