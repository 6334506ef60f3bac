// Every table has a decision about its rows, and the schema agrees with it.
import { expect, test } from 'bun:test'

import { RETENTION } from '../../../src/features/retention/tables.ts'
import { openTestDatabase } from '../../support/database.ts'
import { useFixture } from '../../support/fixture.ts'

const database = useFixture(() => openTestDatabase())

test('every table of the schema says what happens to its rows', async () => {
  const tables = await database.sql<{ name: string }[]>`
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')`
  expect(Object.keys(RETENTION).sort()).toEqual(tables.map(({ name }) => name).sort())
})

test('rows that go with those of another table are deleted by its foreign key', async () => {
  const cascades = await database.sql<{ pair: string }[]>`
    select conrelid::regclass || ' ' || confrelid::regclass as pair from pg_constraint
    where contype = 'f' and confdeltype = 'c'`
  const following = Object.entries(RETENTION).flatMap(([table, rule]) =>
    'goesWith' in rule ? [`${table} ${rule.goesWith}`] : [],
  )
  const pairs = cascades.map(({ pair }) => pair)
  expect(following.filter((pair) => !pairs.includes(pair))).toEqual([])
})

test('a row that is deleted by age is found by an index', async () => {
  const indexed = await database.sql<{ column: string }[]>`
    select i.indrelid::regclass || '.' || a.attname as column
    from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]`
  const columns = indexed.map(({ column }) => column)
  const needed = Object.entries(RETENTION).flatMap(([table, rule]) =>
    'rows' in rule ? [`${table}.${rule.oldestBy ?? rule.since}`] : [],
  )
  expect(needed.filter((column) => !columns.includes(column))).toEqual([])
})
