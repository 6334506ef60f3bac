// A system of size: what a booking takes on disk and in the WAL, how many updates are HOT, what retention deletes, what vacuum costs.
import { createKey } from '../../src/auth/keys/verbs/keys.ts'
import { readConfig } from '../../src/config.ts'
import { type Deps, openDeps } from '../../src/deps.ts'
import { saveBookingState } from '../../src/features/booking/bookings/queries/changes.ts'
import { deleteOldRows } from '../../src/features/upkeep/retention/verbs.ts'
import { OWNER_EMAIL } from '../support/account.ts'
import type { Runner, Sql } from '../../src/platform/postgres/database.ts'
import { connect } from '../../src/platform/postgres/open-database.ts'
import { PREFER_INDEXES } from '../../src/platform/postgres/settings.ts'
import type { Bench, Scenario } from '../support/bench.ts'
import { cpuMsWithChildren } from '../support/cpu.ts'
import type { Dataset } from '../support/datasets.ts'
import { createFreeSlots, deleteBookings } from '../support/free-slots.ts'
import { runPgbench, writeScript } from '../support/pgbench.ts'
import { reservationScript } from '../support/reservations.ts'
import type { Aim, Row } from '../support/result.ts'
import { GROWING, openSizeSet } from '../support/size-set.ts'
import { estimate } from '../support/statistics.ts'
import { ctxOf } from '../../src/ctx.ts'
import { ctxOn } from '../../test/support/ctx-on.ts'

const CONNECTIONS = 4
/** Reservations of each connection, after a checkpoint and once more. */
const RESERVATIONS = { full: 2500, quick: 500, smoke: 20 }
/** Batches that retention deletes of each table. */
const BATCHES = { full: 100, quick: 10, smoke: 1 }
const AGING = ['messages', 'outbox_events'] as const
const KB = 1024

const one = (name: string, value: number, unit = '', more: Partial<Aim> = {}): Aim => ({
  name,
  value: estimate([value]),
  unit,
  isListed: true,
  ...more,
})

export const size: Scenario = {
  name: 'size',
  isLong: true,
  async run(bench: Bench): Promise<Row[]> {
    const { size: wanted, stores } = bench.options
    const data = await openSizeSet(stores, wanted, (line) => bench.log(line))
    const env = { DATABASE_URL: data.url, REDIS_URL: stores.redisUrl, LOG_LEVEL: 'error' }
    const deps = openDeps(readConfig(env), { databaseLimitMs: 600_000 })
    const postgresMs = () => cpuMsWithChildren(stores.pids.postgres)
    try {
      await data.sql`create extension if not exists pg_walinspect`
      // Of a run that was interrupted: their pros would have no free slots.
      await deleteBookings(data.sql)
      await createKey(ctxOf(deps), {
        ownerEmail: OWNER_EMAIL,
        name: 'bench',
        rateMultiplier: 1,
        scopes: ['bookings:write'],
      })
      const disk = await measureDisk(data)
      const startMs = postgresMs()
      const wal = await measureWal(bench, data)
      const hot = await measureHot(data)
      const retention = await measureRetention(bench, deps)
      const workMs = postgresMs() - startMs
      await data.sql.unsafe(`vacuum ${GROWING.join(', ')}`)
      const vacuumMs = postgresMs() - startMs - workMs
      return [
        diskRow(disk, wanted),
        { id: 'size-wal', title: 'WAL of a booking', metrics: [], aims: wal },
        {
          id: 'size-upkeep',
          title: 'Updates, deletion by age and vacuum',
          metrics: [],
          aims: [
            ...hot,
            ...retention,
            one('of PostgreSQL’s CPU is vacuum’s', vacuumMs / (workMs + vacuumMs), '', { lessIsBetter: true }),
          ],
        },
      ]
    } finally {
      await deleteBookings(data.sql)
      await data.sql`delete from api_keys using accounts a where a.id = account_id and a.email = ${OWNER_EMAIL}`
      await deps.close()
      await data.sql.end()
    }
  },
}

interface Disk {
  bookings: number
  /** Bytes of the tables that grow with bookings, with their indexes. */
  tables: { name: string; bytes: number }[]
  databaseBytes: number
}

async function measureDisk({ sql }: Dataset): Promise<Disk> {
  const [row] = await sql<{ bookings: number; databaseBytes: number }[]>`
    select count(*)::float8 as bookings, pg_database_size(current_database())::float8 as database_bytes from bookings`
  const tables = await sql<{ name: string; bytes: number }[]>`
    select name, pg_total_relation_size(name::regclass)::float8 as bytes from unnest(${[...GROWING]}::text[]) name`
  return { bookings: row?.bookings ?? 0, databaseBytes: row?.databaseBytes ?? 0, tables: [...tables] }
}

function diskRow({ bookings, tables, databaseBytes }: Disk, wanted: { pros: number; bookings: number }): Row {
  const bytes = tables.reduce((sum, table) => sum + table.bytes, 0)
  const atWanted = databaseBytes + (wanted.bookings - bookings) * (bytes / bookings)
  const count = (value: number) => value.toLocaleString('en-US')
  return {
    id: 'size-disk',
    title: `Disk of ${count(wanted.pros)} pros and ${count(wanted.bookings)} bookings with two events and two messages each`,
    metrics: [],
    aims: [
      ...tables.map(({ name, bytes: of }) => one(`bytes per booking in ${name}`, of / bookings)),
      one('in all', atWanted / KB ** 3, ' GB'),
    ],
    remark:
      bookings < wanted.bookings
        ? `Measured with ${count(bookings)} bookings, where the disk’s budget ended; the sum is extrapolated.`
        : 'Measured, not extrapolated.',
  }
}

/** Reservations right after a checkpoint write each page as a whole that they change first; later ones hardly. */
const PASSES = [
  { when: 'after a checkpoint, uncompressed', isCheckpoint: true, compression: 'off' },
  { when: 'after a checkpoint', isCheckpoint: true, compression: 'on' },
  { when: 'later', isCheckpoint: false, compression: 'on' },
]

async function measureWal(bench: Bench, { name, sql, url }: Dataset): Promise<Aim[]> {
  const transactions = bench.amount(RESERVATIONS)
  await createFreeSlots(sql, PASSES.length * CONNECTIONS * transactions)
  const script = writeScript('size', await reservationScript(OWNER_EMAIL))
  const aims: Aim[] = []
  for (const { when, isCheckpoint, compression } of PASSES) {
    await sql.unsafe(`alter database ${name} set wal_compression = ${compression}`)
    if (isCheckpoint) await sql`checkpoint`
    const from = await walPosition(sql)
    const madeBefore = await countMade(sql)
    const { calls } = await runPgbench(url, script, { connections: CONNECTIONS, transactions })
    const to = await walPosition(sql)
    const made = (await countMade(sql)) - madeBefore
    if (made < calls) throw new Error(`Only ${made} of ${calls} reservations made a booking.`)
    const [row] = await sql<{ bytes: number; pages: number }[]>`
      select pg_wal_lsn_diff(${to}, ${from})::float8 as bytes, coalesce(sum(fpi_size), 0)::float8 as pages
      from pg_get_wal_stats(${from}::pg_lsn, ${to}::pg_lsn)`
    const { bytes, pages } = row ?? { bytes: Number.NaN, pages: Number.NaN }
    aims.push(
      one(`WAL per booking, ${when}`, bytes / calls / KB, ' KB', { lessIsBetter: true }),
      one(`of it whole pages, ${when}`, pages / calls / KB, ' KB', { lessIsBetter: true }),
    )
  }
  await sql.unsafe(`alter database ${name} reset wal_compression`)
  return aims
}

async function countMade(sql: Dataset['sql']): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from bookings b join accounts a on a.id = b.account_id where a.email = ${OWNER_EMAIL}`
  return row?.count ?? 0
}

async function walPosition(sql: Dataset['sql']): Promise<string> {
  const [row] = await sql<{ lsn: string }[]>`select pg_current_wal_flush_lsn()::text as lsn`
  return row?.lsn ?? ''
}

/** Completes the bookings just made, by the program's own statement, and counts the updates that wrote no index. */
async function measureHot({ sql, url }: Dataset): Promise<Aim[]> {
  const made = await sql<{ id: string }[]>`
    select b.id from bookings b join accounts a on a.id = b.account_id where a.email = ${OWNER_EMAIL}`
  // One connection, which reports its counts when asked.
  const own = connect(url, 1, { applicationName: 'hearth-bench', settings: PREFER_INDEXES })
  const runner: Runner = {
    freshness: 'fresh',
    run: async (_, statement) => [...(await statement(own))],
    prepared: (name) => Promise.reject(new Error(`${name} is not measured.`)),
  }
  const before = await updatesOf(own)
  for (const { id } of made)
    await saveBookingState(ctxOn(runner), { status: 'completed', by: 'pro', reason: null, now: new Date(), id })
  const after = await updatesOf(own)
  await own.end()
  return [one('of the updates that complete a booking are HOT', (after.hot - before.hot) / (after.all - before.all))]
}

async function updatesOf(sql: Sql): Promise<{ all: number; hot: number }> {
  await sql`select pg_stat_force_next_flush()`
  const [row] = await sql<{ all: number; hot: number }[]>`
    select n_tup_upd::float8 as all, n_tup_hot_upd::float8 as hot from pg_stat_user_tables
    where relname = 'bookings' and schemaname = 'public'`
  return row ?? { all: 0, hot: 0 }
}

async function measureRetention(bench: Bench, deps: Deps): Promise<Aim[]> {
  const aims: Aim[] = []
  for (const table of AGING) {
    const startedMs = performance.now()
    let rows = 0
    for (let batch = 0; batch < bench.amount(BATCHES); batch++) {
      const { deleted, hasMore } = await deleteOldRows(ctxOf(deps), { table })
      rows += deleted
      if (!hasMore) break
    }
    const hours = (performance.now() - startedMs) / 3_600_000
    aims.push(one(`rows of ${table} that retention can delete an hour`, rows / hours))
  }
  return aims
}
