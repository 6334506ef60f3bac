// Locks of a session that cannot reach PostgreSQL: the caller tries again later, as with every other statement.
import { expect, test } from 'bun:test'

import { findFreePort } from '../../../src/local/ports.ts'
import { openSessionLocks } from '../../../src/platform/postgres/session-locks.ts'
import { StoreUnavailable } from '../../../src/platform/store-error.ts'

test('a lock that PostgreSQL cannot be asked for is reported as unavailable', async () => {
  const locks = openSessionLocks(`postgres://hearth@127.0.0.1:${await findFreePort()}/none`, () => undefined)
  try {
    for (const request of [locks.tryLock('a'), locks.release('a')])
      expect(await request.catch((error: unknown) => error)).toBeInstanceOf(StoreUnavailable)
  } finally {
    await locks.close()
  }
})
