// A marketplace of size: many pros, and past bookings with their events and messages, filled by COPY and kept for later runs.
import { mkdirSync, rmSync, statfsSync } from 'node:fs'

import { type Transaction, dropIndexes, restoreIndexes } from '../../src/local/seed/bulk-load.ts'
import { seed } from '../../src/local/seed/seed.ts'
import type { Sql } from '../../src/platform/postgres/database.ts'
import { type Dataset, openDataset } from './datasets.ts'
import type { SizeOptions } from './options.ts'
import { BENCH_FOLDER, type Stores } from './stores.ts'

/** The tables that grow with bookings. */
export const GROWING = ['bookings', 'outbox_events', 'messages'] as const
const BATCH = 200_000
/** Old enough for retention to delete the messages. */
const YOUNGEST_DAYS = 400
const GB = 1024 ** 3
/** Of the free disk. The rest is for WAL and for copying. */
const MAX_DISK_SHARE = 0.7

/** Opens the set. It has fewer bookings than wanted where the disk's budget ends first. */
export function openSizeSet(stores: Stores, size: SizeOptions, log: (line: string) => void): Promise<Dataset> {
  const fill = (sql: Sql) => fillSizeSet(sql, size, log)
  return openDataset(stores, `size_${size.pros}_${size.bookings}`, { pros: size.pros, fill }, log)
}

/** Fills a migrated database that has no pros. */
export async function fillSizeSet(sql: Sql, size: SizeOptions, log: (line: string) => void): Promise<void> {
  await seed(sql, { pros: size.pros, seed: 1, now: new Date(), note: log, withHistory: false })
  await sql.begin((tx) => fillBookings(tx, size, log))
  await sql`vacuum (analyze)`
}

async function fillBookings(tx: Transaction, { bookings, diskGb }: SizeOptions, log: (line: string) => void) {
  // Skips triggers and foreign keys: the rows are made to satisfy them.
  await tx`set local session_replication_role = replica`
  await tx`set local synchronous_commit = off`
  await tx`set local maintenance_work_mem = '1GB'`
  await tx`
    create temp table numbered_pros on commit drop as
    select row_number() over () - 1 as n, p.id, o.service_id, o.service_name, coalesce(p.time_zone, 'UTC') as time_zone
    from professionals p
    cross join lateral (
      select ps.service_id, s.name as service_name from professional_services ps join services s on s.id = ps.service_id
      where ps.professional_id = p.id order by ps.service_id limit 1) o`
  await tx`create unique index on numbered_pros (n)`
  await tx`analyze numbered_pros`
  const [{ pros } = { pros: 0 }] = await tx<{ pros: number }[]>`select count(*)::integer as pros from numbered_pros`
  const definitions = await dropIndexes(tx, GROWING)
  mkdirSync(BENCH_FOLDER, { recursive: true })
  const { bavail, bsize } = statfsSync(BENCH_FOLDER)
  const ofPros = await databaseBytes(tx)
  const budget = Math.min(diskGb * GB, ofPros + bavail * bsize * MAX_DISK_SHARE)
  for (let made = 0; made < bookings; made += BATCH) {
    const ofBookings = (await databaseBytes(tx)) - ofPros
    // Indexes of bookings come at the end and take about as much as the rows.
    if (ofPros + 2 * ofBookings > budget) {
      log(`the disk's budget ends at ${made.toLocaleString('en-US')} bookings`)
      break
    }
    await copyBatch(tx, made, Math.min(made + BATCH, bookings), pros)
  }
  const note = (done: number, of: number) => (done === of ? log(`${of} indexes and constraints`) : undefined)
  await restoreIndexes(tx, GROWING, definitions, note)
}

async function databaseBytes(tx: Transaction): Promise<number> {
  const [row] = await tx<{ bytes: number }[]>`select pg_database_size(current_database())::float8 as bytes`
  return row?.bytes ?? 0
}

async function copyBatch(tx: Transaction, from: number, to: number, pros: number): Promise<void> {
  await tx`drop table if exists made`
  await tx.unsafe(`
    create temp table made as
    select gen_random_uuid() as id, p.id as professional_id, p.service_id,
      'HTH-' || upper(left(md5(m::text), 12)) as confirmation_code, 'completed' as status,
      t.starts_at, 60 as duration_minutes, 0 as buffer_minutes, t.starts_at + interval '1 hour' as ends_at,
      tstzrange(t.starts_at, t.starts_at + interval '1 hour') as holds,
      'Demo Customer' as customer_name, 'c' || m % 1000000 || '@demo.example' as customer_email,
      '(555) 555-0100' as customer_phone,
      '{"street":"1 Main Street","city":"Austin","state":"TX","zipCode":"78701"}'::jsonb as address,
      'The kitchen sink drips.' as description, 'web' as source, t.starts_at - interval '5 days' as created_at,
      t.starts_at - interval '5 days' as confirmed_at, t.starts_at + interval '1 hour' as completed_at,
      2 as event_sequence, p.service_name, 'flat' as price_type,
      t.starts_at at time zone p.time_zone as local_start, p.time_zone
    from generate_series(${from}::bigint, ${to - 1}) m
    join numbered_pros p on p.n = m % ${pros}
    cross join lateral (
      select date_trunc('day', now()) - (m / ${pros} + ${YOUNGEST_DAYS}) * interval '1 day' + interval '15 hours' as starts_at) t`)
  await copy(tx, 'bookings', 'select * from made')
  await copy(
    tx,
    'outbox_events',
    `select gen_random_uuid() as id, type, professional_id, 'booking' as aggregate_type, b.id as aggregate_id, sequence,
      jsonb_build_object('object', to_jsonb(b)) as data, at as created_at, at as relayed_at
    from made b cross join lateral (
      values ('booking.created', 1, b.created_at), ('booking.completed', 2, b.completed_at)) e (type, sequence, at)`,
  )
  await copy(
    tx,
    'messages',
    `select 'event:' || b.id || ':' || kind as key, kind, customer_email as recipient,
      jsonb_build_object('booking', to_jsonb(b)) as data, professional_id, b.id as booking_id, customer_email,
      'sent' as status, 1 as attempts, at as send_at, at as created_at, at as finished_at
    from made b cross join lateral (
      values ('booking_confirmed', b.created_at), ('booking_completed', b.completed_at)) e (kind, at)`,
  )
}

/** Copies the rows of a query into the columns of the same names, through a file in the data directory. */
async function copy(tx: Transaction, table: string, query: string): Promise<void> {
  const [row] = await tx<{ file: string }[]>`select current_setting('data_directory') || '/size-rows' as file`
  const file = row?.file ?? ''
  await tx.unsafe(`create temp view copied as ${query}`)
  const columns = await tx<{ name: string }[]>`
    select quote_ident(attname) as name from pg_attribute where attrelid = 'copied'::regclass and attnum > 0 order by attnum`
  try {
    await tx.unsafe(`copy (select * from copied) to '${file}'`)
    await tx.unsafe(`copy ${table} (${columns.map(({ name }) => name).join(', ')}) from '${file}'`)
  } finally {
    rmSync(file, { force: true })
  }
  await tx`drop view copied`
}
