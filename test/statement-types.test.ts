// What the TypeScript of statements promises is what a migrated database says.
import { afterAll, describe, expect, test } from 'bun:test'
import { readFileSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type Column, composed, keyOf, nullable, number, oneOf, text } from '../src/platform/postgres/composed.ts'
import type { Runner, Sql } from '../src/platform/postgres/database.ts'
import { type Many, statementsOf } from '../src/platform/postgres/statements.ts'
import { readCatalog, typesOfFile } from './statement-types.ts'
import { cloneDatabase, testSql } from './support/database.ts'
import { opened } from './support/fixture.ts'
import { ROOT } from './support/imports.ts'

const clone = await opened(cloneDatabase('migrated'), 'drop')
const sql = await opened(testSql(clone.url, 1), 'end')
const folder = await mkdtemp(join(tmpdir(), 'hearth-statements-'))
afterAll(() => rmSync(folder, { recursive: true }))

const typesOf = async (source: string) =>
  (await typesOfFile(sql, { path: 'src/features/example.sql', source }, await readCatalog(sql))).split('\n\n').at(-1)

describe('a row', () => {
  test('has the names, types and texts of the columns, and null where the table or the header allows it', async () => {
    const types = await typesOf(`-- name: findExample :many on read
-- not null: count
-- nullable: rating
select b.id, b.status, b.starts_at, b.cancelled_at, (count(*) over ())::int as count, r.rating, true as is_one
from bookings b left join reviews r on r.booking_id = b.id where b.id = :id and b.starts_at > :after?
`)
    expect(types).toContain(
      "{ id: string; status: 'pending' | 'confirmed' | 'completed' | 'no_show' | 'cancelled'; startsAt: string; " +
        'cancelledAt: string | null; count: number; rating: number | null; isOne: boolean | null }',
    )
    expect(types).toContain('{ id: string; after?: string | Date | null }')
  })

  test('has the texts that its header refers to, also where an expression gives them', async () => {
    const types = await typesOf(`-- name: findExample :one on read
-- not null: status
-- type: status quotes.status
select quote_status(q, now()) as status from quotes q
`)
    expect(types).toContain(
      "{ status: 'draft' | 'sent' | 'viewed' | 'accepted' | 'declined' | 'expired' | 'superseded' }",
    )
  })

  test('with JSON leaves its shape to the caller, by name', async () => {
    expect(
      await typesOf(`-- name: findExample :one on read\nselect id, to_jsonb(b) as record from bookings b\n`),
    ).toContain("{ id: string; record: unknown },\n  'record'>")
  })
})

test('a statement with a wrong column, parameter type or declaration is refused with its file and name', async () => {
  const refusal = (text: string) =>
    typesOf(`-- name: findExample :one on read\n${text}\n`).then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : ''),
    )
  const where = 'src/features/example.sql, findExample: '
  expect(await refusal('select no_such_column from bookings')).toBe(`${where}column "no_such_column" does not exist`)
  expect(await refusal('select id from bookings where starts_at = :at::uuid')).toContain(
    `${where}operator does not exist`,
  )
  expect(await refusal('-- not null: other\nselect id from bookings')).toBe(`${where}it has no column other`)
  expect(await refusal('-- type: id bookings.id\nselect id from bookings')).toContain(`${where}bookings.id is neither`)
})

/** Runs statements on the connection of this file. */
const onConnection = { run: async (_: string, statement: (on: Sql) => unknown) => await statement(sql) } as Runner

describe('tests that read a row', () => {
  type Rows = Many<undefined, { value: string | null }, { value: string }>

  /** The call of a statement with these checks. */
  async function callOf(checks: Parameters<ReturnType<typeof statementsOf>>[1]): Promise<Rows> {
    const path = join(folder, `${Bun.randomUUIDv7()}.sql`)
    await Bun.write(path, `-- name: selectValue :many\nselect :value?::text as value\n`)
    return statementsOf(`${path}.ts`)('selectValue', checks) as Rows
  }
  test('fail where a column is null that is declared otherwise', async () => {
    const selectValue = await callOf(undefined)
    expect(await selectValue(onConnection, { value: 'one' })).toMatchObject([{ value: 'one' }])
    expect(selectValue(onConnection, { value: null })).rejects.toThrow('selectValue returned null in value')
    const selectNullable = await callOf({ nullable: ['value'] })
    expect(await selectNullable(onConnection, { value: null })).toMatchObject([{ value: null }])
  })

  test('fail where the header does not declare the text', async () => {
    const selectValue = await callOf({ texts: { value: ['open', 'done'] } })
    expect(await selectValue(onConnection, { value: 'open' })).toMatchObject([{ value: 'open' }])
    expect(selectValue(onConnection, { value: 'else' })).rejects.toThrow('declares as open, done')
  })
})

test('quotes, casts and comments are no parameters', async () => {
  const types = await typesOf(`-- name: findExample :many
select ':no' as a, '12:30'::text as b, id::text as c
-- :customer
from bookings where id = :id::uuid and customer_name <> 'it''s :no'
`)
  expect(types).toContain('Many<undefined,\n  { id: string },')
})

describe('tests that read a statement which is put together', () => {
  const read = (columns: Readonly<Record<string, Column<unknown>>>) =>
    composed(onConnection, 'findExample', columns, (on) => on`select 'a' as kind, 1 as count, null as since where true`)

  test('find the columns and values that it declares', async () => {
    expect([...(await read({ kind: oneOf('a', 'b'), count: number, since: nullable(text) }))]).toEqual([
      { kind: 'a', count: 1, since: null },
    ])
  })

  test.each([
    ['a column that it does not read', { kind: text, count: number, since: nullable(text), other: text }],
    ['too few columns', { kind: text, count: number }],
    ['a null', { kind: text, count: number, since: text }],
    ['another type', { kind: number, count: number, since: nullable(text) }],
    ['another text', { kind: oneOf('b'), count: number, since: nullable(text) }],
    ['another name', { kind: keyOf({ b: 1 }), count: number, since: nullable(text) }],
  ])('refuse %s', async (_, columns) => {
    expect(read(columns)).rejects.toThrow('findExample read')
  })
})

test('no statement of the program returns rows that nothing describes', () => {
  const files = ['src', 'workers'].flatMap((folder) => [...new Bun.Glob(`${folder}/**/*.{ts,tsx}`).scanSync(ROOT)])
  const promised = files.filter((file) => /\.run<(?!Row>|Record<)/.test(readFileSync(join(ROOT, file), 'utf8')))
  expect(promised).toEqual([])
})
