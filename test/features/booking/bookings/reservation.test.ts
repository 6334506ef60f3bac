// Many callers reserve one slot and one of them gets it, through the SQL function or by direct inserts.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import type { TransactionSql } from 'postgres'

import {
  type Reservation,
  type ReservationRow,
  reserveSlot,
} from '../../../../src/features/booking/bookings/queries/bookings.ts'
import type { Database, Sql } from '../../../../src/platform/postgres/database.ts'
import { openDatabase } from '../../../../src/platform/postgres/open-database.ts'
import { errorCode } from '../../../../src/platform/store-error.ts'
import { cloneDatabase, testSql } from '../../../support/database.ts'
import { NOW, newReservation } from '../../../support/reservations.ts'
import { type TestPro, confirmationCode, everyDay, insertBookings, insertPro } from '../../../support/schedule.ts'
import { ctxOn } from '../../../support/ctx-on.ts'

const ROUNDS = 50
const CONTENDERS = 200

let clone: Awaited<ReturnType<typeof cloneDatabase>>
let databases: Database[]
let sql: Sql

beforeAll(async () => {
  clone = await cloneDatabase('migrated')
  sql = testSql(clone.url, 4)
  databases = openDatabases()
})

/** Connection pools of two server processes. */
function openDatabases(): Database[] {
  const options = { readConnections: 1, writeConnections: 8, statementTimeoutMs: 20_000, waitLimitMs: 20_000 }
  return [1, 2].map((n) => openDatabase({ url: clone.url, ...options, applicationName: `hearth-race-${n}` }))
}

afterAll(async () => {
  await Promise.all([...databases.map((database) => database.close()), sql.end()])
  await clone.drop()
})

const reserve = (reservation: Reservation, server = 0): Promise<ReservationRow> => {
  const database = databases[server % databases.length]
  if (!database) throw new RangeError('no such server')
  return reserveSlot(ctxOn(database.write), reservation)
}

describe('a race for one slot', () => {
  test(`of ${CONTENDERS} requests has one winner, ${ROUNDS} times, and the others get the next available time`, async () => {
    const pro = await insertPro(sql, { businessHours: everyDay(['08:00', '18:00']), bufferMinutes: 15 })
    for (let round = 0; round < ROUNDS; round++) {
      const date = new Date(NOW.getTime() + (round + 5) * 86_400_000).toISOString().slice(0, 10)
      const rows = await Promise.all(
        Array.from({ length: CONTENDERS }, (_, n) =>
          // Every other request overlaps the first by half an hour only.
          reserve(newReservation(pro, { start: { date, minute: n % 2 ? 600 : 630 } }), n),
        ),
      )
      const reserved = rows.filter(({ outcome }) => outcome === 'reserved')
      expect(reserved).toHaveLength(1)
      const refused = rows.filter((row) => row.outcome === 'slot_unavailable')
      expect(refused).toHaveLength(CONTENDERS - 1)
      const next = refused.map(({ nextAvailable }) => `${nextAvailable?.date} ${nextAvailable?.time}`)
      expect(new Set(next)).toEqual(new Set([`${date} 08:00`]))
    }
    const [row] = await sql`
      select count(*)::int as bookings, (select count(*)::int from outbox_events e where e.professional_id = ${pro.id}) as events
      from bookings where professional_id = ${pro.id}`
    expect(row).toEqual({ bookings: ROUNDS, events: 2 * ROUNDS })
    expect(await deadlocks()).toBe(0)
  }, 60_000)

  test('between a block and a booking is won by the first', async () => {
    const pro = await insertPro(sql)
    const row = await reserveDuring(pro, 'advisory', async (tx) => {
      await tx`select lock_schedule(${pro.id})`
      await tx`
        insert into availability_blocks (id, professional_id, starts_at, ends_at, created_at)
        values (${randomUUID()}, ${pro.id}, '2026-11-23T00:00:00Z', '2026-11-25T00:00:00Z', ${NOW.toISOString()})`
    })
    expect(row).toMatchObject({ outcome: 'slot_unavailable' })
  })

  test('is lost with the same error when a writer without the lock wins', async () => {
    const pro = await insertPro(sql)
    const row = reserveDuring(pro, 'transactionid', async (tx) => {
      await insertDirectly(tx, pro, '2026-11-23T15:30:00Z')
    })
    expect(await row.catch((error: unknown) => error)).toMatchObject({
      outcome: 'slot_unavailable',
      nextAvailable: { date: '2026-11-23' },
    })
  })
})

/** The result of a reservation that waited on a lock of this kind until `work` was committed. */
async function reserveDuring(pro: TestPro, lock: string, work: (tx: TransactionSql) => Promise<void>) {
  const { row } = await sql.begin(async (tx) => {
    await work(tx)
    const pending = reserve(newReservation(pro))
    await until(async () => {
      const waiting = await sql`
        select from pg_locks l join pg_stat_activity a using (pid)
        where l.locktype = ${lock} and not l.granted and a.datname = current_database()`
      return waiting.length === 1
    })
    return { row: pending }
  })
  return await row
}

/** Deadlocks in this database so far. Ends the contenders' sessions first, because sessions report statistics at their end. */
async function deadlocks(): Promise<number> {
  await Promise.all(databases.map((database) => database.close()))
  await until(
    async () => (await sql`select from pg_stat_activity where application_name like 'hearth-race-%'`).length === 0,
  )
  databases = openDatabases()
  const [row] = await sql<
    { deadlocks: number }[]
  >`select deadlocks from pg_stat_database where datname = current_database()`
  return row?.deadlocks ?? Number.NaN
}

async function until(condition: () => Promise<boolean>) {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve))
}

describe('the constraint', () => {
  test('allows one of many direct inserts, even without any other check', async () => {
    const pro = await insertPro(sql)
    const pools = Array.from({ length: 4 }, () => testSql(clone.url, 4))
    for (let round = 0; round < 20; round++) {
      const inserted = await Promise.all(
        Array.from({ length: 64 }, async (_, n) => {
          const startsAt = new Date(NOW.getTime() + round * 86_400_000 + (n % 7) * 300_000).toISOString()
          return insertDirectly(pools[n % pools.length] ?? sql, pro, startsAt)
        }),
      )
      expect(inserted.flatMap((rows) => [...rows])).toHaveLength(1)
    }
    await Promise.all(pools.map((pool) => pool.end()))
  })

  test('refuses a booking that overlaps another or its buffer, and allows one that starts where it ends', async () => {
    const pro = await insertPro(sql)
    const first = {
      startsAt: '2026-11-23T09:00:00Z',
      durationMinutes: 60,
      bufferMinutes: 30,
      status: 'pending',
    } as const
    await insertBookings(sql, pro, [first])
    const within = insertBookings(sql, pro, [{ ...first, startsAt: '2026-11-23T10:25:00Z', status: 'confirmed' }])
    expect(errorCode(await within.catch((error: unknown) => error))).toBe('23P01')
    await insertBookings(sql, pro, [{ ...first, startsAt: '2026-11-23T10:30:00Z', status: 'confirmed' }])
  })
})

/** Inserts a booking without the lock and the checks. */
const insertDirectly = (db: Sql | TransactionSql, pro: TestPro, startsAt: string) => db`
  insert into bookings (id, professional_id, service_id, confirmation_code, status, starts_at, duration_minutes,
    buffer_minutes, ends_at, holds, customer_name, customer_email, source, created_at, confirmed_at,
    service_name, price_type)
  select ${randomUUID()}, ${pro.id}, ${pro.serviceId}, ${confirmationCode()}, 'confirmed', s, 60, 0,
    s + interval '1 hour', tstzrange(s, s + interval '1 hour'), 'Homeowner in Austin', 'home@example.com', 'api', s, s,
    'Drain Cleaning', 'flat'
  from (select ${startsAt}::timestamptz as s) start
  on conflict on constraint bookings_no_overlap do nothing
  returning id`
