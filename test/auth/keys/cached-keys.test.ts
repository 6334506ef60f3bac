// A verified key is cached, but never longer than it is valid.
import { expect, test } from 'bun:test'

import { openTestApp } from '../../support/app.ts'
import { countLockWaits, lockTable } from '../../support/database.ts'
import { useFixture } from '../../support/fixture.ts'
import { waitUntil } from '../../../src/platform/clock/deadlines.ts'

const app = useFixture(() => openTestApp('migrated'))
const statusOf = async (key: string) => (await app.send('/api/v1/services', { key })).status

test('a look-up that runs while a key changes is not cached', async () => {
  const key = await app.key()
  let notified = 0
  app.deps.notifications.on('keys_changed', () => void notified++)
  const lock = await lockTable(app.sql, 'api_keys')
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
