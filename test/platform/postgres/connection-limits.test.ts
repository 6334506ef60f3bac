// A client that vanishes or freezes keeps its locks only for a bounded time: PostgreSQL knows the limits of every connection.
import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { CONNECTION_LIMITS } from '../../../src/platform/postgres/client.ts'
import { connect, openDatabase } from '../../../src/platform/postgres/open-database.ts'
import { openDirectSession } from '../../../src/platform/postgres/direct-session.ts'
import { cloneDatabase, testSql, withoutSocket } from '../../support/database.ts'
import { insertMarketplace } from '../../support/search.ts'
import { recordStartups } from '../../support/startup-recorder.ts'
import { opened } from '../../support/fixture.ts'
const clone = await opened(cloneDatabase('migrated'), 'drop')
const url = withoutSocket(clone.url)

test('PostgreSQL has the limits of idle transactions and of TCP on a connection', async () => {
  const sql = connect(url, 1, { applicationName: 'hearth-test' })
  const rows = await sql<{ name: string; setting: string }[]>`
    select name, setting from pg_settings where name in ${sql(Object.keys(CONNECTION_LIMITS))}`
  await sql.end()
  expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual(CONNECTION_LIMITS)
})

test('the connections of all pools, of replicas, sessions and watches ask for these limits', async () => {
  const recorder = await recordStartups(url)
  const database = openDatabase({
    url: recorder.url,
    replicaUrls: [recorder.url],
    readConnections: 1,
    writeConnections: 1,
    statementTimeoutMs: 5000,
    waitLimitMs: 6000,
    applicationName: 'hearth-test',
  })
  const session = openDirectSession(recorder.url)
  try {
    await database.warmUp()
    await Promise.all([database.read.ping(), database.write.ping()])
    session.listen('keys_changed')
    await session.tryLock('startups')
    const names = () => new Set(recorder.startups().map(({ application_name: name }) => name))
    expect(await waitUntil(() => names().size >= 3 && session.isListening(), 5000)).toBe(true)
    expect(names()).toEqual(new Set(['hearth-direct', 'hearth-test', 'hearth-watch']))
    // Two pools for reads, two for writes, and the probe.
    expect(
      recorder.startups().filter(({ application_name: name }) => name === 'hearth-test').length,
    ).toBeGreaterThanOrEqual(5)
    for (const startup of recorder.startups()) expect(startup).toMatchObject(CONNECTION_LIMITS)
  } finally {
    await Promise.all([database.close(), session.close()])
    recorder.stop()
  }
})

test('a pool of workers gives back the connections that it does not use, and opens others for the next work', async () => {
  const sql = testSql(clone.url, 1)
  const database = openDatabase({
    url,
    readConnections: 3,
    writeConnections: 3,
    statementTimeoutMs: 5000,
    waitLimitMs: 6000,
    applicationName: 'hearth-idle',
    idleSeconds: 1,
  })
  const count = async () =>
    (await sql`select from pg_stat_activity where datname = current_database() and application_name = 'hearth-idle'`)
      .length
  try {
    await database.warmUp()
    expect(await count()).toBeGreaterThanOrEqual(12)
    expect(await waitUntil(async () => (await count()) === 0, 10_000)).toBe(true)
    await Promise.all([database.read.ping(), database.write.ping()])
    expect(await count()).toBeGreaterThan(0)
  } finally {
    await Promise.all([database.close(), sql.end()])
  }
}, 20_000)

test('a process that froze in a transaction holds its locks for 10 s at most', async () => {
  const sql = testSql(clone.url, 2)
  await insertMarketplace(sql, 20)
  const program = Bun.spawn([process.execPath, join(import.meta.dir, '../../support/freezing-program.ts'), url], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  try {
    const { value } = await program.stdout.getReader().read()
    expect(new TextDecoder().decode(value)).toBe('changed\n')
    program.kill('SIGSTOP')
    const startedMs = performance.now()
    await sql`update professionals set instant_booking_enabled = not instant_booking_enabled`
    const waitedMs = performance.now() - startedMs
    expect(waitedMs).toBeGreaterThan(1000)
    expect(waitedMs).toBeLessThan(Number(CONNECTION_LIMITS.idle_in_transaction_session_timeout) + 2000)
  } finally {
    program.kill('SIGKILL')
    await program.exited
    await sql.end()
  }
}, 30_000)
