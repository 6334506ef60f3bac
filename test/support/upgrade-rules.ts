// What a migration or function file must not do, because the last release runs on the same database during an update and after
// a roll-back. Modelled on the rules of squawk (squawkhq.com) and on what the release's own statements need.
import type { AlterTableCmd, AlterTableStmt, AlterTableType, Constraint, DropStmt, IndexStmt, Node } from 'libpg-query'

import { concurrentIndexOf } from '../../src/platform/postgres/migrate.ts'
import { type ParsedStatement, locksOf, nameOf, parseStatements } from '../../src/platform/postgres/statement-locks.ts'
import { type ReleasedSchema, lastName, signatureOf } from './released-schema.ts'

/** Statements that only add something. */
const ADDING = [
  'CommentStmt',
  'CompositeTypeStmt',
  'CreateDomainStmt',
  'CreateEnumStmt',
  'CreateExtensionStmt',
  'CreateSeqStmt',
  'CreateStatsStmt',
  'InsertStmt',
  'ViewStmt',
]
/** Parts of ALTER TABLE that no statement of the release notices. */
const UNNOTICED = new Set<AlterTableType>([
  'AT_DropNotNull',
  'AT_ValidateConstraint',
  'AT_SetStatistics',
  'AT_SetOptions',
  'AT_SetRelOptions',
  'AT_ResetRelOptions',
  'AT_SetStorage',
  'AT_AttachPartition',
])

/**
 * The reasons why the release would break. A statement whose comment says `-- <version> runs with this: <reason>` is the
 * author's responsibility.
 */
export async function faultsOfMigration(text: string, released: ReleasedSchema): Promise<string[]> {
  const statements = await parseStatements(text)
  const permitted = new RegExp(`^-- ${released.version.replaceAll('.', '\\.')} runs with this: \\S`, 'm')
  const checked = statements.filter((one) => !permitted.test(one.text))
  return [...faultsOfForm(text, statements), ...checked.flatMap(({ node }) => faultsOf(node, released))]
}

/** Whether `migrate` recognizes a file that must run outside of a transaction. */
function faultsOfForm(text: string, statements: readonly ParsedStatement[]): string[] {
  const isConcurrent = ({ node }: ParsedStatement) =>
    ('IndexStmt' in node && node.IndexStmt.concurrent) || ('DropStmt' in node && node.DropStmt.concurrent)
  if (!statements.some(isConcurrent)) return []
  if (statements.length === 1 && concurrentIndexOf(text) !== undefined) return []
  return ['`create index concurrently if not exists` and `drop index concurrently if exists` need a file of their own']
}

function faultsOf(node: Node, released: ReleasedSchema): string[] {
  const isReleased = (table: string | undefined) => table !== undefined && released.tables.has(table)
  if (ADDING.some((kind) => kind in node)) return []
  if ('CreateStmt' in node) return (node.CreateStmt.tableElts ?? []).flatMap((one) => foreignKeyFaults(one, released))
  if ('AlterTableStmt' in node) return alterFaults(node.AlterTableStmt, node, released)
  if ('IndexStmt' in node) return isReleased(node.IndexStmt.relation?.relname) ? indexFaults(node.IndexStmt) : []
  if ('DropStmt' in node) return dropFaults(node.DropStmt, released)
  if ('RenameStmt' in node) {
    const { relation, newname } = node.RenameStmt
    return [
      `renames ${relation?.relname ?? 'something'} or a part of it to ${newname}: add a copy, and drop the old one later`,
    ]
  }
  if ('CreateTrigStmt' in node) {
    const { relation, trigname } = node.CreateTrigStmt
    return isReleased(relation?.relname)
      ? [`adds trigger ${trigname} to ${relation?.relname}, which may refuse writes`]
      : []
  }
  if ('UpdateStmt' in node) return node.UpdateStmt.whereClause ? [] : ['updates all rows of a table in one transaction']
  if ('DeleteStmt' in node) return node.DeleteStmt.whereClause ? [] : ['deletes all rows of a table']
  return [`${Object.keys(node)[0]} is not known to be safe`]
}

function alterFaults({ relation, cmds = [], objtype }: AlterTableStmt, node: Node, released: ReleasedSchema): string[] {
  const table = relation?.relname ?? ''
  const commands = cmds.flatMap((one) => ('AlterTableCmd' in one ? [one.AlterTableCmd] : []))
  if (objtype === 'OBJECT_SEQUENCE' && commands.every(({ subtype }) => subtype === 'AT_SetLogged')) return []
  if (objtype === 'OBJECT_TYPE' && released.types.has(table))
    return [`changes the type ${table}, whose rows ${released.version} writes whole: add another type`]
  if (!released.tables.has(table)) return []
  const faults = commands.flatMap((command) => commandFaults(table, command, released))
  const isSlow = locksOf(node).some(({ mode, work }) => mode === 'ACCESS EXCLUSIVE' && /^(read|rewrite)$/.test(work))
  return isSlow ? [...faults, `reads or rewrites all rows of ${table} while everything waits`] : faults
}

function commandFaults(table: string, { subtype, name, def }: AlterTableCmd, released: ReleasedSchema): string[] {
  const column = `${table}.${name}`
  if (!subtype || UNNOTICED.has(subtype)) return []
  if (def && 'ColumnDef' in def && subtype === 'AT_AddColumn') {
    const { colname, constraints = [] } = def.ColumnDef
    return addedColumnFaults(`${table}.${colname}`, constraints, released)
  }
  if (subtype === 'AT_DropColumn') return released.unused.has(column) ? [] : [`drops ${column}, ${notMarked(released)}`]
  if (subtype === 'AT_AddConstraint')
    return [`adds a constraint to ${table}, which may refuse what ${released.version} writes`]
  if (subtype === 'AT_DropConstraint')
    return released.unique.has(name ?? '') ? [`drops ${name}, which \`on conflict\` may need`] : []
  if (subtype === 'AT_ColumnDefault' && def) return []
  return [`changes ${name === undefined ? table : column} (${subtype})`]
}

function addedColumnFaults(column: string, definitions: readonly Node[], released: ReleasedSchema): string[] {
  const constraints = definitions.flatMap((one) => ('Constraint' in one ? [one.Constraint] : []))
  const has = (...kinds: Constraint['contype'][]) => constraints.some(({ contype }) => kinds.includes(contype))
  const faults = definitions.flatMap((one) => foreignKeyFaults(one, released))
  const isFilled = has('CONSTR_DEFAULT', 'CONSTR_GENERATED', 'CONSTR_IDENTITY')
  if (has('CONSTR_NOTNULL') && !isFilled) faults.push(`${column} is not null and has no default`)
  if (has('CONSTR_UNIQUE', 'CONSTR_PRIMARY')) faults.push(`${column} is unique, which the default of new rows is not`)
  return faults
}

/** A row that the release may delete must not be kept by a reference that it does not know. */
function foreignKeyFaults(definition: Node, released: ReleasedSchema): string[] {
  if ('ColumnDef' in definition)
    return (definition.ColumnDef.constraints ?? []).flatMap((one) => foreignKeyFaults(one, released))
  if (!('Constraint' in definition) || definition.Constraint.contype !== 'CONSTR_FOREIGN') return []
  const { pktable, fk_del_action: onDelete } = definition.Constraint
  const target = pktable?.relname ?? ''
  // `c` and `n` are PostgreSQL's codes of ON DELETE CASCADE and SET NULL.
  if (!released.tables.has(target) || onDelete === 'c' || onDelete === 'n') return []
  return [`refers to ${target} without \`on delete cascade\` or \`set null\`: ${released.version} may delete the row`]
}

function indexFaults({ unique, concurrent, idxname, relation }: IndexStmt): string[] {
  if (unique) return [`${idxname} makes ${relation?.relname} unique, which may refuse writes`]
  return concurrent ? [] : [`${idxname} is built while writers of ${relation?.relname} wait: build it concurrently`]
}

function dropFaults({ removeType, objects = [], concurrent }: DropStmt, released: ReleasedSchema): string[] {
  return objects.flatMap((object) => {
    if ('ObjectWithArgs' in object) return droppedFunctionFaults(object, released)
    const name = nameOf('List' in object ? (object.List.items ?? []).slice(-1) : [])
    if (removeType === 'OBJECT_TABLE' && (!released.tables.has(name) || released.unused.has(name))) return []
    if (removeType !== 'OBJECT_INDEX') return [`drops ${name}, ${notMarked(released)}`]
    if (released.unique.has(name)) return [`drops ${name}, which \`on conflict\` may need`]
    return concurrent ? [] : [`drops ${name} while everything waits: drop it concurrently`]
  })
}

function droppedFunctionFaults(object: Extract<Node, { ObjectWithArgs: unknown }>, released: ReleasedSchema): string[] {
  const { objname, args_unspecified: isAny } = object.ObjectWithArgs
  const name = lastName(objname)
  const signature = signatureOf(object.ObjectWithArgs)
  const called = [...released.functions].filter(([key, one]) => (isAny ? one.name === name : key === signature))
  return called.filter(([key]) => !released.unused.has(key)).map(([key]) => `drops ${key}, ${notMarked(released)}`)
}

const notMarked = ({ version }: ReleasedSchema) =>
  `which ${version} uses. First release a version with the comment 'Unused since …' on it`

/** The reasons why the release's calls would fail: of a file of sql/functions. */
export async function faultsOfFunctionFile(text: string, released: ReleasedSchema): Promise<string[]> {
  const statements = await parseStatements(text)
  return statements.flatMap(({ node }) => ('DropStmt' in node ? dropFaults(node.DropStmt, released) : []))
}

/** The released functions that this schema lacks or has with another result or names, and new ones that are called instead. */
export function faultsOfFunctions(ours: ReleasedSchema, released: ReleasedSchema): string[] {
  const missing = [...released.functions].flatMap(([signature, { shape }]) => {
    const found = ours.functions.get(signature)
    if (!found) return released.unused.has(signature) ? [] : [`${signature} is missing, ${notMarked(released)}`]
    return found.shape === shape ? [] : [`${signature} has changed from ${shape} to ${found.shape}`]
  })
  const ambiguous = [...ours.functions].flatMap(
    ([
      signature,
      {
        name,
        argumentCounts: [least, most],
      },
    ]) => {
      if (released.functions.has(signature)) return []
      const others = [...released.functions.values()].filter((one) => one.name === name)
      const overlap = others.some(({ argumentCounts: [from, to] }) => least <= to && from <= most)
      return overlap ? [`${signature} makes calls with as many arguments ambiguous: give it another name`] : []
    },
  )
  return [...missing, ...ambiguous]
}
