// The pools under stress: each caller gets the result of its own statement, also after timeouts.
import { expect, test } from 'bun:test'

import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { openDatabase } from '../../../src/platform/postgres/open-database.ts'
import { StoreUnavailable } from '../../../src/platform/store-error.ts'
import { cloneDatabase } from '../../support/database.ts'
import { opened } from '../../support/fixture.ts'
const clone = await opened(cloneDatabase('migrated'), 'drop')
const limits = { statementTimeoutMs: 150, waitLimitMs: 160 }
const database = await opened(
  openDatabase({
    url: clone.url,
    readConnections: 2,
    writeConnections: 1,
    ...limits,
    applicationName: 'hearth-test',
  }),
)

/** Selects `n` in a statement of this many seconds. Returns undefined when the store is reported unavailable. */
async function selectNumber(n: number, seconds: number): Promise<number | undefined> {
  try {
    const rows = await database.read.run<{ n: number }>(
      'ask',
      (sql) => sql`select ${n}::int as n from pg_sleep(${seconds})`,
    )
    return rows[0]?.n
  } catch (error) {
    if (error instanceof StoreUnavailable) return undefined
    throw error
  }
}

test('a caller gets the result of its own statement, also after earlier callers timed out', async () => {
  let next = 0
  const answers: { requested: number; received: number | undefined }[] = []
  for (let round = 0; round < 12; round++) {
    const burst = Array.from({ length: 30 }, async (_, index) => {
      const requested = next++
      // Some statements take longer than any caller waits, so that statements queued behind them are cancelled while sent.
      answers.push({ requested, received: await selectNumber(requested, index % 5 === 0 ? 0.14 : 0.001) })
    })
    await Promise.all(burst)
  }
  expect(answers.filter(({ requested, received }) => received !== undefined && received !== requested)).toEqual([])
  expect(answers.some(({ received }) => received === undefined)).toBe(true)
  expect(answers.some(({ received }) => received !== undefined)).toBe(true)
})

test('the pool works normally afterwards', async () => {
  // The last statements of the burst are still being cancelled.
  await waitUntil(async () => (await selectNumber(0, 0)) === 0, 5000)
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => selectNumber(n, 0)))
  expect(answers).toEqual(Array.from({ length: 20 }, (_, n) => n))
})

test('more concurrent transactions and statements than connections all succeed', async () => {
  const limits = { statementTimeoutMs: 10_000, waitLimitMs: 10_000, applicationName: 'hearth-test' }
  const crowded = openDatabase({ url: clone.url, readConnections: 1, writeConnections: 4, ...limits })
  const { write } = crowded
  const one = async (n: number) => {
    // Waves make the connections alternate between idle and busy.
    await Bun.sleep((n * 7) % 20)
    const rows =
      n % 5 < 2
        ? await write.begin('wave', (tx) => tx.run<{ n: number }>('inside', (sql) => sql`select ${n}::int as n`))
        : await write.run<{ n: number }>('alone', (sql) => sql`select ${n}::int as n from pg_sleep(0.001)`)
    return rows[0]?.n
  }
  try {
    for (let round = 0; round < 10; round++)
      expect(await Promise.all(Array.from({ length: 200 }, (_, n) => one(n)))).toEqual(
        Array.from({ length: 200 }, (_, n) => n),
      )
  } finally {
    await crowded.close()
  }
})
