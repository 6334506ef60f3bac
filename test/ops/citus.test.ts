// Citus could spread the database by pro: nothing in the schema or on a hot path stands against it that ops/citus/exceptions.ts
// does not name. Citus is not in the distribution, so its rules are applied to the catalog of a migrated database.
import { expect, test } from 'bun:test'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import {
  CROSS_SHARD_FOREIGN_KEYS,
  CROSS_SHARD_KEYS,
  CROSS_SHARD_STATEMENTS,
  ROWS_AS_ARGUMENTS,
  TRIGGERS_OF_ALL_NODES,
  TRIGGERS_ON_SHARDS,
} from '../../ops/citus/exceptions.ts'
import { type Placement, PLACEMENT } from '../../ops/citus/placement.ts'
import { SQL_FOLDER } from '../../src/platform/postgres/statement-files.ts'
import {
  type Catalog,
  foreignKeysAcrossNodes,
  readCatalog,
  triggersAcrossNodes,
  uniqueAcrossShards,
} from '../support/citus-rules.ts'
import { rowsPassedOnShards, statementsOf, tablesOnAllShards } from '../support/citus-statements.ts'
import { openTestDatabase } from '../support/database.ts'
import { useFixture } from '../support/fixture.ts'

const fixture = useFixture(async () => {
  const database = await openTestDatabase()
  return { ...database, catalog: await readCatalog(database.sql) }
})

function placed(table: string): Placement {
  const placement = PLACEMENT[table]
  if (!placement) throw new RangeError(`ops/citus/placement.ts does not say where the rows of ${table} live`)
  return placement
}

const sorted = (names: Iterable<string>): string[] => Array.from(names).sort()

test('every table has a place, and those that are spread have the column', () => {
  const { tables }: Catalog = fixture.catalog
  expect(sorted(Object.keys(PLACEMENT))).toEqual(sorted(tables.keys()))
  const without = Array.from(tables).flatMap(([table, columns]) => {
    const placement = placed(table)
    return 'by' in placement && !columns.includes(placement.by) ? [table] : []
  })
  expect(sorted(without)).toEqual(['booking_proposed_times', 'imported_conflicts', 'review_votes'])
})

test('every unique key holds within one pro, or is named with the reason why it need not be checked', () => {
  expect(sorted(uniqueAcrossShards(fixture.catalog, placed))).toEqual(sorted(Object.keys(CROSS_SHARD_KEYS)))
})

test('two bookings at the same time stay impossible: the exclusion constraint holds within a pro', () => {
  const names = fixture.catalog.uniqueKeys.map(({ name }) => name)
  expect(names).toContain('bookings_no_overlap')
  expect(Object.keys(CROSS_SHARD_KEYS)).not.toContain('bookings_no_overlap')
})

test('every foreign key leads to a row of the same pro or to a table that every node has, or is named', () => {
  const found = foreignKeysAcrossNodes(fixture.catalog, placed)
  expect(sorted(found.map(([name]) => name))).toEqual(sorted(Object.keys(CROSS_SHARD_FOREIGN_KEYS)))
  const lacking = found.filter(([, fault]) => fault === 'without the distribution column').map(([name]) => name)
  const extended = Object.entries(CROSS_SHARD_FOREIGN_KEYS).filter(([, way]) => way === 'with the pro in front')
  expect(sorted(lacking)).toEqual(sorted(extended.map(([name]) => name)))
})

test('every trigger works with rows of its own pro, or is named with what takes its place', () => {
  const found = triggersAcrossNodes(fixture.catalog, placed, new Set(TRIGGERS_ON_SHARDS))
  expect(sorted(found)).toEqual(sorted(Object.keys(TRIGGERS_OF_ALL_NODES)))
})

test('the parser sees what the rule needs', async () => {
  const of = (statement: string) => tablesOnAllShards(statement, PLACEMENT)
  const join = 'select from bookings b join payments y on y.professional_id = b.professional_id and y.booking_id = b.id'
  expect(await of(join)).toEqual(['bookings b', 'payments y'])
  expect(await of(`${join} where b.professional_id = $1`)).toEqual([])
  expect(await of('select from professionals p where p.id = $1 or p.slug = $2')).toEqual(['professionals p'])
  expect(await of('select (select count(*) from bookings b where b.professional_id = p.id) from services p')).toEqual(
    [],
  )
  expect(await of('update bookings set status = $1 where id = $2')).toEqual(['bookings'])
  expect(await of('insert into bookings (professional_id, id) values ($1, $2)')).toEqual([])
})

test('every prepared statement and function asks the shard of one pro, or is named', async () => {
  expect(await namesOf(await listStatements(), tablesOnAllShards)).toEqual(sorted(Object.keys(CROSS_SHARD_STATEMENTS)))
})

test('every prepared statement and function keeps rows of shards out of the arguments of functions, or is named', async () => {
  expect(await namesOf(await listStatements(), rowsPassedOnShards)).toEqual(sorted(ROWS_AS_ARGUMENTS))
})

interface Named {
  readonly name: string
  readonly texts: readonly string[]
}

/** The prepared statements, the views, and what the functions run. */
async function listStatements(): Promise<Named[]> {
  const folder = join(SQL_FOLDER, 'queries')
  const files = readdirSync(folder).map((name) => ({ name, texts: [readFileSync(join(folder, name), 'utf8')] }))
  const functions = await fixture.sql<{ name: string; text: string; body: string; language: string }[]>`
    select p.proname as name, pg_get_functiondef(p.oid) as text, p.prosrc as body, l.lanname as language
    from pg_proc p join pg_language l on l.oid = p.prolang
    where p.pronamespace = 'public'::regnamespace and l.lanname in ('sql', 'plpgsql')
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`
  expect(functions.length).toBeGreaterThan(100)
  const views = await fixture.sql<{ name: string; text: string }[]>`
    select viewname as name, definition as text from pg_views where schemaname = 'public'
      and viewname not in ('geography_columns', 'geometry_columns')`
  return [
    ...files,
    ...views.map(({ name, text }) => ({ name, texts: [text] })),
    ...(await Promise.all(
      functions.map(async ({ name, text, body, language }) => ({
        name,
        texts: language === 'sql' ? [body] : await statementsOf(text),
      })),
    )),
  ]
}

type Rule = typeof tablesOnAllShards

/** The names of those with a statement that breaks the rule. */
async function namesOf(statements: readonly Named[], rule: Rule): Promise<string[]> {
  const found = new Set<string>()
  for (const { name, texts } of statements)
    for (const text of texts) if ((await rule(text, PLACEMENT)).length > 0) found.add(name)
  return sorted(found)
}
