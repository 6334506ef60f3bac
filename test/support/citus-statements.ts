// Which statements Citus would send to all shards: those that read a distributed table without comparing its distribution column.
import { type Node, parse, parsePlPgSQL } from 'libpg-query'

import type { Placement } from '../../ops/citus/placement.ts'
import { nameOf } from '../../src/platform/postgres/statement-locks.ts'

type Placements = Readonly<Record<string, Placement>>
type Tree = Readonly<Record<string, unknown>>

/** The distributed tables, with their aliases, that a statement reads or changes on all shards. */
export async function tablesOnAllShards(statement: string, placements: Placements): Promise<string[]> {
  const { stmts } = await parse(statement)
  return queriesIn({ stmts }).flatMap((query) => tablesWithoutColumn(query, placements))
}

/**
 * The distributed tables of which a statement passes whole rows to functions: on a shard, whose rows have a type of their own, there is
 * no such function.
 */
export async function rowsPassedOnShards(statement: string, placements: Placements): Promise<string[]> {
  const { stmts } = await parse(statement)
  return queriesIn({ stmts }).flatMap((query) => {
    const passed = new Set(
      nodesIn(query, 'FuncCall').flatMap(({ args }) => ((args ?? []) as Tree[]).map((one) => columnName(one))),
    )
    return distributedTablesOf(query, placements).flatMap(({ table, alias }) => (passed.has(alias) ? [table] : []))
  })
}

/** The statements and expressions of a PL/pgSQL function, each as a statement. */
export async function statementsOf(definition: string): Promise<string[]> {
  // The parser has no catalog, and takes an array of rows for a row.
  const readable = definition.replaceAll(/^( +\w+) \w+\[\];$/gm, '$1 text[];')
  const expressions = nodesIn((await parsePlPgSQL(readable)) as object as Tree, 'PLpgSQL_expr')
  return expressions
    .map(({ query }) => String(query).replace(/^\s*[\w.]+\s*:=/, ''))
    .filter((text) => !/^\s*(lock|truncate|create|drop|analyze|set)\b/i.test(text))
    .map((text) => (/^\s*(select|insert|update|delete|with|values)\b/i.test(text) ? text : `select ${text}`))
}

const QUERIES = ['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt']

/** A table is asked on one shard if its column equals a value, or the column of such a table. */
function tablesWithoutColumn(query: Tree, placements: Placements): string[] {
  const own = distributedTablesOf(query, placements)
  const routed = new Set<string>()
  for (let added = -1; added !== routed.size;) {
    added = routed.size
    for (const { alias, column } of own) {
      const equals = equalTo(query, alias, column, own.length === 1)
      const isOwn = (name: string) => own.some((one) => name.startsWith(`${one.alias}.`))
      if (equals.some((name) => routed.has(name) || !isOwn(name))) routed.add(column)
    }
  }
  return own.flatMap(({ table, alias, column }) =>
    routed.has(column) ? [] : [alias === table ? table : `${table} ${alias}`],
  )
}

const distributedTablesOf = (query: Tree, placements: Placements) =>
  tablesOf(query).flatMap(({ table, alias }) => {
    const placement = placements[table]
    return placement && 'by' in placement ? [{ table, alias, column: `${alias}.${placement.by}` }] : []
  })

/** The tables that a query itself names, without those of its subqueries. */
function tablesOf(query: Tree): { table: string; alias: string }[] {
  const outer = Object.fromEntries(Object.entries(query).filter(([part]) => part !== 'relation'))
  const named = nodesIn(outer, 'RangeVar', (kind) => QUERIES.includes(kind))
  const target = query['relation'] as Tree | undefined
  return [...(target ? [target] : []), ...named].map(({ relname, alias }) => ({
    table: String(relname),
    alias: String((alias as Tree | undefined)?.['aliasname'] ?? relname),
  }))
}

/**
 * What a query says the column equals, by `=` or by `insert`: other columns by name, and '' for anything else. Alternatives (`or`)
 * do not count, nor do subqueries. `isOnly`: the column may stand without the alias.
 */
function equalTo(query: Tree, alias: string, column: string, isOnly: boolean): string[] {
  const isOther = (kind: string, node: Tree) =>
    QUERIES.includes(kind) || (kind === 'BoolExpr' && node['boolop'] === 'OR_EXPR')
  const names = new Set([column, ...(isOnly ? [column.slice(alias.length + 1)] : [])])
  const compared = nodesIn(query, 'A_Expr', isOther).flatMap(({ name, lexpr, rexpr }) => {
    const sides = [lexpr, rexpr].map((side) => columnName(side as Tree | undefined))
    if (nameOf(name as Node[]) !== '=' || !sides.some((side) => names.has(side))) return []
    return [sides.find((side) => !names.has(side)) ?? '']
  })
  const written = (query['cols'] as Node[] | undefined)?.some(
    (one) => 'ResTarget' in one && names.has(one.ResTarget.name ?? ''),
  )
  return written ? ['', ...compared] : compared
}

/** `side` is undefined for a prefix operator. */
const columnName = (side: Tree | undefined): string =>
  side && 'ColumnRef' in side ? nameOf((side['ColumnRef'] as { fields: Node[] }).fields) : ''

const queriesIn = (tree: Tree): Tree[] => QUERIES.flatMap((kind) => nodesIn(tree, kind))

/** All nodes of a kind in a tree, without what is in nodes that `leaveOut` names. */
function nodesIn(tree: Tree, wanted: string, leaveOut: (kind: string, node: Tree) => boolean = () => false): Tree[] {
  return Object.entries(tree).flatMap(([kind, value]) => {
    if (typeof value !== 'object' || value === null) return []
    const node = value as Tree
    if (leaveOut(kind, node)) return []
    return [...(kind === wanted ? [node] : []), ...nodesIn(node, wanted, leaveOut)]
  })
}
