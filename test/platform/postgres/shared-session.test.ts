// Processes of a machine share one session with PostgreSQL, and lose nothing by it.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import type { Sql } from '../../../src/platform/postgres/database.ts'
import type { DirectSession } from '../../../src/platform/postgres/direct-session.ts'
import { openNotifications } from '../../../src/platform/postgres/notifications.ts'
import { openSessionLocks } from '../../../src/platform/postgres/session-locks.ts'
import {
  groupName,
  joinSession,
  openGroupSession,
  sessionFolder,
} from '../../../src/platform/postgres/shared-session.ts'
import { StoreUnavailable } from '../../../src/platform/store-error.ts'
import { type TestDatabase, openTestDatabase } from '../../support/database.ts'

/** What depends on a notification is over within this time, whatever fails. */
const NOTICE_MS = 1000

let database: TestDatabase
let sql: Sql
let opened: DirectSession[]

beforeEach(async () => {
  database = await openTestDatabase()
  sql = database.sql
  opened = []
})
afterEach(async () => {
  await Promise.all(opened.map((session) => session.close()))
  await database.close()
})

/** One of the group, with a cache that follows `keys_changed`. */
function openMember(session = openGroupSession(database.url)) {
  opened.push(session)
  const heard: (string | undefined)[] = []
  const notifications = openNotifications(session, () => undefined)
  notifications.on('keys_changed', (payload) => heard.push(payload))
  const cache = notifications.track({ name: 'keys', channels: ['keys_changed'], deafAgeMs: 0 })
  return { session, heard, cache, isListening: () => notifications.isListening() }
}

const sessions = async () =>
  (
    await sql<{ pid: number }[]>`
      select pid from pg_stat_activity where datname = current_database() and application_name = 'hearth-direct'`
  ).map(({ pid }) => pid)

const allListen = (members: { isListening: () => boolean }[]) =>
  waitUntil(() => members.every((member) => member.isListening()), 5000)

type Member = ReturnType<typeof openMember>

/** Fills the cache of each. Returns whether all of them, and whether none of them, may still use it. */
function fillCaches(members: readonly Member[]) {
  const caches = members.map(({ cache }) => ({ cache, mark: cache.mark() }))
  const current = () => caches.filter(({ cache, mark }) => cache.isCurrent(mark)).length
  return { areAllCurrent: () => current() === caches.length, isNoneCurrent: () => current() === 0 }
}

/** A process that has the session before this one joins. */
async function startLender() {
  const program = Bun.spawn(
    [process.execPath, '--no-orphans', join(import.meta.dir, '../../support/lending-program.ts'), database.url],
    { stdout: 'pipe', stderr: 'inherit' },
  )
  const { value } = await program.stdout.getReader().read()
  expect(new TextDecoder().decode(value)).toBe('listening\n')
  return program
}

test('a group has one session, by which each hears what it listens to', async () => {
  const members = [openMember(), openMember(), openMember()]
  expect(await allListen(members)).toBe(true)
  expect(await sessions()).toHaveLength(1)
  const other = openGroupSession(database.url)
  opened.push(other)
  const outbox: unknown[] = []
  other.subscribe({ onNotification: (channel) => outbox.push(channel) })
  other.listen('outbox_written')
  await sql`select pg_notify('keys_changed', 'one'), pg_notify('outbox_written', '')`
  expect(await waitUntil(() => members.every(({ heard }) => heard.includes('one')), 5000)).toBe(true)
  expect(await waitUntil(() => outbox.length > 0, 5000)).toBe(true)
  expect(new Set(outbox)).toEqual(new Set(['outbox_written']))
  expect(await sessions()).toHaveLength(1)
})

test('a lender whose socket was deleted is found again', async () => {
  expect(await allListen([openMember()])).toBe(true)
  rmSync(join(sessionFolder() ?? '', groupName(database.url)))
  const member = openMember()
  expect(await allListen([member])).toBe(true)
  expect(await sessions()).toHaveLength(1)
})

test('only this user can enter the folder of the sockets', () => {
  const folder = sessionFolder()
  expect(folder && statSync(folder).mode & 0o777).toBe(0o700)
  expect(folder && statSync(folder).uid).toBe(process.getuid?.() ?? 0)
})

test('nothing cached is used when the lender was killed, and another of the group takes its place', async () => {
  const lender = await startLender()
  const members = [openMember(), openMember()]
  expect(await allListen(members)).toBe(true)
  const [before] = await sessions()
  const filled = fillCaches(members)
  expect(filled.areAllCurrent()).toBe(true)
  lender.kill('SIGKILL')
  const killedMs = performance.now()
  await lender.exited
  expect(await waitUntil(filled.isNoneCurrent, 5000, 5)).toBe(true)
  expect(performance.now() - killedMs).toBeLessThan(NOTICE_MS)
  expect(await allListen(members)).toBe(true)
  expect(await waitUntil(async () => (await sessions()).length === 1, 5000)).toBe(true)
  expect(await sessions()).not.toContain(before)
  // What was read before the new session began may have been changed since, unheard.
  expect(filled.isNoneCurrent()).toBe(true)
  await sql`select pg_notify('keys_changed', 'after')`
  expect(await waitUntil(() => members.every(({ heard }) => heard.includes('after')), 5000)).toBe(true)
}, 30_000)

test('nothing cached is used while the lender is frozen', async () => {
  const lender = await startLender()
  const member = openMember()
  expect(await allListen([member])).toBe(true)
  const filled = fillCaches([member])
  expect(filled.areAllCurrent()).toBe(true)
  lender.kill('SIGSTOP')
  const frozenMs = performance.now()
  expect(await waitUntil(filled.isNoneCurrent, 5000, 5)).toBe(true)
  expect(performance.now() - frozenMs).toBeLessThan(NOTICE_MS)
  lender.kill('SIGKILL')
  await lender.exited
}, 30_000)

test('nothing cached is used when the lender loses its connection, and all listen again by a new one', async () => {
  const members = [openMember(), openMember()]
  expect(await allListen(members)).toBe(true)
  const filled = fillCaches(members)
  const [pid] = await sessions()
  await sql`select pg_terminate_backend(${pid ?? 0})`
  expect(await waitUntil(filled.isNoneCurrent, NOTICE_MS, 5)).toBe(true)
  expect(await allListen(members)).toBe(true)
  expect(filled.isNoneCurrent()).toBe(true)
})

/** A member with locks, as a worker has them. */
function openWorker() {
  const member = openMember()
  let losses = 0
  const locks = openSessionLocks(member.session, () => losses++)
  const holds = () =>
    database.write
      .begin('hold', (tx) => locks.holdUntilEnd(tx, 'a'))
      .then(
        () => true,
        (error: unknown) => (expect(error).toBeInstanceOf(StoreUnavailable), false),
      )
  return { ...member, locks, holds, hasLost: () => losses > 0 }
}

test('a lock has one holder in a group, is free again after its end, and lost with the session', async () => {
  const [first, second] = [openWorker(), openWorker()]
  expect(await allListen([first, second])).toBe(true)
  expect(await first.locks.tryLock('a')).toBe(true)
  expect(await second.locks.tryLock('a')).toBe(false)
  expect([await first.holds(), await second.holds()]).toEqual([true, false])
  await first.locks.release('a')
  expect(await second.locks.tryLock('a')).toBe(true)
  // The second borrows the session: its end is that of a process.
  await second.session.close()
  expect(await waitUntil(() => first.locks.tryLock('a'), 3000)).toBe(true)
  const [pid] = await sessions()
  await sql`select pg_terminate_backend(${pid ?? 0})`
  expect(await waitUntil(first.hasLost, 3000)).toBe(true)
  expect(await first.holds()).toBe(false)
})

test('the borrower of a lock learns that the session of a lender is lost', async () => {
  const [lender, borrower] = [openWorker(), openWorker()]
  expect(await allListen([lender, borrower])).toBe(true)
  expect(await borrower.locks.tryLock('a')).toBe(true)
  const [pid] = await sessions()
  await sql`select pg_terminate_backend(${pid ?? 0})`
  expect(await waitUntil(borrower.hasLost, 3000)).toBe(true)
  expect(await borrower.holds()).toBe(false)
  expect(await waitUntil(() => lender.locks.tryLock('a').catch(() => false), 3000)).toBe(true)
})

test('a process of a supervisor that does not lend hears nothing and gets no lock', async () => {
  const member = openMember(joinSession(join(sessionFolder() ?? '', `none-${process.pid}`)))
  expect(await member.session.tryLock('a').catch((error: unknown) => error)).toBeInstanceOf(StoreUnavailable)
  expect(member.isListening()).toBe(false)
  expect(await sessions()).toEqual([])
})

test('an idle session asks whether PostgreSQL is there, and commits nothing by it', async () => {
  const member = openMember()
  expect(await allListen([member])).toBe(true)
  const stateOf = async () => {
    const [row] = await sql<{ since: string; query: string }[]>`
      select state_change as since, query from pg_stat_activity
      where datname = current_database() and application_name = 'hearth-direct'`
    return row
  }
  const before = await stateOf()
  expect(await waitUntil(async () => (await stateOf())?.since !== before?.since, 5000)).toBe(true)
  // A statement would stand here instead, and be a transaction.
  expect((await stateOf())?.query).toContain('listen')
})
