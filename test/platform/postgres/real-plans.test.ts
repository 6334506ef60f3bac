// The plans that PostgreSQL chooses on a marketplace of size, without any setting of the planner.
import { expect, test } from 'bun:test'

import { fillSizeSet } from '../../../bench/support/size-set.ts'
import { cloneDatabase, testSql } from '../../support/database.ts'
import { longForm } from '../../support/long-form.ts'
import { readDynamicStatements } from '../../support/plans/dynamic-statements.ts'
import { readFunctionStatements } from '../../support/plans/function-statements.ts'
import { readProgramStatements } from '../../support/plans/program-statements.ts'
import { readFirstColumns, realWholeReadsOf } from '../../support/plans/read-plans.ts'
import { opened } from '../../support/fixture.ts'

const SIZE = { pros: longForm(2000, 100_000), bookings: longForm(20_000, 1_000_000), diskGb: 24 }
const clone = await opened(cloneDatabase('migrated'), 'drop')
const sql = await opened(testSql(clone.url, 1), 'end')
await fillSizeSet(sql, SIZE, () => undefined)
await sql`select set_config('plan_cache_mode', 'force_generic_plan', false)`

/** What may read a large table or index whole, and why. */
const MAY_READ_ALL: Readonly<Record<string, readonly string[]>> = {
  'A command for rows loaded past the triggers.': ['pro_facts(): bookings', 'count_pro_facts(): bookings'],
  'A command after an update of the operating system took a zone away.': ['replace_lost_zones(): bookings'],
  'An operator searches in texts of all rows. The time limit of the statement bounds it.': [
    'src/features/messages/messages/queries/log.sql selectMessages: messages',
  ],
}

test('no statement reads a large table or index from one end to the other, except where a reason stands here', async () => {
  const firstColumns = await readFirstColumns(sql)
  const statements = [
    ...readProgramStatements().statements,
    ...(await readDynamicStatements(sql)),
    ...(await readFunctionStatements(sql)),
  ]
  // An index of what waits has few rows, however large its table is. PostgreSQL counts rows by estimate.
  const large = await sql<{ name: string }[]>`
    select oid::regclass::text as name from pg_class
    where relkind in ('r', 'i') and relnamespace = 'public'::regnamespace and reltuples >= ${SIZE.bookings * 0.9}`
  const names = new Set(large.map(({ name }) => name))
  expect(names).toContain('bookings')
  const found = new Set<string>()
  for (const statement of statements) {
    // Those that have no plan of their own are listed beside this test, in indexes.test.ts.
    const reads = await realWholeReadsOf(sql, statement, { waiting: new Set(), firstColumns }).catch(() => [])
    for (const { relation, index } of reads)
      if (names.has(index ?? relation)) found.add(`${statement.name}: ${relation}`)
  }
  expect([...found].toSorted()).toEqual(Object.values(MAY_READ_ALL).flat().toSorted())
}, 120_000)
