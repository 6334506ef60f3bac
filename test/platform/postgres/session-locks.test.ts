// Locks of a session: they end with it, and with them the right to write what they protect.
import { expect, test } from 'bun:test'

import { findFreePort } from '../../../src/local/ports.ts'
import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { openDirectSession } from '../../../src/platform/postgres/direct-session.ts'
import { openSessionLocks } from '../../../src/platform/postgres/session-locks.ts'
import { StoreUnavailable } from '../../../src/platform/store-error.ts'
import { fenceWrites, underLock } from '../../../workers/runtime/fenced-writes.ts'
import { type KeyLock, createKeyedMutex } from '../../../workers/runtime/keyed-mutex.ts'
import { openTestDatabase } from '../../support/database.ts'
import { opened } from '../../support/fixture.ts'
const database = await opened(openTestDatabase())
await database.sql`create table notes (writer text)`

/** The locks of one worker; `isLost` as soon as their session has ended. */
function openWorker(name: string) {
  const worker = { isLost: false, name }
  const session = openDirectSession(database.url)
  const locks = openSessionLocks(session, () => {
    worker.isLost = true
    mutex.revokeAll()
  })
  const mutex = createKeyedMutex(locks, 'actor')
  const write = fenceWrites(database.write)
  const note = () => write.run('note', (sql) => sql`insert into notes (writer) values (${name})`)
  return { ...worker, worker, session, mutex, write, note }
}

const writers = async () =>
  (await database.sql<{ writer: string }[]>`select writer from notes`).map((row) => row.writer)

/** Ends the sessions that hold locks, as a failover does. */
const endSessions = () => database.sql`
  select pg_terminate_backend(pid) from pg_stat_activity
  where application_name = 'hearth-direct' and datname = current_database()`

test('a lock that PostgreSQL cannot be asked for is reported as unavailable', async () => {
  const session = openDirectSession(`postgres://hearth@127.0.0.1:${await findFreePort()}/none`)
  const locks = openSessionLocks(session, () => undefined)
  try {
    for (const request of [locks.tryLock('a'), locks.release('a')])
      expect(await request.catch((error: unknown) => error)).toBeInstanceOf(StoreUnavailable)
  } finally {
    await session.close()
  }
})

test('a worker that lost its lock writes nothing more, and another gets it only after the last transaction', async () => {
  const [before, after] = [openWorker('before'), openWorker('after')]
  try {
    const lock = await before.mutex.acquire('key')
    expect(await after.mutex.acquire('key')).toBeUndefined()
    const [begun, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const lastWrite = underLock(lock, () =>
      before.write.begin('last', async (tx) => {
        await tx.run('note', (sql) => sql`insert into notes (writer) values ('before')`)
        begun.resolve()
        await mayEnd.promise
      }),
    )
    await begun.promise
    await endSessions()
    expect(await waitUntil(() => before.worker.isLost, 3000)).toBe(true)
    expect(lock?.lost.aborted).toBe(true)
    // The other worker's session has ended, too: it asks again until it has a new one.
    const isHeld = () =>
      after.mutex.acquire('key').then(
        (found) => found === undefined,
        () => false,
      )
    expect(await waitUntil(isHeld, 3000)).toBe(true)
    mayEnd.resolve()
    await lastWrite
    const taken = await after.mutex.acquire('key')
    expect(taken).toBeDefined()

    const refused = await underLock(lock, before.note).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(StoreUnavailable)
    await underLock(taken, after.note)
    expect(await writers()).toEqual(['before', 'after'])
  } finally {
    await Promise.all([before.session.close(), after.session.close()])
  }
})

/** Undefined also while a session is opened. */
const acquired = ({ mutex }: ReturnType<typeof openWorker>) => mutex.acquire('other').catch(() => undefined)

test('a lock of a session that follows a new primary can be taken again', async () => {
  const worker = openWorker('again')
  try {
    const lock = await worker.mutex.acquire('other')
    worker.session.reconnect()
    expect(await waitUntil(() => lock?.lost.aborted === true, 3000)).toBe(true)
    expect(await underLock(lock, worker.note).catch((error: unknown) => error)).toBeInstanceOf(StoreUnavailable)
    await lock?.release()
    let again: KeyLock | undefined
    expect(await waitUntil(async () => (again = await acquired(worker)) !== undefined, 3000)).toBe(true)
    await underLock(again, worker.note)
    expect(await writers()).toContain('again')
  } finally {
    await worker.session.close()
  }
})
