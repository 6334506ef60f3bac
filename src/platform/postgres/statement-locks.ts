// Which locks a statement of a migration takes, and how much of each table it reads or writes meanwhile (PostgreSQL's manual,
// chapter 13.3 and the pages of ALTER TABLE and CREATE INDEX).
import {
  type AlterTableCmd,
  type AlterTableStmt,
  type AlterTableType,
  type Constraint,
  type DropStmt,
  type Node,
  parse,
} from 'libpg-query'

/** What runs while a lock is held: a change of the catalog only, all rows read, all rows rewritten, or the rows that match. */
type Work = 'catalog' | 'read' | 'rewrite' | 'rows'

export interface TableLock {
  /** A table, or one of its indexes. */
  readonly relation: string
  /** The name of the mode in PostgreSQL's manual. */
  readonly mode: 'ACCESS EXCLUSIVE' | 'SHARE ROW EXCLUSIVE' | 'SHARE' | 'SHARE UPDATE EXCLUSIVE' | 'ROW EXCLUSIVE'
  readonly work: Work
}

export interface ParsedStatement {
  readonly node: Node
  /** With the comments before it. */
  readonly text: string
}

/** The statements of a file. Throws for text that is not SQL. */
export async function parseStatements(text: string): Promise<ParsedStatement[]> {
  const { stmts = [] } = await parse(text)
  // The parser counts in bytes.
  const bytes = Buffer.from(text)
  let previousEnd = 0
  return stmts.flatMap(({ stmt, stmt_location: start = 0, stmt_len: length = bytes.length }) => {
    const statement = bytes.subarray(previousEnd, start + length).toString()
    previousEnd = start + length
    return stmt ? [{ node: stmt, text: statement }] : []
  })
}

/** What PostgreSQL calls the names of a list, such as `schema.table`. */
export const nameOf = (names: readonly Node[] = []): string =>
  names.flatMap((one) => ('String' in one ? [one.String.sval] : [])).join('.')

/** The locks of tables that a statement takes; those of a table that it creates do not count. */
export function locksOf(node: Node): TableLock[] {
  if ('AlterTableStmt' in node) return alterLocks(node.AlterTableStmt)
  if ('DropStmt' in node) return dropLocks(node.DropStmt)
  if ('IndexStmt' in node) {
    const { relation, concurrent } = node.IndexStmt
    return lock(relation?.relname, concurrent ? 'SHARE UPDATE EXCLUSIVE' : 'SHARE', 'read')
  }
  if ('CreateTrigStmt' in node) return lock(node.CreateTrigStmt.relation?.relname, 'SHARE ROW EXCLUSIVE', 'catalog')
  if ('RenameStmt' in node) return lock(node.RenameStmt.relation?.relname, 'ACCESS EXCLUSIVE', 'catalog')
  if ('CreateStmt' in node) return (node.CreateStmt.tableElts ?? []).flatMap(foreignKeyLocks)
  if ('TruncateStmt' in node)
    return (node.TruncateStmt.relations ?? []).flatMap((one) =>
      'RangeVar' in one ? lock(one.RangeVar.relname, 'ACCESS EXCLUSIVE', 'catalog') : [],
    )
  if ('InsertStmt' in node) return lock(node.InsertStmt.relation?.relname, 'ROW EXCLUSIVE', 'rows')
  if ('UpdateStmt' in node) return lock(node.UpdateStmt.relation?.relname, 'ROW EXCLUSIVE', 'rows')
  if ('DeleteStmt' in node) return lock(node.DeleteStmt.relation?.relname, 'ROW EXCLUSIVE', 'rows')
  return []
}

const lock = (relation: string | undefined, mode: TableLock['mode'], work: Work): TableLock[] =>
  relation === undefined ? [] : [{ relation, mode, work }]

function dropLocks({ removeType, objects = [], concurrent }: DropStmt): TableLock[] {
  const names = objects.flatMap((one) => ('List' in one ? [one.List.items ?? []] : []))
  if (removeType === 'OBJECT_TABLE')
    return names.flatMap((name) => lock(nameOf(name.slice(-1)), 'ACCESS EXCLUSIVE', 'catalog'))
  // The last part of a trigger's name is its own, the part before it its table.
  if (removeType === 'OBJECT_TRIGGER')
    return names.flatMap((name) => lock(nameOf(name.slice(-2, -1)), 'ACCESS EXCLUSIVE', 'catalog'))
  if (removeType !== 'OBJECT_INDEX') return []
  const mode = concurrent ? 'SHARE UPDATE EXCLUSIVE' : 'ACCESS EXCLUSIVE'
  return names.flatMap((name) => lock(nameOf(name.slice(-1)), mode, 'catalog'))
}

/** The strongest lock of all parts of an ALTER TABLE, and those of tables that its foreign keys refer to. */
function alterLocks({ relation, cmds = [], objtype }: AlterTableStmt): TableLock[] {
  if (objtype !== 'OBJECT_TABLE') return []
  const parts = cmds.flatMap((one) => ('AlterTableCmd' in one ? [one.AlterTableCmd] : []))
  const own = parts.flatMap((part) => lock(relation?.relname, ...alterLock(part)))
  return [...own, ...parts.flatMap(({ def }) => (def ? foreignKeyLocks(def) : []))]
}

/** Parts of ALTER TABLE that take a weaker lock than ACCESS EXCLUSIVE, or touch rows. */
const ALTER_LOCKS: Partial<Record<AlterTableType, [TableLock['mode'], Work]>> = {
  AT_AlterColumnType: ['ACCESS EXCLUSIVE', 'rewrite'],
  AT_SetAccessMethod: ['ACCESS EXCLUSIVE', 'rewrite'],
  AT_SetLogged: ['ACCESS EXCLUSIVE', 'rewrite'],
  AT_SetUnLogged: ['ACCESS EXCLUSIVE', 'rewrite'],
  AT_SetNotNull: ['ACCESS EXCLUSIVE', 'read'],
  AT_ValidateConstraint: ['SHARE UPDATE EXCLUSIVE', 'read'],
  AT_AttachPartition: ['SHARE UPDATE EXCLUSIVE', 'read'],
  AT_SetStatistics: ['SHARE UPDATE EXCLUSIVE', 'catalog'],
  AT_SetOptions: ['SHARE UPDATE EXCLUSIVE', 'catalog'],
  AT_SetRelOptions: ['SHARE UPDATE EXCLUSIVE', 'catalog'],
  AT_ResetRelOptions: ['SHARE UPDATE EXCLUSIVE', 'catalog'],
}

function alterLock({ subtype, def }: AlterTableCmd): [TableLock['mode'], Work] {
  if (def && 'ColumnDef' in def && subtype === 'AT_AddColumn')
    return ['ACCESS EXCLUSIVE', addedColumnWork(def.ColumnDef.constraints)]
  if (def && 'Constraint' in def) return addedConstraintLock(def.Constraint)
  return (subtype && ALTER_LOCKS[subtype]) ?? ['ACCESS EXCLUSIVE', 'catalog']
}

/** A constant default is stored once; any other is computed for each row. */
function addedColumnWork(constraints: readonly Node[] = []): Work {
  const own = constraints.flatMap((one) => ('Constraint' in one ? [one.Constraint] : []))
  const isComputed = own.some(
    ({ contype, raw_expr: value }) =>
      contype === 'CONSTR_GENERATED' ||
      contype === 'CONSTR_IDENTITY' ||
      (contype === 'CONSTR_DEFAULT' && !isConstant(value)),
  )
  if (isComputed) return 'rewrite'
  return own.some(({ contype }) => contype === 'CONSTR_CHECK' || contype === 'CONSTR_UNIQUE') ? 'read' : 'catalog'
}

function isConstant(value: Node | undefined): boolean {
  if (!value || 'A_Const' in value || 'SQLValueFunction' in value || 'A_ArrayExpr' in value) return true
  if ('TypeCast' in value) return isConstant(value.TypeCast.arg)
  return 'FuncCall' in value && nameOf(value.FuncCall.funcname) === 'now'
}

function addedConstraintLock({ contype, skip_validation: skips, indexname }: Constraint): [TableLock['mode'], Work] {
  const work = skips || indexname !== undefined ? 'catalog' : 'read'
  return [contype === 'CONSTR_FOREIGN' ? 'SHARE ROW EXCLUSIVE' : 'ACCESS EXCLUSIVE', work]
}

/** The locks of tables that the foreign keys of a column or constraint refer to. */
function foreignKeyLocks(definition: Node): TableLock[] {
  if ('ColumnDef' in definition) return (definition.ColumnDef.constraints ?? []).flatMap(foreignKeyLocks)
  if (!('Constraint' in definition) || definition.Constraint.contype !== 'CONSTR_FOREIGN') return []
  return lock(definition.Constraint.pktable?.relname, 'SHARE ROW EXCLUSIVE', 'catalog')
}
