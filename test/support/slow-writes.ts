// A database whose writes are slow, and which tells what was committed.
import type { Sql } from '../../src/platform/postgres/database.ts'
import { tablesOf } from './database-digest.ts'

/** Seconds for each statement that writes: less than its time limit; a few take longer than a request waits. */
const SLEEP = 0.55
/** What requests write apart from what they were asked for: who used a key, and how often, and what was searched for. */
const BESIDES = new Set(['api_key_usage', 'api_keys', 'search_days', 'search_misses'])

export interface SlowWrites {
  /** Forgets what was changed. */
  begin(): Promise<void>
  /** Whether no transaction of the program is open. */
  isQuiet(): Promise<boolean>
  /** The tables in which rows were changed by transactions that are committed. */
  changed(): Promise<string[]>
}

export async function slowWrites(sql: Sql): Promise<SlowWrites> {
  await sql`create table test_changes (name text)`
  await sql`
    create function test_slow() returns trigger language plpgsql as $$
    begin perform pg_sleep(${sql.unsafe(String(SLEEP))}); return null; end $$`
  await sql`
    create function test_note() returns trigger language plpgsql as $$
    begin insert into test_changes values (tg_table_name); return null; end $$`
  const tables = (await tablesOf(sql)).map(({ name }) => name).filter((name) => name !== 'test_changes')
  for (const table of tables) {
    await sql`
      create trigger test_slow after insert or update or delete on ${sql(table)} for each statement execute function test_slow()`
    await sql`
      create trigger test_note after insert or update or delete on ${sql(table)} for each row execute function test_note()`
  }
  return {
    begin: async () => void (await sql`truncate test_changes`),
    isQuiet: async () => {
      const open = await sql`
        select from pg_stat_activity
        where datname = current_database() and application_name = 'hearth' and xact_start is not null`
      return open.length === 0
    },
    changed: async () => {
      const rows = await sql<{ name: string }[]>`select distinct name from test_changes order by name`
      return rows.map(({ name }) => name).filter((name) => !BESIDES.has(name))
    },
  }
}
