// Every column that can hold personal data is classified, so that no new one is left out of a copy or an erasure.
import { expect, test } from 'bun:test'

import { COLUMNS } from '../../../../src/features/customers/privacy/columns.ts'
import { openTestDatabase } from '../../../support/database.ts'
import { opened } from '../../../support/fixture.ts'

const database = await opened(openTestDatabase())

test('every column of text or JSON says whose data it holds and what an erasure makes of it', async () => {
  const columns = await database.sql<{ name: string }[]>`
    select c.table_name || '.' || c.column_name as name from information_schema.columns c
    join pg_class k on k.oid = format('public.%I', c.table_name)::regclass and k.relkind in ('r', 'p')
      and not k.relispartition
    where c.table_schema = 'public' and c.udt_name in ('text', 'varchar', 'json', 'jsonb', '_text', '_jsonb')
      and not exists (select from pg_depend d where d.objid = k.oid and d.deptype = 'e')`
  const classified = Object.entries(COLUMNS).flatMap(([table, treatments]) =>
    Object.values(treatments).flatMap((names) => names.split(' ').map((name) => `${table}.${name}`)),
  )
  expect(classified.toSorted()).toEqual(columns.map(({ name }) => name).toSorted())
})
