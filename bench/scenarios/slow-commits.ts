// Commits that write an event, on disks whose commits take up to 20 ms: with the wake-up after the commit, inside it, and without.
import type { Sql } from '../../src/platform/postgres/database.ts'
import { connect, openDatabase } from '../../src/platform/postgres/open-database.ts'
import type { Bench, Scenario } from '../support/bench.ts'
import type { Aim, Row } from '../support/result.ts'
import { estimate } from '../support/statistics.ts'

const CONNECTIONS = 32
const WARM_UP_SECONDS = 0.5
const COMMIT_MS = [0, 2, 5, 10, 20]

export const slowCommits: Scenario = {
  name: 'slow-commits',
  async run(bench: Bench): Promise<Row[]> {
    const { data, options } = bench
    const database = new URL(data.url).pathname.slice(1)
    const rows: Row[] = []
    try {
      for (const commitMs of COMMIT_MS) {
        // PostgreSQL waits so long before each flush of the WAL.
        await setDelay(options.stores.admin, database, commitMs)
        const rates = await measureRates(data.url, options.rounds.seconds)
        bench.log(`commits of ${commitMs} ms: ${JSON.stringify(rates)}`)
        rows.push(toRow(commitMs, rates))
      }
      return rows
    } finally {
      await options.stores.admin`alter database ${options.stores.admin(database)} reset all`
      await data.sql`truncate outbox_events cascade`
    }
  },
}

interface Rates {
  /** Commits per second of Hearth's pool. */
  after: number
  /** With NOTIFY in the transaction. */
  inside: number
  without: number
}

async function setDelay(admin: Sql, database: string, ms: number): Promise<void> {
  await admin`alter database ${admin(database)} set commit_siblings = 0`
  await admin.unsafe(`alter database "${database}" set commit_delay = ${ms * 1000}`)
}

async function measureRates(url: string, seconds: number): Promise<Rates> {
  const plain = connect(url, CONNECTIONS, { applicationName: 'hearth-bench' })
  const hearth = openDatabase({
    url,
    readConnections: 1,
    writeConnections: CONNECTIONS,
    statementTimeoutMs: 30_000,
    waitLimitMs: 30_000,
    applicationName: 'hearth-bench',
  })
  try {
    return {
      after: await commitsPerSecond(() => hearth.write.run('emit', emit), seconds),
      inside: await commitsPerSecond(async () => {
        await plain`with event as (${emit(plain)}) select pg_notify('outbox_written', '') from event`
      }, seconds),
      without: await commitsPerSecond(() => emit(plain), seconds),
    }
  } finally {
    await Promise.all([hearth.close(), plain.end({ timeout: 1 })])
  }
}

const emit = (sql: Sql) => sql`
  select emit_event(gen_random_uuid(), 'availability.updated', gen_random_uuid(), 'professional', gen_random_uuid(), 1,
    '{}', null, now())`

/** Keeps all connections busy. */
async function commitsPerSecond(commit: () => PromiseLike<unknown>, seconds: number): Promise<number> {
  let commits = 0
  const client = async (endMs: number) => {
    while (performance.now() < endMs) {
      await commit()
      commits++
    }
  }
  const run = async (length: number) => {
    const startedMs = performance.now()
    await Promise.all(Array.from({ length: CONNECTIONS }, () => client(startedMs + length * 1000)))
    return commits / ((performance.now() - startedMs) / 1000)
  }
  // Opens the connections.
  await run(Math.min(WARM_UP_SECONDS, seconds))
  commits = 0
  return Math.round(await run(seconds))
}

function toRow(commitMs: number, { after, inside, without }: Rates): Row {
  const aim = (name: string, value: number, more: Partial<Aim> = {}): Aim => ({
    name,
    value: estimate([value]),
    unit: '/s',
    ...more,
  })
  return {
    id: `slow-commits-${commitMs}`,
    title: `Commits that write an event, ${CONNECTIONS} connections, a disk of ${commitMs} ms`,
    metrics: [],
    aims: [
      aim('commits per second', after, { isListed: true }),
      aim('with NOTIFY inside the transaction', inside),
      aim('without wake-ups', without),
      aim('× those without wake-ups', after / without, { unit: '', target: 0.8 }),
    ],
  }
}
