// Lost connections to PostgreSQL: each is reopened, and a lost transaction changes nothing.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'

import type { Database, Runner, Transaction } from '../../../src/platform/postgres/database.ts'
import { openDatabase } from '../../../src/platform/postgres/open-database.ts'
import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { StoreUnavailable } from '../../../src/platform/store-error.ts'
import { openBlockedProxy } from '../../support/blocked-proxy.ts'
import { cloneDatabase, testSql, withoutSocket } from '../../support/database.ts'
import { opened } from '../../support/fixture.ts'

/** The error of the attempt, or undefined when it succeeds. */
const failureOf = (attempt: Promise<unknown>): Promise<unknown> =>
  attempt.then(
    () => undefined,
    (error: unknown) => error,
  )

const succeeds = async (attempt: Promise<unknown>) => (await failureOf(attempt)) === undefined

const CONNECTIONS = 4
const LOCK = 4711
/** The number of times that all connections are lost under load. */
const ROUNDS = 20
const clone = await opened(cloneDatabase('migrated'), 'drop')
const admin = await opened(testSql(clone.url, 2), 'end')
await admin`create table notes (writer text, line int)`

test('a statement that is cancelled while its connection opens leaves the connection to the next statement', async () => {
  const proxy = await openBlockedProxy(withoutSocket(clone.url))
  const limits = { statementTimeoutMs: 5000, waitLimitMs: 50, applicationName: 'hearth-test' }
  const database = openDatabase({ url: proxy.url, readConnections: 1, writeConnections: 1, ...limits })
  const one = () => database.read.run<{ one: number }>('one', (sql) => sql`select 1 as one`)
  try {
    expect(await failureOf(one())).toBeInstanceOf(StoreUnavailable)
    proxy.open()
    expect(await waitUntil(() => succeeds(one()), 2000)).toBe(true)
  } finally {
    await database.close()
    proxy.stop()
  }
})

describe.each([
  ['over a socket', (url: string) => url],
  ['over TCP', withoutSocket],
])('%s', (_, addressOf) => {
  let database: Database
  let applicationName: string

  beforeEach(() => {
    applicationName = `lost-${crypto.randomUUID()}`
    database = openDatabase({
      url: addressOf(clone.url),
      readConnections: CONNECTIONS,
      writeConnections: CONNECTIONS,
      statementTimeoutMs: 5000,
      waitLimitMs: 6000,
      applicationName,
    })
  })

  afterEach(() => database.close())

  const endAll = () =>
    admin`select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${applicationName}`

  /** True when all connections of a pool run statements at once: each waits for a lock that this test holds until all do. */
  const allServe = async (pool: Runner): Promise<boolean> => {
    const waiting = async () => {
      const [row] = await admin<{ count: number }[]>`
        select count(*)::int as count from pg_locks where locktype = 'advisory' and objid = ${LOCK} and not granted`
      return row?.count
    }
    let requests: Promise<unknown> = Promise.resolve()
    const all = await admin.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(${LOCK})`
      const ask = () => pool.run('wait', (sql) => sql`select pg_advisory_xact_lock_shared(${LOCK})::text`)
      requests = Promise.allSettled(Array.from({ length: CONNECTIONS * 4 }, ask))
      return await waitUntil(async () => (await waiting()) === CONNECTIONS, 4000)
    })
    await requests
    return all
  }

  test('every lost connection is reopened, whenever it is lost', async () => {
    let ended = false
    let answered = 0
    const callers = Array.from({ length: CONNECTIONS * 4 }, async (__, n) => {
      while (!ended) {
        const pool = n % 2 === 0 ? database.read : database.write
        if (await succeeds(pool.run('ask', (sql) => sql`select ${n}::int as n`))) answered++
      }
    })
    for (let round = 0; round < ROUNDS; round++) {
      const before = answered
      expect(await waitUntil(() => answered > before + 50, 5000, 1)).toBe(true)
      await endAll()
    }
    ended = true
    await Promise.all(callers)
    expect(await allServe(database.read)).toBe(true)
    expect(await allServe(database.write)).toBe(true)
  }, 30_000)

  /** Inserts line `line` of `writer`. */
  const note = (tx: Transaction, writer: string, line: number) =>
    tx.run('note', (sql) => sql`insert into notes (writer, line) values (${writer}, ${line})`)

  const linesOf = async (writer: string): Promise<number[]> =>
    (await admin<{ line: number }[]>`select line from notes where writer = ${writer} order by line`).map(
      ({ line }) => line,
    )

  test('a transaction that lost its connection runs no further statements, even when others reuse the connection', async () => {
    const [mine, others] = [crypto.randomUUID(), crypto.randomUUID()]
    const connectionsReused = Promise.withResolvers<void>()
    const late = Promise.withResolvers<unknown>()
    const lost = database.write.begin('lost', async (tx) => {
      await note(tx, mine, 1)
      await endAll()
      await connectionsReused.promise
      late.resolve(await failureOf(note(tx, mine, 2)))
    })
    expect(await failureOf(lost)).toBeInstanceOf(StoreUnavailable)
    await Promise.all(
      Array.from({ length: CONNECTIONS }, (__, line) =>
        database.write.begin('other', async (tx) => {
          await note(tx, others, line)
          connectionsReused.resolve()
          await late.promise
        }),
      ),
    )
    expect(await late.promise).toBeInstanceOf(StoreUnavailable)
    expect(await linesOf(mine)).toEqual([])
    expect(await linesOf(others)).toEqual(Array.from({ length: CONNECTIONS }, (__, line) => line))
  })

  test('transactions are committed completely or not at all, whenever their connections are lost', async () => {
    let ended = false
    const acknowledged: string[] = []
    const refused: string[] = []
    const writers = Array.from({ length: CONNECTIONS * 3 }, async (__, n) => {
      while (!ended) {
        const writer = crypto.randomUUID()
        const work = async (tx: Transaction) => {
          await note(tx, writer, 1)
          // A transaction may continue after one of its statements fails.
          await (n % 3 === 0 ? tx.savepoint((inner) => note(inner, writer, 2)) : note(tx, writer, 2)).catch(() => [])
          await note(tx, writer, 3)
        }
        await database.write.begin('three lines', work).then(
          () => acknowledged.push(writer),
          () => refused.push(writer),
        )
      }
    })
    for (let round = 0; round < ROUNDS; round++) {
      const before = acknowledged.length
      expect(await waitUntil(() => acknowledged.length > before + 20, 5000, 1)).toBe(true)
      await endAll()
    }
    ended = true
    await Promise.all(writers)
    const written = await admin<{ writer: string; lines: number }[]>`
      select writer, count(*)::int as lines from notes where writer = any(${[...acknowledged, ...refused]}) group by writer`
    expect(written.filter(({ lines }) => lines !== 3)).toEqual([])
    const whole = new Set(written.map(({ writer }) => writer))
    expect(acknowledged.filter((writer) => !whole.has(writer))).toEqual([])
    expect(refused.length).toBeGreaterThan(ROUNDS)
  }, 30_000)
})
