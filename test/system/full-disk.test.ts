// PostgreSQL's disk is full: a real file system without space, not an error made by a trigger.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { findPostgres } from '../../src/local/binaries.ts'
import { type LocalPostgres, openPostgres } from '../../src/local/postgres.ts'
import { accountOf, runTool } from '../../src/local/processes.ts'
import type { Sql } from '../../src/platform/postgres/database.ts'
import { migrate } from '../../src/platform/postgres/migrate.ts'
import { type BookingClient, openBookingClient } from '../support/booking-client.ts'
import { testSql, withoutSocket } from '../support/database.ts'
import { UNAVAILABLE, expectSoon, notReady, openObservedServer } from '../support/observed-server.ts'
import { type SmallDisk, openSmallDisk } from '../support/small-disk.ts'

/** A migrated database takes 20 MB. */
const DISK_MB = 64
/** Rows fit into pages with space left; a table that needs another page is refused. */
const MAX_BOOKINGS_BEFORE_FULL = 300

const dir = mkdtempSync(join(tmpdir(), 'hearth-full-'))
const closing: (() => unknown)[] = []
let disk: SmallDisk
let postgres: LocalPostgres
let url: string
let sql: Sql
let client: BookingClient

beforeAll(async () => {
  chmodSync(dir, 0o755)
  closing.push(() => rmSync(dir, { recursive: true, force: true }))
  disk = await openSmallDisk(DISK_MB, process.getuid?.() === 0 ? await accountOf('postgres') : undefined)
  closing.push(() => disk.close())
  postgres = await openPostgres({ dir, profile: 'dev', note: () => undefined })
  closing.push(() => postgres.stop())
  await runSql(`create tablespace small location '${disk.folder}'`)
  await runSql('create database marketplace tablespace small')
  url = Object.assign(new URL(withoutSocket(postgres.url)), { pathname: '/marketplace' }).href
  sql = testSql(url, 1)
  closing.push(() => sql.end({ timeout: 1 }))
  await migrate(sql)
  client = await openBookingClient(url)
}, 120_000)
afterAll(async () => {
  for (const close of closing.toReversed()) await close()
}, 60_000)

/** A statement that PostgreSQL runs outside of transactions only, with names that cannot be parameters. */
async function runSql(statement: string): Promise<void> {
  const binaries = await findPostgres()
  const program = join(binaries?.folder ?? '', 'psql')
  const { ok, output } = await runTool([program, '--quiet', '--command', statement, withoutSocket(postgres.url)])
  if (!ok) throw new Error(output)
}

test('reads go on, writes get 503 until there is space again, and no acknowledged booking is lost', async () => {
  const server = openObservedServer(client, { DATABASE_URL: url })
  closing.push(server.close)
  let acknowledged = 0
  const book = async () => {
    const answer = await server.book()
    if (answer.status === 201) acknowledged++
    return answer
  }
  const stored = async () => (await sql<{ n: number }[]>`select count(*)::int as n from bookings`)[0]?.n
  await expectSoon(async () => (await book()).status, 201)

  disk.fill()
  let refused: Awaited<ReturnType<typeof book>> | undefined
  for (let n = 0; n < MAX_BOOKINGS_BEFORE_FULL && refused?.status !== 503; n++) refused = await book()
  expect(refused).toEqual(UNAVAILABLE)
  expect(await server.readiness()).toEqual(notReady('PostgreSQL has no disk space left'))
  expect(await server.doctor()).toContain('writes: refused: PostgreSQL has no disk space left → free or add disk space')
  const answers = []
  for (let n = 0; n < 20; n++) answers.push(await server.read(), (await book()).status)
  expect(new Set(answers)).toEqual(new Set([200, 503]))
  expect(await stored()).toBe(acknowledged)

  disk.free()
  await expectSoon(() => server.readiness(), { status: 'ready' })
  expect((await book()).status).toBe(201)
  expect(await stored()).toBe(acknowledged)
  await postgres.stopImmediately()
  await postgres.restart()
  await expectSoon(async () => (await book()).status, 201)
  expect(await stored()).toBe(acknowledged)
}, 60_000)
