// The private PostgreSQL and Redis of a folder start whatever the previous run left behind, and stop on request.
import { afterAll, afterEach, expect, test } from 'bun:test'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type postgres from 'postgres'

import { type LocalPostgres, openPostgres } from '../../src/local/postgres.ts'
import { findFreePort, isPortTaken } from '../../src/local/ports.ts'
import { isAlive, processesIn, readIfExists } from '../../src/local/processes.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { openRedis } from '../../src/local/redis.ts'
import { postgresClient } from '../../src/platform/postgres/client.ts'
import { readLocalStack, removeLocalStack, writeLocalStack } from '../../src/local/stack.ts'

const LOCAL = join(import.meta.dir, '../../src/local')
const folders: string[] = []
const open: LocalPostgres[] = []
const notes: string[] = []

/** A folder that PostgreSQL's user can enter, unlike the default temporary folder of root. */
function newFolder(mode = 0o755): string {
  const dir = mkdtempSync(join(tmpdir(), 'hearth-local-'))
  chmodSync(dir, mode)
  folders.push(dir)
  return dir
}

async function start(dir: string, port?: number): Promise<LocalPostgres> {
  const opened = await openPostgres({
    dir,
    profile: 'test',
    note: (line) => notes.push(line),
    ...(port ? { port } : {}),
  })
  open.push(opened)
  return opened
}

afterEach(async () => {
  for (const opened of open.splice(0)) await opened.stop()
  notes.length = 0
  expect(folders.flatMap((dir) => [dataOf(dir), join(dir, 'redis')]).flatMap(processesIn)).toEqual([])
})
afterAll(() => folders.forEach((dir) => rmSync(dir, { recursive: true, force: true })))

async function queryOne<T extends object>(
  url: string,
  query: (sql: postgres.Sql) => Promise<T[]>,
): Promise<T | undefined> {
  const sql = postgresClient(url, { max: 1 })
  try {
    return (await query(sql))[0]
  } finally {
    await sql.end()
  }
}

/** The failure as `Name: message`; an empty string when there is none. */
const failureOf = (work: Promise<unknown>) => work.then(() => '', String)

const remember = (url: string, text: string) =>
  queryOne(url, async (sql) => {
    await sql`create table if not exists memory (text text)`
    await sql`insert into memory values (${text})`
    // The test profile acknowledges a commit before it is on disk.
    return sql`checkpoint`
  })
const recall = (url: string) => queryOne<{ text: string }>(url, (sql) => sql`select text from memory`)
const dataOf = (dir: string) => join(dir, 'postgres', 'data')

/** Simulates a killed command: opens both stores in `dir` and dies by SIGKILL. */
async function openAndDie(dir: string): Promise<void> {
  const script = `
    const { openPostgres } = await import('${LOCAL}/postgres.ts')
    const { openRedis } = await import('${LOCAL}/redis.ts')
    const note = () => undefined
    await openPostgres({ dir: process.argv[1], profile: 'test', note })
    await openRedis({ dir: process.argv[1], note })
    process.kill(process.pid, 'SIGKILL')`
  const child = Bun.spawn([process.execPath, '-e', script, dir], { stdout: 'inherit', stderr: 'inherit' })
  await child.exited
  expect(child.signalCode).toBe('SIGKILL')
}

test('a new folder gets a PostgreSQL with PostGIS and a password on the loopback, and keeps its data and port', async () => {
  const dir = newFolder()
  const first = await start(dir)
  expect(first.started).toBe(true)
  const settings = await queryOne<{ listen: string; zone: string; jit: string; postgis: boolean }>(
    first.url,
    (sql) => sql`
      select current_setting('listen_addresses') as listen, current_setting('timezone') as zone,
        current_setting('jit') as jit,
        exists (select from pg_available_extensions where name = 'postgis') as postgis`,
  )
  expect(settings).toEqual({ listen: '127.0.0.1', zone: 'UTC', jit: 'off', postgis: true })
  const wrongPassword = new URL(first.url)
  wrongPassword.password = 'guess'
  expect(await failureOf(queryOne(wrongPassword.href, (sql) => sql`select 1`))).toMatch(
    /password authentication failed/,
  )
  await remember(first.url, 'kept')
  await first.stop()
  const second = await start(dir)
  expect(second.url).toBe(first.url)
  expect(await recall(second.url)).toEqual({ text: 'kept' })
})

test('stop leaves no process behind', async () => {
  const dir = newFolder()
  const note = () => undefined
  const [database, redis] = [await start(dir), await openRedis({ dir, note })]
  expect(processesIn(dataOf(dir)).length).toBeGreaterThan(0)
  await Promise.all([database.stop(), redis.stop()])
  expect(processesIn(dataOf(dir))).toEqual([])
  expect(processesIn(join(dir, 'redis'))).toEqual([])
})

test('the stores run in their own sessions, so that Ctrl-C in the terminal does not reach them', async () => {
  const dir = newFolder()
  const redis = await openRedis({ dir, note: () => undefined })
  await start(dir)
  const pids = [
    Number(readFileSync(join(dataOf(dir), 'postmaster.pid'), 'utf8').split('\n')[0]),
    Number(readFileSync(join(dir, 'redis', 'redis.pid'), 'utf8')),
  ]
  // Sixth field of /proc/<pid>/stat: the session.
  const sessionOf = (pid: number | string) =>
    Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[3])
  for (const pid of pids) expect(sessionOf(pid)).not.toBe(sessionOf('self'))
  await redis.stop()
})

test('an incomplete data folder is created again', async () => {
  const dir = newFolder()
  await (await start(dir)).stop()
  rmSync(join(dataOf(dir), 'global', 'pg_control'))
  mkdirSync(join(dir, 'postgres', 'data.partial', 'base'), { recursive: true })
  const again = await start(dir)
  expect(await queryOne(again.url, (sql) => sql`select 1 as one`)).toEqual({ one: 1 })
  expect(notes.join('\n')).toMatch(/was incomplete; moved it to .*data\.broken-/)
  expect(readdirSync(join(dir, 'postgres')).filter((name) => name.startsWith('data.broken-')).length).toBe(1)
  expect(existsSync(join(dir, 'postgres', 'data.partial'))).toBe(false)
})

test('a stale pid file does not prevent a start, even when another process has its pid', async () => {
  const dir = newFolder()
  const first = await start(dir)
  await remember(first.url, 'survived')
  const pidFile = join(dataOf(dir), 'postmaster.pid')
  const left = readFileSync(pidFile, 'utf8')
  await first.stopImmediately()
  // A live process that can be signaled: PostgreSQL itself would mistake it for its predecessor.
  const other = Bun.spawn(['sleep', '60'])
  writeFileSync(pidFile, left.replace(/^\d+/, String(other.pid)), { mode: 0o600 })
  await first.stop()
  const again = await start(dir)
  expect(await recall(again.url)).toEqual({ text: 'survived' })
  expect(isAlive(other.pid)).toBe(true)
  other.kill('SIGKILL')
})

test('servers left by a killed command are reused, and stopped at the end', async () => {
  const dir = newFolder()
  await openAndDie(dir)
  expect(processesIn(dataOf(dir)).length).toBeGreaterThan(0)
  const [database, redis] = [await start(dir), await openRedis({ dir, note: () => undefined })]
  expect([database.started, redis.started]).toEqual([false, false])
  await Promise.all([database.stop(), redis.stop()])
  expect(processesIn(dataOf(dir))).toEqual([])
  expect(processesIn(join(dir, 'redis'))).toEqual([])
})

test('a killed server recovers all committed data', async () => {
  const dir = newFolder()
  const before = await start(dir)
  await remember(before.url, 'committed')
  await before.stop()
  const again = await start(dir)
  for (const pid of processesIn(dataOf(dir))) process.kill(pid, 'SIGKILL')
  expect(await waitUntil(() => processesIn(dataOf(dir)).length === 0, 5000)).toBe(true)
  await again.stop()
  expect(await recall((await start(dir)).url)).toEqual({ text: 'committed' })
})

test('a second start chooses another port when the first one is taken', async () => {
  const dir = newFolder()
  const first = await start(dir)
  const port = Number(new URL(first.url).port)
  await first.stop()
  const squatter = createServer()
  await new Promise<void>((resolve) => squatter.listen(port, '127.0.0.1', resolve))
  const second = await start(dir)
  expect(Number(new URL(second.url).port)).not.toBe(port)
  expect(await queryOne(second.url, (sql) => sql`select 1 as one`)).toEqual({ one: 1 })
  squatter.close()
})

test('restart keeps the port, after a clean stop and after a crash', async () => {
  const database = await start(newFolder())
  await remember(database.url, 'here')
  await database.stopImmediately()
  expect(await failureOf(queryOne(database.url, (sql) => sql`select 1`))).toMatch(/ENOENT/)
  await database.restart()
  expect(await queryOne(database.url, (sql) => sql`select 1 as one`)).toEqual({ one: 1 })
  await database.restart()
  expect(await recall(database.url)).toEqual({ text: 'here' })
})

test('two commands cannot use one folder at once', async () => {
  const dir = newFolder()
  await start(dir)
  expect(await failureOf(openPostgres({ dir, profile: 'test', note: () => undefined }))).toMatch(
    /^LocalSetupError: Another/,
  )
})

test('the data of a folder that the database user cannot enter is kept elsewhere', async () => {
  const dir = newFolder(0o700)
  const database = await start(dir)
  expect(await queryOne(database.url, (sql) => sql`select 1 as one`)).toEqual({ one: 1 })
  const elsewhere = database.logFile.startsWith('/var/lib/hearth/')
  expect(elsewhere).toBe(process.getuid?.() === 0)
  await database.stop()
  if (elsewhere) rmSync(join(database.logFile, '../..'), { recursive: true })
})

test('a server given by URL is checked and never stopped', async () => {
  const own = await start(newFolder())
  const named = await openPostgres({ dir: newFolder(), profile: 'dev', note: () => undefined, url: own.url })
  expect([named.url, named.started]).toEqual([own.url, false])
  await named.stop()
  expect(await queryOne(own.url, (sql) => sql`select 1 as one`)).toEqual({ one: 1 })
  const noPostgres = `postgres://someone@127.0.0.1:${await findFreePort()}/x`
  expect(
    await failureOf(openPostgres({ dir: newFolder(), profile: 'dev', note: () => undefined, url: noPostgres })),
  ).toMatch(/^LocalSetupError: Cannot use the PostgreSQL at 127\.0\.0\.1:\d+\/x \(DATABASE_URL\)/)
  const noRedis = `redis://127.0.0.1:${await findFreePort()}`
  expect(await failureOf(openRedis({ dir: newFolder(), note: () => undefined, url: noRedis }))).toMatch(/\(REDIS_URL\)/)
})

test('a port served with reusePort counts as taken', async () => {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', reusePort: true, fetch: () => new Response('here') })
  expect(await isPortTaken(Number(server.port))).toBe(true)
  await server.stop(true)
  expect(await isPortTaken(await findFreePort())).toBe(false)
})

test('other commands find the stack only while it runs', () => {
  const home = newFolder()
  const stack = {
    pid: process.pid,
    baseUrl: 'http://127.0.0.1:3000',
    databaseUrl: 'postgres://x',
    redisUrl: 'redis://y',
  }
  expect(readLocalStack(home)).toBeUndefined()
  writeLocalStack(stack, home)
  expect(readLocalStack(home)).toEqual(stack)
  writeLocalStack({ ...stack, pid: 2 ** 22 + 1 }, home)
  expect(readLocalStack(home)).toBeUndefined()
  removeLocalStack(home)
  expect(readIfExists(join(home, 'dev', 'stack.json'))).toBe('')
})
