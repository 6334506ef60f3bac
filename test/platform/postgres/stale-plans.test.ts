// Query plans that a connection cached while a table was empty.
import { expect, test } from 'bun:test'

import { openDatabase } from '../../../src/platform/postgres/open-database.ts'
import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { cloneDatabase, testSql } from '../../support/database.ts'
import { opened } from '../../support/fixture.ts'

/** PostgreSQL switches to a generic plan after five calls. */
const CALLS = 10
const ROWS = 5000
const clone = await opened(cloneDatabase('migrated'), 'drop')
const admin = await opened(testSql(clone.url, 1), 'end')

/** Index and sequential reads of a table. A connection reports its statistics at the latest when it ends. */
const readsOf = async (table: string) => {
  const [row] = await admin<{ byIndex: number; rowsScanned: number }[]>`
    select idx_scan::int as by_index, seq_tup_read::int as rows_scanned
    from pg_stat_user_tables where relname = ${table}`
  return row ?? { byIndex: 0, rowsScanned: 0 }
}

test('stored idempotent responses are found by index, also on connections that planned with an empty table', async () => {
  // The state after a quiet day: the sweep has emptied the table, and autovacuum has analyzed it.
  await admin`vacuum (analyze) idempotency_records`
  const [account] = await admin<{ id: string }[]>`
    insert into accounts (id, email, name, kind, created_at) values (gen_random_uuid(), 'a@example.com', 'A', 'developer', now()) returning id`
  const limits = { statementTimeoutMs: 5000, waitLimitMs: 6000, applicationName: 'hearth-test' }
  const database = openDatabase({ url: clone.url, readConnections: 1, writeConnections: 1, ...limits })
  const findOutcome = async (key: number) => {
    const [row] = await database.write.run<{ outcome: string }>(
      'findOutcome',
      (sql) => sql`
        select outcome from find_idempotent(${account?.id ?? ''}, 'createBooking', ${String(key)}, sha256(''), now())`,
    )
    return row?.outcome
  }
  for (let key = 1; key <= CALLS; key++) expect(await findOutcome(key)).toBe('fresh')
  await admin`
    insert into idempotency_records (account_id, operation, key, request_hash, result, created_at, expires_at)
    select ${account?.id ?? ''}, 'createBooking', n::text, sha256(''), '{}', now(), now() + interval '1 day'
    from generate_series(1, ${ROWS}) n`
  for (let key = 1; key <= CALLS; key++) expect(await findOutcome(key)).toBe('replay')
  await database.close()
  expect(await waitUntil(async () => (await readsOf('idempotency_records')).byIndex >= 2 * CALLS, 5000)).toBe(true)
  expect((await readsOf('idempotency_records')).rowsScanned).toBe(0)
})
