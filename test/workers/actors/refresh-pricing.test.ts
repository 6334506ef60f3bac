// Price statistics: the worker refreshes them within two seconds of a change, and detects and corrects drift.
import { expect, test } from 'bun:test'

import { openDeps } from '../../../src/deps.ts'
import { runPricingPass, refreshPrices } from '../../../src/features/catalog/pricing/verbs.ts'
import type { Sql } from '../../../src/platform/postgres/database.ts'
import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { openMetrics } from '../../../src/platform/telemetry/metrics.ts'
import { startActor } from '../../../workers/runtime/process.ts'
import { refreshPricing } from '../../../workers/actors/refresh-pricing.ts'
import { openTestApp } from '../../support/app.ts'
import { longForm } from '../../support/long-form.ts'
import { ctxOf } from '../../../src/ctx.ts'
import { opened } from '../../support/fixture.ts'

const CHANGES = longForm(4000, 10_000)
let now = new Date('2026-06-02T12:00:00.000Z')
const app = await opened(openTestApp('seeded', { clock: { now: () => now } }))
const sql = app.sql
/** A connection with the worker's timeouts. */
const deps = await opened(
  openDeps(app.deps.config, { clock: { now: () => now }, databaseLimitMs: refreshPricing.databaseLimitMs }),
)

/** How many statistics a full recomputation corrects. */
const countWrong = async () => (await sql<{ n: number }[]>`select refresh_pricing(${now.toISOString()}) as n`)[0]?.n

/** Seeded random numbers, the same in every run. */
function numbers(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Kinds of changes to a price, each applied to a random row. */
const KINDS: ((pick: (below: number) => number, pros: string[], cities: number[]) => PromiseLike<unknown>)[] = [
  (pick, pros) => sql`
    update professional_services set base_price_cents = ${1000 + pick(90_000)}
    where professional_id = ${pros[pick(pros.length)] ?? ''} and base_price_cents is not null`,
  (pick, pros) => sql`
    delete from professional_services where (professional_id, service_id) in (
      select professional_id, service_id from professional_services
      where professional_id = ${pros[pick(pros.length)] ?? ''} offset 1 limit 1)`,
  (pick, pros) => sql`
    insert into professional_services (professional_id, service_id, price_type, unit, base_price_cents)
    select ${pros[pick(pros.length)] ?? ''}, id, price_type, unit, ${1000 + pick(90_000)} from services
    order by id offset ${pick(100)} limit 1
    on conflict do nothing`,
  (pick, pros, cities) => sql`
    update professionals set city_id = ${cities[pick(cities.length)] ?? 0}
    where id = ${pros[pick(pros.length)] ?? ''}`,
  (pick, pros) =>
    sql`update professionals set active = not active, status = case when active then 'paused' else 'active' end where id = ${pros[pick(pros.length)] ?? ''}`,
  (pick, pros) => sql`
    update quotes set amount_cents = ${1000 + pick(900_000)}
    where id = (select id from quotes where professional_id = ${pros[pick(pros.length)] ?? ''} limit 1)`,
  (pick, pros) => sql`
    update quotes set status = 'accepted', accepted_at = valid_until - interval '1 minute'
    where id = (
      select id from quotes where professional_id = ${pros[pick(pros.length)] ?? ''} and status in ('sent', 'viewed')
      limit 1)`,
  (pick, pros) => sql`
    update jobs set status = 'completed', completed_at = created_at, started_at = created_at
    where id = (
      select id from jobs where professional_id = ${pros[pick(pros.length)] ?? ''}
        and status in ('scheduled', 'in_progress') limit 1)`,
  (pick, pros) => sql`
    update jobs set amount_cents = ${1000 + pick(900_000)}
    where id = (select id from jobs where professional_id = ${pros[pick(pros.length)] ?? ''} limit 1)`,
  (pick) => sql`
    update services set
      unit = case when unit is null then 'hour' end, price_type = case when unit is null then 'hourly' else 'flat' end
    where id = (select id from services order by id offset ${pick(100)} limit 1) and ${pick(20)} = 0`,
]

test(`after ${CHANGES} random changes, with refreshes among them, every statistic equals a full recomputation`, async () => {
  expect(await countWrong()).toBe(0)
  const pros = (await sql<{ id: string }[]>`select id from professionals order by id`).map(({ id }) => id)
  const cities = (await sql<{ id: number }[]>`select distinct city_id as id from professionals order by 1`).map(
    ({ id }) => id,
  )
  let done = 0
  const change = async (share: number, seed: number) => {
    const pick = numbers(seed)
    for (let n = 0; n < share; n++, done++) await KINDS[pick(KINDS.length)]?.(pick, pros, cities)
  }
  let refreshes = 0
  const refreshing = (async () => {
    while (done < CHANGES) {
      await refreshPrices(ctxOf(deps))
      refreshes++
      await Bun.sleep(50)
    }
  })()
  await Promise.all([1, 2, 3, 4].map((seed) => change(CHANGES / 4, seed)))
  await refreshing
  await refreshPrices(ctxOf(deps))
  expect(refreshes).toBeGreaterThan(3)
  expect((await sql`select 1 from pricing_changes limit 1`).length).toBe(0)
  expect(await countWrong()).toBe(0)
}, 180_000)

/** Runs `work` in its own transaction and returns a function that commits it. */
async function leaveOpen(work: (tx: Pick<Sql, 'unsafe'>) => PromiseLike<unknown>): Promise<() => Promise<void>> {
  const [done, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const committed = sql.begin(async (tx) => {
    await work(tx)
    done.resolve()
    await commit.promise
  })
  await Promise.race([done.promise, committed])
  return async () => {
    commit.resolve()
    await committed
  }
}

test.each(['the move', 'the job'])(
  'a pro who moves while one of their jobs is completed is counted in the new place, when %s commits first',
  async (first) => {
    const [job] = await sql<{ id: string; professionalId: string }[]>`
      select j.id, j.professional_id from jobs j join services s on s.id = j.service_id
      where j.status = 'scheduled' and (j.units is not null or s.unit is null) order by j.id limit 1`
    const move = await leaveOpen((tx) =>
      tx.unsafe(`update professionals set city_id = (select id from cities c where c.id <> city_id order by id limit 1)
        where id = '${job?.professionalId}'`),
    )
    const complete = await leaveOpen((tx) =>
      tx.unsafe(`update jobs set status = 'completed', started_at = created_at, completed_at = created_at
        where id = '${job?.id}'`),
    )
    const [commitFirst, commitThen] = first === 'the move' ? [move, complete] : [complete, move]
    await commitFirst()
    await refreshPrices(ctxOf(deps))
    await commitThen()
    await refreshPrices(ctxOf(deps))
    expect(await countWrong()).toBe(0)
  },
)

test('a changed price is in GET /pricing within two seconds', async () => {
  const metrics = openMetrics('test')
  const actor = await startActor(deps, refreshPricing, { metrics, crash: () => undefined })
  const [offer] = await sql<{ slug: string; professionalId: string; serviceId: string; dollars: number }[]>`
    select s.slug, ps.professional_id, ps.service_id, a.median_cents * 9 / 200 as dollars
    from professional_services ps
    join pricing_aggregates a on a.service_id = ps.service_id and a.state = ''
    join services s on s.id = ps.service_id and (s.price_type, coalesce(s.unit, '')) = (ps.price_type, coalesce(ps.unit, ''))
    join professionals p on p.id = ps.professional_id and p.active
    where ps.base_price_cents is not null order by ps.professional_id limit 1`
  const fetchPricing = async () => (await app.send(`/api/v1/pricing?service=${offer?.slug}`)).json()
  const highest = async () => ((await fetchPricing()) as { pricing: { max: number; lastUpdated: string } }).pricing
  expect(await waitUntil(async () => (await sql`select 1 from pricing_passes`).length > 0, 20_000)).toBe(true)
  const startedMs = performance.now()
  await deps.write.run(
    'changePrice',
    (on) => on`
      update professional_services set base_price_cents = ${100 * (offer?.dollars ?? 0)}
      where (professional_id, service_id) = (${offer?.professionalId ?? ''}, ${offer?.serviceId ?? ''})`,
  )
  expect(await waitUntil(async () => (await highest()).max === offer?.dollars, 2000, 10)).toBe(true)
  expect(performance.now() - startedMs).toBeLessThan(2000)
  expect((await highest()).lastUpdated).toBe('2026-06-02')
  await actor.stop()
  await metrics.close()
}, 60_000)

test('the daily recomputation corrects and counts statistics that have drifted', async () => {
  now = new Date('2026-06-03T08:29:00.000Z')
  expect(await runPricingPass(ctxOf(deps))).toBeUndefined()
  const drifted = await sql`
    update pricing_aggregates set median_cents = max_cents, min_cents = median_cents
    where (service_id, state, city_id) in (
      select service_id, state, city_id from pricing_aggregates where min_cents < median_cents limit 7)`
  expect(drifted.count).toBe(7)
  // A recorded change that is not in the statistics yet is not drift.
  await sql`
    update professional_services set base_price_cents = 77700
    where (professional_id, service_id) in (
      select professional_id, service_id from professional_services where base_price_cents is not null limit 1)`
  now = new Date('2026-06-03T08:30:00.000Z')
  const passes = await Promise.all(
    [runPricingPass(ctxOf(deps)), runPricingPass(ctxOf(deps))].map((pass) => pass.catch(String)),
  )
  expect(passes.filter((pass) => typeof pass === 'object')).toEqual([{ day: '2026-06-03', drift: expect.any(Number) }])
  expect(await runPricingPass(ctxOf(deps))).toBeUndefined()
  expect(await countWrong()).toBe(0)
  const [recorded] = await sql<{ drift: number }[]>`select drift from pricing_passes where day = '2026-06-03'`
  expect(recorded?.drift).toBeGreaterThan(0)
  expect(recorded?.drift).toBeLessThanOrEqual(7)
})
