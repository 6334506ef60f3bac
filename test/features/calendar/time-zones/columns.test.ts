// A zone that PostgreSQL does not have enters no column: one such pro would make every page of results that shows it fail.
import { expect, test } from 'bun:test'

import { checkZones } from '../../../../src/commands/doctor/stores.ts'
import { ctxOf } from '../../../../src/ctx.ts'
import { listZones, loadZones, replaceZonesLost } from '../../../../src/features/calendar/time-zones/verbs.ts'
import { book, openBookingFixture } from '../../../support/booking-fixture.ts'
import { opened } from '../../../support/fixture.ts'

const MARS = 'Mars/Olympus_Mons'
const at = await opened(openBookingFixture())
const ctx = ctxOf(at.app.deps)

/** Columns that hold no zone in use, and why. */
const OTHERS: Readonly<Record<string, string>> = {
  'time_zone_names.zone':
    'What people call zones, also those of other releases of the data. No time is computed with it.',
}
/** Columns whose triggers are tested below. */
const BY_TRIGGER = ['bookings.time_zone', 'time_zones.name']

const refusal = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error)

test('every column of a zone is guarded by the database', async () => {
  const columns = await at.sql<{ name: string; isGuarded: boolean }[]>`
    select c.table_name || '.' || c.column_name as name, exists (
      select from pg_constraint f
      where f.contype = 'f' and pg_get_constraintdef(f.oid) !~ 'NOT VALID' and f.confrelid = 'time_zones'::regclass
        and f.conrelid = format('%I', c.table_name)::regclass
        and f.conkey = array[(select a.attnum from pg_attribute a where a.attrelid = f.conrelid and a.attname = c.column_name)]
    ) as "isGuarded"
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type = 'text'
      and (c.column_name ~ 'zone' or c.table_name = 'time_zones')
    order by name`
  const guarded = columns.filter(({ isGuarded }) => isGuarded).map(({ name }) => name)
  expect(guarded).toContain('professionals.time_zone')
  expect(columns.map(({ name }) => name)).toEqual([...guarded, ...BY_TRIGGER, ...Object.keys(OTHERS)].toSorted())
})

test('pros, cities, bookings and the zones themselves refuse a zone that does not exist', async () => {
  const pro = await at.pro({ deposit: false })
  await book(at, pro, 2)
  const refused = { code: '23514', constraint_name: 'time_zone_exists' }
  const { sql } = at
  expect(await refusal(sql`insert into time_zones (name) values (${MARS})`)).toMatchObject(refused)
  await sql`insert into time_zones (name) values ('Pacific/Auckland')`
  expect(await refusal(sql`update time_zones set name = ${MARS} where name = 'Pacific/Auckland'`)).toMatchObject(
    refused,
  )
  expect(await refusal(sql`update professionals set time_zone = ${MARS} where id = ${pro.id}`)).toMatchObject(refused)
  expect(await refusal(sql`update cities set time_zone = ${MARS}`)).toMatchObject(refused)
  expect(await refusal(sql`update bookings set time_zone = ${MARS} where professional_id = ${pro.id}`)).toMatchObject(
    refused,
  )
})

test('a bulk load, in which no trigger runs, cannot bring one either', async () => {
  const pro = await at.pro({ deposit: false })
  const loaded = at.sql.begin(async (tx) => {
    await tx`alter table professionals disable trigger user`
    await tx`update professionals set time_zone = ${MARS} where id = ${pro.id}`
    await tx`alter table professionals enable trigger user`
  })
  expect(await refusal(loaded)).toMatchObject({ code: '23503', constraint_name: 'professionals_time_zone' })
})

test('pros and bookings of a zone that PostgreSQL lost get that of the city, and the rest goes on meanwhile', async () => {
  const pro = await at.pro({ deposit: false })
  const { booking } = await book(at, pro, 2)
  const [before] = await at.sql<{ startsAt: string }[]>`
    select starts_at as "startsAt" from bookings where id = ${booking.id}`
  // As an update of the machine leaves it, which no statement can do.
  await at.sql`alter table time_zones disable trigger user`
  await at.sql`insert into time_zones (name) values (${MARS})`
  await at.sql`alter table time_zones enable trigger user`
  await at.sql.begin(async (tx) => {
    for (const table of ['professionals', 'bookings']) await tx`alter table ${tx(table)} disable trigger user`
    await tx`update professionals set time_zone = ${MARS} where id = ${pro.id}`
    await tx`update bookings set time_zone = ${MARS} where id = ${booking.id}`
    for (const table of ['professionals', 'bookings']) await tx`alter table ${tx(table)} enable trigger user`
  })
  const other = await at.pro({ deposit: false })
  expect(await refusal(at.sql`update professionals set time_zone = ${MARS} where id = ${other.id}`)).toMatchObject({
    constraint_name: 'time_zone_exists',
  })
  expect(await listZones(ctx)).not.toContain(MARS)
  await loadZones(ctx)
  expect(await checkZones(ctx)).toMatchObject({ message: `PostgreSQL no longer has ${MARS}` })

  expect(await replaceZonesLost(ctx)).toEqual([pro.id])
  const [after] = await at.sql<{ startsAt: string; agreed: boolean; zones: string[] }[]>`
    select b.starts_at as "startsAt", b.local_start = b.starts_at at time zone c.time_zone as agreed,
      array[p.time_zone = c.time_zone, b.time_zone = c.time_zone]::text[] as zones
    from bookings b join professionals p on p.id = b.professional_id join cities c on c.id = p.city_id where b.id = ${booking.id}`
  expect(after).toEqual({ startsAt: before?.startsAt ?? '', agreed: true, zones: ['true', 'true'] })
  expect(await replaceZonesLost(ctx)).toEqual([])
})

test('zones that come together are compared with those of PostgreSQL at once: its names take long to read', async () => {
  const rows = await at.sql<{ name: string }[]>`
    select name from pg_timezone_names where name like 'Asia/%' and name not in (select name from time_zones) order by name limit 20`
  const names = rows.map(({ name }) => name)
  expect(names).toHaveLength(20)
  const msOf = async (zones: readonly string[]) => {
    let ms = Infinity
    for (let n = 0; n < 3; n++)
      await at.sql.begin(async (tx) => {
        const startedMs = performance.now()
        await tx`insert into time_zones (name) select unnest(${zones}::text[])`
        ms = Math.min(ms, performance.now() - startedMs)
        await tx`delete from time_zones where name = any(${zones})`
      })
    return ms
  }
  expect((await msOf(names)) / (await msOf(names.slice(0, 1)))).toBeLessThan(5)
})
