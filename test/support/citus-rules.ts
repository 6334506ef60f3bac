// What Citus refuses in a schema whose tables are placed as ops/citus/placement.ts says. The rules are those of Citus 13:
// ErrorIfUnsupportedConstraint, ErrorIfUnsupportedForeignConstraintExists and ErrorIfRelationHasUnsupportedTrigger of its source,
// and the page "Creating and modifying distributed objects" of its manual.
import type { Placement } from '../../ops/citus/placement.ts'
import type { Sql } from '../../src/platform/postgres/database.ts'

interface UniqueKey {
  readonly table: string
  readonly name: string
  /** The columns that are compared for equality. An expression is an empty name. */
  readonly columns: readonly string[]
}

interface ForeignKey {
  readonly table: string
  readonly name: string
  readonly columns: readonly string[]
  readonly referenced: string
  readonly referencedColumns: readonly string[]
  /** a: no action, r: restrict, c: cascade, n: set null, d: set default. */
  readonly actions: string
  readonly isOfPartitions: boolean
}

interface Trigger {
  readonly table: string
  readonly name: string
  readonly function: string
  readonly isPerRow: boolean
}

export interface Catalog {
  readonly tables: ReadonlyMap<string, readonly string[]>
  readonly uniqueKeys: readonly UniqueKey[]
  readonly foreignKeys: readonly ForeignKey[]
  readonly triggers: readonly Trigger[]
}

/** The tables of the schema, without partitions, and what Citus has rules about. */
export async function readCatalog(sql: Sql): Promise<Catalog> {
  const tables = await sql<{ name: string; columns: string[] }[]>`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    group by c.relname`
  const uniqueKeys = await sql<UniqueKey[]>`
    select t.relname as "table", i.relname as name, array_agg(coalesce(
      case when x.indisexclusion and not exists (
          select from pg_amop o join pg_am m on m.oid = o.amopmethod and m.amname = 'btree'
          where o.amopopr = (
              select k.conexclop from pg_constraint k where k.conindid = i.oid and k.contype = 'x')[key.position]
            and o.amopstrategy = 3)
        then null else a.attname::text end, '') order by key.position) as columns
    from pg_index x
    join pg_class i on i.oid = x.indexrelid
    join pg_class t on t.oid = x.indrelid and t.relnamespace = 'public'::regnamespace and not t.relispartition
    cross join generate_series(1, x.indnkeyatts) key (position)
    left join pg_attribute a on a.attrelid = t.oid and a.attnum = x.indkey[key.position - 1] and a.attnum > 0
    where (x.indisunique or x.indisexclusion)
      and not exists (select from pg_depend d where d.objid = t.oid and d.deptype = 'e')
    group by t.relname, i.relname`
  const foreignKeys = await sql<ForeignKey[]>`
    select t.relname as "table", k.conname as name, r.relname as referenced, k.confdeltype::text || k.confupdtype::text as actions,
      t.relkind = 'p' as is_of_partitions,
      array(select a.attname::text from unnest(k.conkey) with ordinality c (number, position)
        join pg_attribute a on a.attrelid = t.oid and a.attnum = c.number order by c.position) as columns,
      array(select a.attname::text from unnest(k.confkey) with ordinality c (number, position)
        join pg_attribute a on a.attrelid = r.oid and a.attnum = c.number order by c.position) as referenced_columns
    from pg_constraint k
    join pg_class t on t.oid = k.conrelid and not t.relispartition
    join pg_class r on r.oid = k.confrelid
    where k.contype = 'f'`
  const triggers = await sql<Trigger[]>`
    select t.relname as "table", g.tgname as name, f.proname as function, g.tgtype & 1 = 1 as is_per_row
    from pg_trigger g
    join pg_class t on t.oid = g.tgrelid and not t.relispartition
    join pg_proc f on f.oid = g.tgfoid
    where not g.tgisinternal and t.relnamespace = 'public'::regnamespace`
  return { tables: new Map(tables.map(({ name, columns }) => [name, columns])), uniqueKeys, foreignKeys, triggers }
}

type Placed = (table: string) => Placement

const columnOf = (placement: Placement): string | undefined => ('by' in placement ? placement.by : undefined)

/** Unique keys and exclusion constraints that would have to hold across shards. */
export const uniqueAcrossShards = ({ uniqueKeys }: Catalog, placed: Placed): string[] =>
  uniqueKeys.flatMap(({ table, name, columns }) => {
    const column = columnOf(placed(table))
    return column === undefined || columns.includes(column) ? [] : [name]
  })

/** Foreign keys that Citus cannot check on one node, with the reason. */
export const foreignKeysAcrossNodes = ({ foreignKeys }: Catalog, placed: Placed): [name: string, fault: string][] =>
  foreignKeys.flatMap((key) => {
    const fault = faultOf(key, placed(key.table), placed(key.referenced))
    return fault === undefined ? [] : [[key.name, fault] as [string, string]]
  })

function faultOf(key: ForeignKey, from: Placement, to: Placement): string | undefined {
  const [column, referencedColumn] = [columnOf(from), columnOf(to)]
  if (column !== undefined && key.columns.includes(column) && /[nd]|.c/.test(key.actions))
    return 'it changes the distribution column'
  if ('reference' in to)
    return 'coordinator' in from && key.isOfPartitions ? 'from partitions of the coordinator' : undefined
  if ('coordinator' in to)
    return 'coordinator' in from || ('reference' in from && /^[ar]{2}$/.test(key.actions))
      ? undefined
      : 'a node cannot see a table of the coordinator'
  if (!('by' in from)) return 'to a distributed table'
  if (from.of !== ('by' in to ? to.of : '')) return 'not co-located'
  const position = key.columns.indexOf(column ?? '')
  return position >= 0 && key.referencedColumns[position] === referencedColumn
    ? undefined
    : 'without the distribution column'
}

/**
 * Triggers that Citus would not run, or on nodes where their work is not: triggers of distributed tables run on a shard if
 * `citus.enable_unsafe_triggers` allows it, which is right for a row's own and co-located rows only (`onShards` has these
 * functions).
 */
export const triggersAcrossNodes = ({ triggers }: Catalog, placed: Placed, onShards: ReadonlySet<string>): string[] =>
  triggers.flatMap(({ table, name, function: called, isPerRow }) => {
    if ('coordinator' in placed(table)) return []
    return 'by' in placed(table) && isPerRow && onShards.has(called) ? [] : [`${table}.${name}`]
  })
