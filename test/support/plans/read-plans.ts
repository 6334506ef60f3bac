// Plans of statements, and which of them read a whole table or index.
import type { Sql } from '../../../src/platform/postgres/database.ts'
import type { Statement } from './program-statements.ts'

export interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  'Order By'?: string
  Filter?: string
  'Actual Loops'?: number
  'Actual Rows'?: number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

export interface WholeRead {
  readonly relation: string
  /** Undefined for a sequential scan. */
  readonly index: string | undefined
  readonly filter: string | undefined
}

/**
 * A connection that plans as if each table were large, and for all parameters: where an index leads to the rows it is used,
 * and a join looks each row up. Tables that were never analyzed count as ten pages; the price of a row does the rest.
 */
export async function preferIndexes(sql: Sql): Promise<void> {
  await sql`
    select set_config(name, value, false) from (values
      ('plan_cache_mode', 'force_generic_plan'), ('jit', 'off'),
      ('enable_seqscan', 'off'), ('enable_hashjoin', 'off'), ('enable_mergejoin', 'off'), ('enable_material', 'off'),
      ('cpu_tuple_cost', '1000'), ('cpu_index_tuple_cost', '1000')) setting (name, value)`
}

export interface KnownIndexes {
  /** Those that are read whole by purpose. */
  readonly waiting: ReadonlySet<string>
  /** The first column of each B-tree index that begins with a column. */
  readonly firstColumns: ReadonlyMap<string, string>
}

export async function readFirstColumns(sql: Sql): Promise<Map<string, string>> {
  const rows = await sql<{ index: string; column: string }[]>`
    select i.indexrelid::regclass::text as index, a.attname as column
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am m on m.oid = c.relam and m.amname = 'btree'
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
    where c.relnamespace = 'public'::regnamespace`
  return new Map(rows.map(({ index, column }) => [index, column]))
}

/**
 * What a statement reads from one end to the other, with each optional filter given and with none. A partial index that is
 * read whole counts only if no other index leads to the rows; those of `waiting` are read whole by purpose.
 */
export async function wholeReadsOf(
  sql: Sql,
  { text, types }: Statement,
  { waiting, firstColumns }: KnownIndexes,
): Promise<WholeRead[]> {
  const wholeReads = (plan: PlanNode) => wholeReadsIn(plan, { waiting, firstColumns })
  const found: WholeRead[] = []
  for (const one of withAndWithoutFilters(text)) {
    const plan = await planOf(sql, one, types)
    found.push(
      ...(await withoutPartialIndexes(sql, wholeReads(plan), async () => wholeReads(await planOf(sql, one, types)))),
    )
  }
  return found
}

/** Plans again without the partial indexes that were read whole, as long as that makes the reads fewer. */
async function withoutPartialIndexes(
  sql: Sql,
  reads: WholeRead[],
  readAgain: () => Promise<WholeRead[]>,
): Promise<WholeRead[]> {
  if (reads.length === 0) return reads
  const hidden = new Set<string>()
  let latest = reads
  await sql`begin`
  try {
    for (;;) {
      const indexes = latest.flatMap(({ index }) => index ?? []).filter((index) => !hidden.has(index))
      const rows = await sql<{ name: string }[]>`
        update pg_index set indisvalid = false
        where indexrelid::regclass::text = any (${indexes}::text[]) and indpred is not null
        returning indexrelid::regclass::text as name`
      if (rows.length === 0) return latest
      for (const { name } of rows) hidden.add(name)
      latest = await readAgain()
    }
  } finally {
    await sql`rollback`
  }
}

/** What a statement reads whole in the plan that PostgreSQL would choose for all parameters. */
export async function realWholeReadsOf(sql: Sql, statement: Statement, known: KnownIndexes): Promise<WholeRead[]> {
  const plans: PlanNode[] = []
  for (const one of withAndWithoutFilters(statement.text)) plans.push(await planOf(sql, one, statement.types))
  return plans.flatMap((plan) => wholeReadsIn(plan, known))
}

/** What the columns of a row without a declared type can be: the first combination that fits. */
const GUESSES = ['unknown', 'timestamp', 'integer']

function* guessesFor([type, ...rest]: readonly string[]): Generator<string[]> {
  for (const guess of type === 'unknown' ? GUESSES : [type])
    if (guess === undefined) yield []
    else for (const others of guessesFor(rest)) yield [guess, ...others]
}

async function planOf(sql: Sql, text: string, types: readonly string[] = []): Promise<PlanNode> {
  let failure: unknown
  for (const guess of guessesFor(types)) {
    try {
      await sql.unsafe(`prepare planned${guess.length > 0 ? ` (${guess.join(', ')})` : ''} as ${text}`)
    } catch (error) {
      failure ??= error
      continue
    }
    try {
      return await explainPrepared(sql)
    } finally {
      await sql`deallocate planned`
    }
  }
  throw new Error(`This cannot be planned: ${text}`, { cause: failure })
}

async function explainPrepared(sql: Sql): Promise<PlanNode> {
  const [prepared] = await sql<{ types: string[] }[]>`
    select parameter_types::text[] as types from pg_prepared_statements where name = 'planned'`
  const parameters = (prepared?.types ?? []).map(() => 'null').join(', ')
  const [row] = await sql.unsafe<Record<string, [{ Plan: PlanNode }]>[]>(
    `explain (format json) execute planned${parameters ? `(${parameters})` : ''}`,
  )
  const [explained] = Object.values(row ?? {})
  if (!explained) throw new Error('EXPLAIN answered without a plan.')
  return explained[0].Plan
}

/** `$1::uuid is null or …`: a filter that the caller may leave out. PostgreSQL plans these statements for their parameters. */
const OPTIONAL = /\$\d+(?:::[\w[\]]+)? is null or /g

function withAndWithoutFilters(text: string): string[] {
  const count = [...text.matchAll(OPTIONAL)].length
  const choose = (isGiven: (n: number) => boolean) => {
    let n = 0
    return text.replace(
      OPTIONAL,
      (found) => `${found.replace(/ is null or $/, '')} is null and ${isGiven(n++) ? 'false' : 'true'} or `,
    )
  }
  if (count === 0) return [text]
  const alone = Array.from({ length: count }, (_, given) => choose((n) => n === given))
  return [...new Set([choose(() => true), choose(() => false), ...alone])]
}

/** The tables and indexes that a plan reads from one end to the other, unless a limit stops it in the order of an index. */
function wholeReadsIn(plan: PlanNode, { waiting, firstColumns }: KnownIndexes): WholeRead[] {
  const found: WholeRead[] = []
  const visit = (node: PlanNode, isLimited: boolean): void => {
    const { 'Node Type': type, 'Relation Name': relation, 'Index Name': index, Filter: filter } = node
    const isScan = /^(Seq|Sample|Index|Index Only|Bitmap Index) Scan$/.test(type)
    // A condition on a later column only is tested on the whole index.
    const first = firstColumns.get(index ?? '')
    const condition = node['Index Cond'] ?? ''
    const isLedTo = condition !== '' && (first === undefined || new RegExp(`\\b${first}\\b`).test(condition))
    const isBounded = isLedTo || (index && (waiting.has(index) || (isLimited && !filter)))
    if (isScan && !isBounded) found.push({ relation: relation ?? index ?? '', index, filter })
    for (const child of node.Plans ?? []) visit(child, passesLimit(node, isLimited))
  }
  visit(plan, false)
  return found
}

/** Whether a limit above stops the reading below: a sort or an aggregate reads all of its input first. */
function passesLimit({ 'Node Type': type }: PlanNode, isLimited: boolean): boolean {
  if (type === 'Limit') return true
  return (
    isLimited && !/^(Sort|Aggregate|Hash|HashAggregate|GroupAggregate|Group|WindowAgg|Materialize|SetOp)$/.test(type)
  )
}

export const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)]
