// The locks that a plan names are those that PostgreSQL takes.
import { expect, test } from 'bun:test'

import { locksOf, parseStatements } from '../../../src/platform/postgres/statement-locks.ts'
import { createEmptyDatabase, testSql } from '../../support/database.ts'
import { opened } from '../../support/fixture.ts'

/** The modes that hold anything up beyond reading, the strongest first. */
const MODES = ['ACCESS EXCLUSIVE', 'SHARE ROW EXCLUSIVE', 'SHARE', 'SHARE UPDATE EXCLUSIVE', 'ROW EXCLUSIVE']
const database = await opened(createEmptyDatabase(), 'drop')
const sql = await opened(testSql(database.url, 1), 'end')
await sql`create table things (id integer primary key, name text, size integer)`
await sql`create table parts (id integer primary key, thing_id integer)`
await sql`create index parts_thing on parts (thing_id)`
await sql`create function keep() returns trigger language plpgsql as 'begin return new; end'`
await sql`create trigger keeps before insert on things for each row execute function keep()`

test.each([
  ['alter table things add column place text not null default now()::text'],
  ['alter table things add column code integer generated always as identity'],
  ['alter table things alter name type varchar(9)'],
  ['alter table things alter name set not null, alter size set default 1'],
  ['alter table things alter size set statistics 10'],
  ['alter table things set (fillfactor = 90)'],
  ['alter table things add check (size > 0) not valid'],
  ['alter table parts add foreign key (thing_id) references things'],
  ['alter table things drop constraint things_pkey'],
  ['alter table things rename size to length'],
  ['alter table things enable row level security'],
  ['create table others (id integer references things)'],
  ['create index things_name on things (name)'],
  ['drop index parts_thing'],
  ['create trigger also before update on things for each row execute function keep()'],
  ['drop trigger keeps on things'],
  ['drop table parts'],
  ['truncate things'],
  ["insert into things values (1); update things set name = 'x' where id = 1; delete from things where id = 1"],
  ['create function other() returns integer language sql return 1'],
])('%s', async (text) => {
  const strongest = new Map<string, string>()
  for (const { node } of await parseStatements(text))
    for (const { relation, mode } of locksOf(node)) {
      const table = relation === 'parts_thing' ? 'parts' : relation
      const known = strongest.get(table)
      if (known === undefined || MODES.indexOf(mode) < MODES.indexOf(known)) strongest.set(table, mode)
    }
  expect(Object.fromEntries(strongest)).toEqual(await locksTakenBy(text))
})

/** The strongest lock on each table after the statements, which are then undone. */
async function locksTakenBy(text: string): Promise<Record<string, string>> {
  const connection = await sql.reserve()
  await connection`begin`
  const names = await connection<{ oid: number; name: string }[]>`
    select oid, relname as name from pg_class where relname in ('things', 'parts')`
  await connection.unsafe(text)
  const held = await connection<{ relation: number; mode: string }[]>`
    select relation, mode from pg_locks where pid = pg_backend_pid() and locktype = 'relation' and granted`
  await connection`rollback`
  connection.release()
  return Object.fromEntries(
    names.flatMap(({ oid, name }) => {
      const modes = new Set(held.filter(({ relation }) => relation === oid).map(({ mode }) => nameOfMode(mode)))
      const strongest = MODES.find((mode) => modes.has(mode))
      return strongest === undefined ? [] : [[name, strongest]]
    }),
  )
}

/** `AccessExclusiveLock` as the manual writes it: `ACCESS EXCLUSIVE`. */
const nameOfMode = (mode: string) =>
  mode
    .replace(/Lock$/, '')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toUpperCase()
