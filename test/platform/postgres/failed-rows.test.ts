// A statement that fails after its first rows leaves nothing of them to the next statement on its connection.
import { expect, test } from 'bun:test'

import type { Runner, Sql } from '../../../src/platform/postgres/database.ts'
import { openDatabase } from '../../../src/platform/postgres/open-database.ts'
import { cloneDatabase } from '../../support/database.ts'
import { opened } from '../../support/fixture.ts'

const clone = await opened(cloneDatabase('migrated'), 'drop')
// With one connection per pool, the next statement gets the one of the failed statement.
const { read, write } = await opened(
  openDatabase({
    url: clone.url,
    readConnections: 1,
    writeConnections: 1,
    statementTimeoutMs: 300,
    waitLimitMs: 5000,
    applicationName: 'hearth-test',
  }),
)

/** The third row fails. */
const dividesByZero = (sql: Sql) => sql`select 10 / (3 - g) as n from generate_series(1, 5) g`
/** The rows before the sleep, which PostgreSQL ends at the time limit, fill more than one of its buffers, so that they are sent. */
const exceedsItsTime = (sql: Sql) =>
  sql`select g as n, repeat('x', 1000) as filling, case when g = 50 then pg_sleep(5)::text end as rest
    from generate_series(1, 60) g`

const POOLS: Readonly<Record<string, Runner>> = { 'single reads': read, 'single writes': write }
const FAILURES = { 'an error in the third row': dividesByZero, 'the time limit': exceedsItsTime }

for (const [pool, runner] of Object.entries(POOLS))
  test.each(Object.entries(FAILURES))(
    `${pool}: after %s the next statement has its own rows only`,
    async (_, failing) => {
      expect(runner.run('fails', failing)).rejects.toThrow()
      const rows = await runner.run<{ n: number }>('next', (sql) => sql`select 7 as n`)
      expect([...rows]).toEqual([{ n: 7 }])
    },
  )

test.each(Object.entries(FAILURES))(
  'prepared files: after %s the next one has its own rows only',
  async (_, failing) => {
    let text = ''
    void failing(((strings: TemplateStringsArray) => (text = strings.join(''))) as unknown as Sql)
    expect(read.prepared('fails', text, [])).rejects.toThrow()
    expect([...(await read.prepared('next', 'select 7 as n', []))]).toEqual([{ n: 7 }])
  },
)

test.each(Object.entries(FAILURES))(
  'a savepoint: after %s the transaction reads its own rows only',
  async (_, failing) => {
    const rows = await write.begin('transaction', async (tx) => {
      const failure = await tx.savepoint((inner) => inner.run('fails', failing)).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(Error)
      return await tx.run<{ n: number }>('next', (sql) => sql`select 7 as n`)
    })
    expect([...rows]).toEqual([{ n: 7 }])
  },
)
