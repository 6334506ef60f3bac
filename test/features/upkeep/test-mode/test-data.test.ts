// The data of test mode: deleted as a whole, and kept apart from live data by the database.
import { describe, expect, test } from 'bun:test'

import { PRESETS } from '../../../../src/auth/scopes.ts'
import { deleteTestData } from '../../../../src/features/upkeep/test-mode/verbs.ts'
import { waitUntil } from '../../../../src/platform/clock/deadlines.ts'
import { pay } from '../../../support/booking-fixture.ts'
import { opened } from '../../../support/fixture.ts'
import { DEVELOPER, openTestMode, rfqOf } from '../../../support/test-mode.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const mode = await opened(openTestMode())

/** Rows of test pros and accounts that outlive the deletion, and why. */
const KEPT = new Set([
  // The pros themselves, as they were made.
  'professionals',
  'professional_services',
  'pro_search',
  // What was set up to reach them.
  'api_keys',
  'webhook_endpoints',
  // They go by their age.
  'messages',
  'outbox_events',
  // Agent tasks: a ledger.
  'credit_accounts',
  'credit_ledgers',
  'credit_transfers',
  'metered_tasks',
  // A queue that the refresh of prices empties.
  'pricing_changes',
])

/** Of some of the tables that have rows before the deletion. */
const MADE = [
  'availability_blocks',
  'bookings',
  'customer_blocks',
  'imported_calendars',
  'members',
  'payments',
  'reviews',
]

/** The tables with rows of the pros or the accounts. */
async function tablesWithRows(column: 'professional_id' | 'account_id', ids: readonly string[]): Promise<string[]> {
  const { sql } = mode.world
  const tables = await sql<{ name: string }[]>`
    select c.table_name as name from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and c.column_name = ${column} and t.table_type = 'BASE TABLE'`
  const found: string[] = []
  for (const { name } of tables)
    if ((await sql`select from ${sql(name)} where ${sql(column)} in ${sql(ids)} limit 1`).length > 0) found.push(name)
  return found.filter((name) => !KEPT.has(name)).toSorted()
}

test('deleting test data leaves the three pros as they were made, the keys, and all that is live', async () => {
  const { sql, app } = mode.world
  const asPro = await mode.testKey(PRESETS['pro-dashboard'])
  const ids = Object.values(mode.pros).map(({ id }) => id)
  const prosNow = async () => [
    ...(await sql`select to_jsonb(p) - '{created_at,updated_at,event_sequence}'::text[] as pro,
      (select count(*)::integer from professional_services o where o.professional_id = p.id) as offers
      from professionals p where p.id in ${sql(ids)} order by slug`),
  ]
  const first = (await deleteTestData(ctxOf(app.deps), { ownerEmail: DEVELOPER }), await prosNow())
  const live = await mode.book(mode.real, mode.keys.ownLive)

  const { booking } = await mode.book(mode.pros.deposit)
  await pay(mode.world, (await mode.book(mode.pros.deposit)).payment?.clientSecret ?? '')
  await mode.send(`/api/v1/bookings/${booking.id}/cancel`, mode.keys.test, {})
  await mode.review(mode.keys.test, mode.pros.approval)
  await mode.send('/api/v1/rfqs', mode.keys.test, rfqOf(mode.pros.approval))
  const settings = await mode.world.app.send('/api/v1/pro/profile', {
    method: 'PATCH',
    key: asPro,
    json: { businessName: 'Renamed', acceptsEmergency: true },
  })
  expect(settings.status).toBe(200)
  const set = async (path: string, json: object) =>
    expect([path, (await mode.send(`/api/v1/${path}`, asPro, json)).status]).toEqual([path, 201])
  const [from, to] = ['2026-12-01T15:00:00Z', '2026-12-01T16:00:00Z']
  await set('pro/blocked-customers', { email: 'blocked@test.example' })
  await set('pro/availability', { startDateTime: from, endDateTime: to })
  await set('pro/team', { name: 'Crew 1', email: 'crew@test.example' })
  await set('pro/calendars', { name: 'Family', url: 'https://calendars.test.example/family.ics' })
  await mode.world.relay()
  expect(await prosNow()).not.toEqual(first)
  const accounts = await sql<{ id: string }[]>`
    select account_id as id from professionals where id in ${sql(ids)}
    union select test_account_id from professionals where id in ${sql(ids)}`
  const owners = accounts.map(({ id }) => id)
  expect(await tablesWithRows('professional_id', ids)).toEqual(expect.arrayContaining(MADE))
  expect(await tablesWithRows('account_id', owners)).not.toEqual([])

  expect(await deleteTestData(ctxOf(app.deps), { ownerEmail: DEVELOPER })).toEqual({
    bookings: 2,
    requests: 1,
    reviews: 1,
  })
  expect(await prosNow()).toEqual(first)
  expect(await tablesWithRows('professional_id', ids)).toEqual([])
  expect(await tablesWithRows('account_id', owners)).toEqual([])
  expect((await mode.send(`/api/v1/bookings/${booking.id}`, mode.keys.test)).status).toBe(404)
  expect((await mode.send(`/api/v1/bookings/${live.booking.id}`, mode.keys.ownLive)).status).toBe(200)
  expect((await mode.book(mode.pros.instant)).booking.status).toBe('confirmed')
  // A message about what was deleted is settled like any other.
  await mode.world.settle()
})

test('a payment that has locked its booking ends first, and the deletion waits for it', async () => {
  const { sql, app } = mode.world
  const { booking } = await mode.book(mode.pros.deposit)
  let deletion: Promise<unknown> = Promise.resolve()
  await sql.begin(async (tx) => {
    const [{ pid } = { pid: 0 }] = await tx<{ pid: number }[]>`
      select pg_backend_pid() as pid from bookings where id = ${booking.id} for update`
    deletion = deleteTestData(ctxOf(app.deps), { ownerEmail: DEVELOPER })
    const isWaiting = async () =>
      (await sql`select from pg_stat_activity where ${pid} = any (pg_blocking_pids(pid))`).length > 0
    expect(await waitUntil(isWaiting, 1000)).toBe(true)
    const locked = await tx`select from payments where booking_id = ${booking.id} for update nowait`
    expect(locked).toHaveLength(1)
    expect(await tx`select from professionals where id = ${mode.pros.deposit.id} for key share nowait`).toHaveLength(1)
  })
  await deletion
  expect(await sql`select from bookings where id = ${booking.id}`).toHaveLength(0)
})

describe('the database refuses', () => {
  const refused = async (query: PromiseLike<unknown>, constraint: string) => {
    const error: unknown = await Promise.resolve(query).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    expect(error).toMatchObject({ constraint_name: constraint })
  }

  test('work of a live account with a test pro, and of a test account with a real pro', async () => {
    const { booking: inTest } = await mode.book(mode.pros.instant)
    const { booking: live } = await mode.book(mode.real, mode.keys.ownLive)
    const { sql } = mode.world
    await refused(sql`update bookings set account_id = null where id = ${inTest.id}`, 'work_in_test_mode')
    await refused(
      sql`update bookings b set account_id = t.account_id from bookings t where b.id = ${live.id} and t.id = ${inTest.id}`,
      'work_in_test_mode',
    )
  })

  test('requests and reviews of a live account with a test pro, and of a test account with a real pro', async () => {
    const { sql } = mode.world
    for (const key of [mode.keys.test, mode.keys.ownLive]) {
      const pro = key === mode.keys.test ? mode.pros.instant : mode.real
      await mode.send('/api/v1/rfqs', key, rfqOf(pro))
      await mode.review(key, pro)
    }
    const { booking: inTest } = await mode.book(mode.pros.instant)
    const { booking: live } = await mode.book(mode.real, mode.keys.ownLive)
    for (const table of ['rfqs', 'reviews'])
      for (const [pro, booking] of [
        [mode.pros.instant, live],
        [mode.real, inTest],
      ] as const) {
        const wrong = sql`
          update ${sql(table)} w set account_id = b.account_id from bookings b
          where w.professional_id = ${pro.id} and w.account_id is not null and b.id = ${booking.id}`
        await refused(wrong, 'work_in_test_mode')
      }
  })

  test('an active test pro, a live key in test mode, and a payment of a test pro to another provider', async () => {
    const { sql } = mode.world
    await refused(
      sql`update professionals set active = true where id = ${mode.pros.instant.id}`,
      'professionals_status',
    )
    await refused(sql`update api_keys set mode = 'live' where mode = 'test'`, 'api_keys_test_mode')
    await refused(sql`update api_keys set mode = 'test' where mode = 'live'`, 'api_keys_test_mode')
    await mode.book(mode.pros.deposit)
    await sql`update payments set provider = 'stripe' where professional_id = ${mode.pros.deposit.id}`
    const providers = await sql`select distinct provider from payments where professional_id = ${mode.pros.deposit.id}`
    expect([...providers]).toEqual([{ provider: 'sandbox' }])
  })
})

test('a request whose outcome was deleted with the test data takes effect anew under its idempotency key', async () => {
  const headers = { 'idempotency-key': 'once-per-test' }
  const json = mode.nextBooking(mode.pros.instant)
  const post = async () => {
    const answer = await mode.world.app.send('/api/v1/bookings', { key: mode.keys.test, json, headers })
    return ((await answer.json()) as { booking: { id: string } }).booking.id
  }
  const first = await post()
  expect(await post()).toBe(first)
  await deleteTestData(ctxOf(mode.world.app.deps), { ownerEmail: DEVELOPER })
  const second = await post()
  expect(second).not.toBe(first)
  expect((await mode.send(`/api/v1/bookings/${second}`, mode.keys.test)).status).toBe(200)
})
