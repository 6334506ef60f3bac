// What a server does once is done before it listens, so that its first requests are about as quick as later ones.
import { expect, test } from 'bun:test'

import { cloneDatabase, testSql } from '../support/database.ts'
import { opened } from '../support/fixture.ts'
import { startServer } from '../support/server.ts'

const clone = await opened(cloneDatabase('migrated'), 'drop')
const sql = await opened(testSql(clone.url, 1), 'end')
await opened(startServer({ databaseUrl: clone.url }), 'stop')

test('several connections have planned the statements of most reads when a server begins to listen', async () => {
  const rows = await sql<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and query like '%as takes_deposit%' and pid <> pg_backend_pid()`
  expect(rows[0]?.count).toBeGreaterThan(1)
})
