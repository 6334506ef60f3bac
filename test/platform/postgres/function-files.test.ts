// Every function, view and trigger of the database can be read in sql/functions, in one place.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { cloneDatabase, testSql } from '../../support/database.ts'
import { opened } from '../../support/fixture.ts'
import { ROOT, filesUnder } from '../../support/imports.ts'

const database = await opened(cloneDatabase('migrated'), 'drop')
const sql = await opened(testSql(database.url, 1), 'end')

test('each function and view of the database is defined by one file of sql/functions, and nothing else is', async () => {
  const definitions = filesUnder('sql/functions').flatMap((file) =>
    Array.from(
      readFileSync(join(ROOT, file), 'utf8').matchAll(/^create (?:or replace )?(?:function|procedure|view) (\w+)/gim),
      ([, name = '']) => ({ name, file }),
    ),
  )
  const files = Map.groupBy(definitions, ({ name }) => name)
  const inSeveral = [...files].filter(([, all]) => new Set(all.map(({ file }) => file)).size > 1)
  expect(inSeveral.map(([name]) => name)).toEqual([])
  const stored = await sql<{ name: string }[]>`
    select p.proname as name from pg_proc p
    where p.pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
    union
    select c.relname from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'v'
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`
  expect([...files.keys()].toSorted()).toEqual(stored.map(({ name }) => name).toSorted())
})

/** Triggers that are not replaced from there, and why. */
const NOT_REPLACED: Readonly<Record<string, RegExp>> = {
  'PostgreSQL cannot replace a constraint trigger.': /^(dispute|refund|payment)_updated$/,
  'A function creates them in the transaction that counts what was there before.':
    /^(bookings|jobs|payments|quotes|reviews|rfqs)_(un|re)?counted$|^(payment|job|visit|dispute|refund)_revenue$|^(job_visits|visit_job)$/,
}

test('each trigger of the database is defined by the file of its function, except where a reason stands here', async () => {
  const definitions = filesUnder('sql/functions').flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8')
    return Array.from(
      text.matchAll(/^create or replace trigger (\w+)\s[^;]*? on (\w+)\s[^;]*?execute function (\w+)/gim),
      ([, trigger, table, called = '']) => ({
        trigger: `${table}.${trigger}`,
        isBesideFunction: new RegExp(`^create or replace function ${called}\\(`, 'm').test(text),
      }),
    )
  })
  expect(definitions.filter(({ isBesideFunction }) => !isBesideFunction)).toEqual([])
  const stored = await sql<{ name: string; table: string }[]>`
    select t.tgname as name, c.relname as table from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where not t.tgisinternal and t.tgparentid = 0 and c.relnamespace = 'public'::regnamespace`
  const replaced = stored.filter(({ name }) => !Object.values(NOT_REPLACED).some((names) => names.test(name)))
  expect(definitions.map(({ trigger }) => trigger).toSorted()).toEqual(
    replaced.map(({ name, table }) => `${table}.${name}`).toSorted(),
  )
  expect(definitions.length).toBeGreaterThan(60)
})
