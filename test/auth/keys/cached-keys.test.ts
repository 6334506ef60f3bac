// A verified key is cached, but never longer than it is valid, and only while revocations are heard of.
import { expect, test } from 'bun:test'

import { openTestApp } from '../../support/app.ts'
import { openBookingClient } from '../../support/booking-client.ts'
import { cloneDatabase, countLockWaits, lockTable, testSql } from '../../support/database.ts'
import { openFailingPostgres } from '../../support/failing-postgres.ts'
import { startServer } from '../../support/server.ts'
import { opened } from '../../support/fixture.ts'
import { waitUntil } from '../../../src/platform/clock/deadlines.ts'

const app = await opened(openTestApp('migrated'))
const statusOf = async (key: string) => (await app.send('/api/v1/services', { key })).status

test('a look-up that runs while a key changes is not cached', async () => {
  const key = await app.key()
  let notified = 0
  app.deps.notifications.on('keys_changed', () => void notified++)
  await using lock = await lockTable(app.sql, 'api_keys')
  const response = statusOf(key)
  expect(await waitUntil(async () => (await countLockWaits(app.sql)) > 0, 5000)).toBe(true)
  await app.sql`select pg_notify('keys_changed', '')`
  expect(await waitUntil(() => notified > 0, 5000)).toBe(true)
  await lock.release()
  expect(await response).toBe(200)
  // Without a notification, so that only a cached look-up could still admit the key.
  await app.sql`update api_keys set revoked_at = now()`
  expect(await statusOf(key)).toBe(401)
})

test('a key is looked up each time while notifications do not arrive', async () => {
  const clone = await cloneDatabase('migrated')
  const direct = await openFailingPostgres(clone.url)
  const sql = testSql(clone.url, 1)
  const { key } = await openBookingClient(clone.url)
  const server = await startServer({ databaseUrl: clone.url, env: { DATABASE_DIRECT_URL: direct.url } })
  const status = async () =>
    (await fetch(`${server.url}/api/v1/services`, { headers: { authorization: `Bearer ${key}` } })).status
  const isListening = async () =>
    (
      await sql`
      select from pg_stat_activity
      where datname = current_database() and application_name = 'hearth-direct' and state = 'idle'`
    ).count > 0
  try {
    expect(await status()).toBe(200)
    expect(await waitUntil(isListening, 5000)).toBe(true)
    expect(await status()).toBe(200)
    // Without a notification a cached key goes on working.
    await sql`update api_keys set revoked_at = now()`
    expect(await status()).toBe(200)
    direct.failWith('53300')
    expect(await waitUntil(async () => (await status()) === 401, 1500)).toBe(true)
    expect(server.log().map(({ msg }) => msg)).toContain(
      'notifications of other processes do not arrive: until they do, each API key is looked up and caches are read again each second',
    )
  } finally {
    await server.stop()
    await sql.end()
    await direct.close()
    await clone.drop()
  }
})
