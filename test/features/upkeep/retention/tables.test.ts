// Every table has a decision about its rows, and the schema agrees with it.
import { expect, test } from 'bun:test'

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { RETENTION, type RetentionRule } from '../../../../src/features/upkeep/retention/tables.ts'
import { readConfig } from '../../../../src/config.ts'
import { ROOT } from '../../../support/imports.ts'
import { openTestDatabase } from '../../../support/database.ts'
import { opened } from '../../../support/fixture.ts'

const database = await opened(openTestDatabase())

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
  const pairs = new Set(cascades.map(({ pair }) => pair))
  expect(following.filter((pair) => !pairs.has(pair))).toEqual([])
})

test('every other reference to a row that is deleted by age is known, because it could prevent the deletion', async () => {
  const references = await database.sql<{ name: string; target: string }[]>`
    select conname as name, confrelid::regclass::text as target from pg_constraint
    where contype = 'f' and confdeltype = 'a' and conparentid = 0 order by conname`
  const aging = new Set(Object.entries(RETENTION).flatMap(([table, rule]) => ('since' in rule ? [table] : [])))
  expect(references.filter(({ target }) => aging.has(target)).map(({ name }) => name)).toEqual([
    // The rule of api_keys keeps rows that these refer to.
    'api_keys_replaced_by_fkey',
    // The rule of brand_pictures keeps those that a version shows.
    'marketplace_versions_icon_fkey',
    'marketplace_versions_logo_fkey',
    'oauth_grants_client_id_fkey',
    'proposals_key_id_fkey',
    // Messages of a run in a thread, which goes with the thread.
    'thread_messages_of_run',
  ])
})

test('a row that is deleted by age is found by an index', async () => {
  const indexed = await database.sql<{ column: string }[]>`
    select i.indrelid::regclass || '.' || a.attname as column
    from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]`
  const columns = new Set(indexed.map(({ column }) => column))
  const needed = Object.entries(RETENTION).flatMap(([table, rule]) =>
    'rows' in rule ? [`${table}.${rule.oldestBy ?? rule.since}`] : [],
  )
  expect(needed.filter((column) => !columns.has(column))).toEqual([])
})

/** The lines of the table in docs/design/growth.md: what is deleted by table, what is kept by reason. */
function documentedRules(): string[] {
  const { historyDays } = readConfig({ DATABASE_URL: 'postgres://localhost/x', REDIS_URL: 'redis://localhost' })
  const entries: [string, RetentionRule][] = Object.entries(RETENTION)
  const following = (table: string): string[] =>
    entries.flatMap(([name, rule]) => ('goesWith' in rule && rule.goesWith === table ? [name, ...following(name)] : []))
  const named = (tables: string[]) => tables.map((table) => `\`${table}\``).join(', ')
  const deleted = entries.flatMap(([table, rule]) => {
    if (!('since' in rule)) return []
    const { days } = rule
    const age =
      typeof days === 'string'
        ? `\`${days.toUpperCase()}_HISTORY_DAYS\` (${historyDays[days]})`
        : days === 0
          ? 'at once'
          : days < 1
            ? `${Math.round(days * 24)} hour`
            : days === 1
              ? '1 day'
              : `${days} days`
    return [
      `| ${named([table, ...following(table)])} | ${rule.rows} | deleted: ${age}${rule.partitions ? `, whole ${rule.partitions.by}s` : ''} |`,
    ]
  })
  const reasons = Map.groupBy(
    entries.filter(([, rule]) => 'kept' in rule),
    ([, rule]) => 'kept' in rule && rule.kept,
  )
  const kept = Array.from(reasons, ([reason, tables]) => {
    const names = tables.flatMap(([table]) => [table, ...following(table)])
    return `| ${named(names)} | ${reason} | kept |`
  })
  return [...deleted, ...kept]
}

test('docs/design/growth.md lists how long the rows of every table stay', () => {
  const text = readFileSync(join(ROOT, 'docs/design/growth.md'), 'utf8')
  expect(text.split('\n').filter((line) => line.startsWith('| `'))).toEqual(documentedRules())
})
