// A marker in every text of every row that belongs to another person.
import type { Sql } from '../../src/platform/postgres/database.ts'
import { OWNED } from './hostile-customers.ts'

/** Texts that the software reads as names of something, and those that keep secrets apart. */
const READ_BY_THE_SOFTWARE = new Set([
  'time_zone',
  'status',
  'state',
  'kind',
  'type',
  'aggregate_type',
  'url',
  'events',
  'client_secret',
  'business_hours',
])
const TABLES_OF_THE_SOFTWARE = new Set(['schema_files', 'hostile', 'template', 'state_transitions', 'states'])

export const markerOf = (table: string, column: string) => `mark-${table}-${column}-`

/** Writes the markers where a row can hold them. Returns the columns that have one. */
export async function plantMarkers(sql: Sql): Promise<string[]> {
  const columns = await sql<{ table: string; name: string; type: string }[]>`
    select c.table_name as "table", c.column_name as name, c.udt_name as type
    from information_schema.columns c
    join pg_class k on k.oid = format('public.%I', c.table_name)::regclass and k.relkind in ('r', 'p') and not k.relispartition
    where c.table_schema = 'public' and c.udt_name in ('text', 'jsonb') and c.is_generated = 'NEVER'
      and not exists (select from pg_depend d where d.objid = k.oid and d.deptype = 'e')
    order by 1, 2`
  const planted: string[] = []
  await sql.begin(async (tx) => {
    // Neither triggers nor foreign keys look at the markers.
    await tx`set local session_replication_role = replica`
    for (const { table, name, type } of columns) {
      if (TABLES_OF_THE_SOFTWARE.has(table) || READ_BY_THE_SOFTWARE.has(name)) continue
      const marker = `'${markerOf(table, name)}' || substr(md5(t::text), 1, 8)`
      const value = type === 'text' ? marker : `t.${name} || jsonb_build_object('planted', ${marker})`
      const isObject = type === 'jsonb' ? `and jsonb_typeof(t.${name}) = 'object'` : ''
      try {
        const { count } = await tx.savepoint((inner) =>
          inner.unsafe(
            `update ${table} t set ${name} = ${value} where t.${name} is not null ${isObject} and not coalesce((${OWNED[table] ?? 'false'}), false)`,
          ),
        )
        if (count > 0) planted.push(`${table}.${name}`)
      } catch (error) {
        // A constraint keeps the column to a few words of ours.
        if ((error as { code?: string }).code !== '23514') throw error
      }
    }
  })
  return planted
}
