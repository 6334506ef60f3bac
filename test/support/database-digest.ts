// A whole database as digests of its rows, to say what an act changed.
import type { Sql } from '../../src/platform/postgres/database.ts'

/** Digests of rows by table and primary key (or the whole row without one). */
export type Digest = ReadonlyMap<string, ReadonlyMap<string, string>>

interface TableKey {
  name: string
  /** SQL of the key. */
  key: string
}

export const tablesOf = (sql: Sql): Promise<TableKey[]> =>
  sql<TableKey[]>`
    select c.relname as name, coalesce((
      select 'jsonb_build_array(' || string_agg(format('t.%I', a.attname), ', ' order by k.n) || ')::text'
      from pg_constraint p cross join unnest(p.conkey) with ordinality k (attnum, n)
      join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
      where p.conrelid = c.oid and p.contype = 'p'), 't::text') as key
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    order by 1`

export async function digestDatabase(sql: Sql): Promise<Digest> {
  const digest = new Map<string, Map<string, string>>()
  for (const { name, key } of await tablesOf(sql)) {
    const rows = await sql.unsafe<{ key: string; digest: string }[]>(
      `select ${key} as key, md5(t::text) as digest from ${name} t`,
    )
    digest.set(name, new Map(rows.map((row) => [row.key, row.digest])))
  }
  return digest
}

export interface Change {
  table: string
  key: string
  what: 'added' | 'changed' | 'removed'
}

export function changesBetween(before: Digest, after: Digest): Change[] {
  return Array.from(after, ([table, rows]) => {
    const old = before.get(table) ?? new Map<string, string>()
    const removed = [...old.keys()]
      .filter((key) => !rows.has(key))
      .map((key) => ({ table, key, what: 'removed' as const }))
    const others = Array.from(rows, ([key, digest]): Change[] =>
      !old.has(key)
        ? [{ table, key, what: 'added' }]
        : old.get(key) === digest
          ? []
          : [{ table, key, what: 'changed' }],
    )
    return [...removed, ...others.flat()]
  }).flat()
}
