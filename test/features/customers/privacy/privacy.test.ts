// A customer's copy holds everything that is stored about them, and nothing of it is left after an erasure.
import { describe, expect, test } from 'bun:test'

import { openDeps } from '../../../../src/deps.ts'
import { refreshPrices } from '../../../../src/features/catalog/pricing/verbs.ts'
import { eraseCustomer } from '../../../../src/features/customers/privacy/verbs/erase-customer.ts'
import type { ErasureResult } from '../../../../src/features/customers/privacy/schemas.ts'
import { EVENT_KINDS } from '../../../../src/webhooks/endpoints/events.ts'
import { startRunRow } from '../../../../src/features/agents/threads/queries/runs.ts'
import { startRun } from '../../../../src/features/agents/threads/verbs/runs.ts'
import { executeRun } from '../../../../src/mcp/runs/execute.ts'
import { runOptions, scriptedModel } from '../../../support/agent-runs.ts'
import { waitUntil } from '../../../../src/platform/clock/deadlines.ts'
import { lifeCustomer, lifeKeys, liveThrough, openForBooking } from '../../../support/customer-life.ts'
import { readCopy } from '../../../support/customer-copy.ts'
import { reviewsOf } from '../../../support/reviews.ts'
import { opened } from '../../../support/fixture.ts'
import { openProAgentFixture } from '../../../support/pro-agent-fixture.ts'
import { PRESETS } from '../../../../src/auth/scopes.ts'
import { openWebhookFixture } from '../../../support/webhooks.ts'
import { ctxOf } from '../../../../src/ctx.ts'
import { ctxOn } from '../../../support/ctx-on.ts'

const LONG_MS = 120_000

const fixture = await opened(openWebhookFixture({ WEBHOOK_ALLOW_PRIVATE: '1' }))
const [erased, other] = [lifeCustomer(1), lifeCustomer(2)]
const { app, receiver } = fixture
/** Those of the command, which may take longer than a request. */
const deps = await opened(openDeps(app.deps.config, { clock: fixture.clock, databaseLimitMs: LONG_MS }))
const pro = await openProAgentFixture(app)
await openForBooking(fixture, pro)
const keys = await lifeKeys(fixture)
// A receiver that quotes what it gets, and one that fails, so that deliveries stay pending.
receiver.answer = ({ body, path }) => new Response(body, { status: path.endsWith('/1') ? 200 : 500 })
const webhookKey = await app.key(PRESETS['webhook-receiver'], pro.email)
const webhook = await fixture.create({ events: [...EVENT_KINDS] }, webhookKey)
await fixture.create({ events: [...EVENT_KINDS] }, await app.key(PRESETS['webhook-receiver']))
const life = await liveThrough(fixture, pro, keys, erased, 2)
await liveThrough(fixture, pro, keys, other, 2)
await fixture.planAll()
const untried = () => app.sql`
    select from webhook_endpoints e where not exists (
      select from webhook_attempts a join webhook_deliveries d on d.id = a.delivery_id where d.endpoint_id = e.id)`
const waiting = () => app.sql`
    select from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
    where d.state = 'pending' and e.url like '%/1'`
await waitUntil(async () => {
  fixture.clock.advance(1000)
  return (await untried()).length + (await waiting()).length === 0
}, LONG_MS / 2)

/** All rows of all tables as text, by table. */
async function dump(): Promise<Map<string, string[]>> {
  const tables = await fixture.app.sql<{ name: string }[]>`
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')`
  const rows = await Promise.all(
    tables.map(({ name }) => fixture.app.sql<{ row: string }[]>`select t::text as row from ${fixture.app.sql(name)} t`),
  )
  return new Map(tables.map(({ name }, n) => [name, (rows[n] ?? []).map(({ row }) => row)]))
}

const naming = (markers: readonly string[], texts: readonly string[]) =>
  texts.filter((text) => markers.some((marker) => text.toLowerCase().includes(marker))).toSorted()

/** The rows that name a customer, by table. */
const rowsNaming = async ({ markers }: typeof erased) =>
  Object.fromEntries(
    Array.from(await dump(), ([table, rows]): [string, string[]] => [table, naming(markers, rows)]).filter(
      ([, rows]) => rows.length > 0,
    ),
  )

/** Amounts, ratings and prices. */
async function statistics(): Promise<unknown> {
  const { app } = fixture
  await refreshPrices(ctxOf(deps))
  const [money] = await app.sql`
    select (select count(*) from bookings) as bookings, (select count(distinct customer_email) from bookings) as customers,
      (select sum(amount_cents) from jobs) as jobs, (select sum(amount_cents) from quotes) as quotes,
      (select json_agg(s order by s.professional_id) from review_stats s) as ratings,
      (select json_agg(json_build_array(p.id, p.review_count, p.rating_sum) order by p.id) from professionals p) as pros,
      (select json_agg(a order by a.service_id, a.state, a.city_id) from pricing_aggregates a) as prices,
      (select json_agg(p.doc order by p.professional_id) from pro_search p) as results,
      (select json_agg(json_build_array(b.id, b.starts_at, b.holds, b.status) order by b.id) from bookings b) as calendar`
  return money
}

const redisTexts = async (): Promise<string[]> => {
  const { redis } = fixture.app.deps
  const names = await redis.keys('*')
  const values = await Promise.all(names.map((name) => redis.dumpBuffer(name)))
  return [...names, ...values.map((value) => value?.toString('latin1') ?? '')]
}

const erase = ({ email }: { email: string }): Promise<ErasureResult> =>
  eraseCustomer(ctxOf(deps), { email, requestedBy: 'ticket 7' })

/** Tables in which the life of a customer leaves personal data. A test of an empty place proves nothing. */
const FILLED = `
  agent_runs agent_steps availability_blocks booking_proposed_times bookings customer_blocks idempotency_records
  messages operator_actions outbox_events prepared_work proposals quotes reviews rfqs thread_messages threads webhook_attempts webhook_events`
  .trim()
  .split(/\s+/)

/** The pro's and the agent's words about no record in particular. */
const ELSEWHERE = ['agent_runs', 'agent_steps', 'availability_blocks', 'thread_messages', 'threads']
/** The reasons of the pro's blocked times are in the pro's events. */
const EVENTS = ['outbox_events', 'webhook_attempts', 'webhook_events']

test('the copy holds every detail of a customer, and nothing of another', async () => {
  const { copy } = await readCopy(deps, erased.email)
  const text = JSON.stringify(copy).toLowerCase()
  const missing = [...erased.markers, ...WRITTEN.map((place) => erased.text(place))].filter(
    (marker) => !text.includes(JSON.stringify(marker).slice(1, -1).toLowerCase()) && !marker.includes('555-'),
  )
  expect(missing).toEqual([])
  expect(naming(other.markers, [text])).toEqual([])
  expect(copy.bookings).toHaveLength(4)
  expect(copy.quoteRequests).toHaveLength(4)
  expect(copy.messages).toContainEqual(expect.objectContaining({ kind: 'booking-time-proposed' }))
  expect(JSON.stringify(copy.events)).toContain('"to":"127.0.0.1')
  const { copy: unknown } = await readCopy(deps, 'unknown@customers.test.example')
  expect([unknown.bookings, unknown.events, unknown.messages]).toEqual([[], [], []])
})

/** What the customer wrote. */
const WRITTEN = [
  'a booking',
  'a page',
  'an accepted request',
  'a declined request',
  'an open request',
  'a page’s request',
  'a budget',
  'a timeline',
  'an answer',
  'a refusal',
  'a title',
  'a review',
]

describe('an erasure', () => {
  test('changes nothing while a visit is to come, and names it', async () => {
    const coming = lifeCustomer(3)
    const start = new Date(Math.ceil(fixture.clock.now().getTime() / 3_600_000) * 3_600_000 + 48 * 3_600_000)
    const json = {
      professionalId: pro.professionalId,
      serviceId: pro.serviceId,
      startDateTime: start.toISOString(),
      guestName: coming.name,
      guestEmail: coming.email,
      guestPhone: coming.phone,
      address: coming.address,
    }
    const response = await fixture.app.send('/api/v1/bookings/create', { key: keys.server, json })
    const { booking } = (await response.json()) as { booking: { id: string; confirmationCode: string } }
    const before = await rowsNaming(coming)
    expect(await erase(coming)).toEqual({
      outcome: 'open_work',
      open: { bookings: [booking.confirmationCode], jobs: [], refunds: [], runs: [] },
    })
    expect(await rowsNaming(coming)).toEqual(before)
    const cancelled = await fixture.app.send(`/api/v1/bookings/${booking.id}/cancel`, { key: keys.server, json: {} })
    expect(cancelled.status).toBe(200)
    expect(await erase(coming)).toMatchObject({ outcome: 'erased' })
    expect(Object.keys(await rowsNaming(coming))).toEqual([])
  })

  test('changes nothing while an agent works with a record of the customer', async () => {
    const { sql } = fixture.app
    const { runId } = await startRun(ctxOf(fixture.app.deps, pro), { kind: 'run_agent', goal: 'Write to the customer' })
    // As a worker stores a step before it looks the booking up.
    const input = JSON.stringify({ bookingId: life.bookings.api })
    await sql`
      insert into agent_steps (professional_id, run_id, number, turn, call_id, tool, input, status, planned_at)
      values (${pro.professionalId}, ${runId}, 1, 1, 'call-1', 'list_bookings', ${input}, 'planned', now())`
    expect(await erase(erased)).toMatchObject({ outcome: 'open_work', open: { bookings: [], runs: [runId] } })
    const now = fixture.clock.now()
    await startRunRow(ctxOn(fixture.app.deps.write), { ...pro, runId, model: 'a model', heldUntil: now, now })
    expect(await erase(erased)).toMatchObject({ outcome: 'open_work', open: { bookings: [], runs: [runId] } })
    await sql`delete from agent_steps where run_id = ${runId}`
    const model = scriptedModel(() => ({ text: 'Done.' }))
    await executeRun(ctxOf(fixture.app.deps), { professionalId: pro.professionalId, runId }, runOptions(model))
  })

  test('leaves what others wrote elsewhere, nothing else of the customer, and does not touch another', async () => {
    const rowsOfOther = naming(other.markers, [...(await dump()).values()].flat())
    const before = await statistics()
    expect(Object.keys(await rowsNaming(erased)).sort()).toEqual(FILLED.sort())
    const result = await erase(erased)
    expect(result).toMatchObject({
      outcome: 'erased',
      counts: { bookings: 4, rfqs: 4, reviews: 2, customer_blocks: 1 },
    })
    const left = await rowsNaming(erased)
    expect(Object.keys(left).sort()).toEqual([...ELSEWHERE, ...EVENTS, 'idempotency_records'].sort())
    for (const table of EVENTS)
      expect(
        left[table]?.filter((row) => !row.includes('Estimate for ')),
        table,
      ).toEqual([])
    expect(naming(erased.markers, await redisTexts())).toEqual([])
    expect(rowsOfOther.length).toBeGreaterThan(100)
    const changed = new Set(rowsOfOther).difference(new Set([...(await dump()).values()].flat()))
    expect(Array.from(changed, (row) => row.slice(0, 200))).toEqual([])
    expect(await statistics()).toEqual(before)
  })

  test('declines open quotes and archives requests, and its own events name no one', async () => {
    const { sql } = fixture.app
    const [quote] = await sql`select status from quotes where id = ${life.openQuote}`
    const [request] = await sql`select status from rfqs where id = ${life.openRequest}`
    expect([quote, request]).toEqual([{ status: 'declined' }, { status: 'archived' }])
    const [event] = await sql`
      select data #>> '{object,customer,name}' as name from outbox_events
      where aggregate_id = ${life.openQuote} order by sequence desc limit 1`
    expect(event).toEqual({ name: 'Erased customer' })
  })

  test('replayed events keep their ids and order, and hold the pseudonym', async () => {
    const { receiver, app, clock } = fixture
    const bodies = () => receiver.received.filter(({ path }) => path === '/1').map(({ body }) => body)
    const idsOf = (of: readonly string[]) => [...new Set(of.map((body) => (JSON.parse(body) as { id: string }).id))]
    const before = bodies()
    const range = { from: '2026-01-01T00:00:00Z', to: clock.now().toISOString(), state: 'all' }
    await app.send(`/api/v1/webhooks/${webhook.id}/replay`, { key: webhookKey, json: range })
    const after = () => bodies().slice(before.length)
    await waitUntil(async () => {
      // A busy machine loses an attempt now and then; its retry is due later.
      clock.advance(1000)
      return idsOf(after()).length === idsOf(before).length
    }, LONG_MS / 2)
    expect(idsOf(after()).toSorted()).toEqual(idsOf(before).toSorted())
    expect(after().some((body) => body.includes('@erased.invalid'))).toBe(true)
    const about = after().filter((body) => !body.includes('availability.updated'))
    expect(naming(erased.markers, about).map((body) => body.slice(0, 200))).toEqual([])
  })

  test('the pro sees the records under one pseudonym, and pages and lists still work', async () => {
    const { app } = fixture
    const read = async (path: string) => await (await app.send(path, { key: pro.key })).text()
    const list = JSON.parse(await read('/api/v1/pro/bookings?limit=50')) as { bookings: { customer: object }[] }
    const customers = list.bookings
      .map(({ customer }) => JSON.stringify(customer))
      .filter((text) => text.includes('invalid'))
    expect(new Set(customers).size).toBe(2)
    for (const path of ['leads', 'quotes', 'jobs', 'reviews', 'blocked-customers', 'proposals', 'analytics?period=90d'])
      expect(naming(erased.markers, [await read(`/api/v1/pro/${path}`)])).toEqual([])
    const { reviews } = await reviewsOf(app, pro.professionalId)
    expect(reviews).toContainEqual(
      expect.objectContaining({ author: 'Customer', title: null, content: 'The customer had this text removed.' }),
    )
  })

  test('a second one finds nothing and says when the customer was erased; the record holds no address', async () => {
    expect(await erase(erased)).toMatchObject({ outcome: 'unknown', erasedBefore: { pseudonym: expect.any(String) } })
    expect(await erase({ email: 'unknown@customers.test.example' })).toEqual({
      outcome: 'unknown',
      erasedBefore: undefined,
    })
    const records = await fixture.app.sql`select requested_by, counts from customer_erasures`
    expect(records).toHaveLength(2)
    expect(records[0]).toMatchObject({ requestedBy: 'ticket 7' })
  })
})
