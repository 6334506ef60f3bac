// In a restored copy no actor works, and what sends something cannot claim it.
import { expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import { readConfig } from '../../../src/config.ts'
import { openDeps } from '../../../src/deps.ts'
import { claimMessages } from '../../../src/features/messages/messages/queries/messages.ts'
import { declareOriginal, getRestoration, sendHeld } from '../../../src/features/upkeep/restoration/verbs.ts'
import { startRunRow } from '../../../src/features/agents/threads/queries/runs.ts'
import { claimRefunds } from '../../../src/payments/queries/refunds.ts'
import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { openMetrics } from '../../../src/platform/telemetry/metrics.ts'
import { claimDeliveries } from '../../../src/webhooks/delivery/queries.ts'
import { insertLease } from '../../../src/webhooks/delivery/queries.sql.ts'
import { ACTOR_NAMES } from '../../../workers/runtime/actor-names.ts'
import type { Actor } from '../../../workers/runtime/actor.ts'
import { startActor } from '../../../workers/runtime/process.ts'
import { insertAged } from '../../support/aged-rows.ts'
import { cloneDatabase, testSql } from '../../support/database.ts'
import { opened } from '../../support/fixture.ts'
import { startRedisServer } from '../../support/redis-server.ts'
import { ctxOf } from '../../../src/ctx.ts'
import { ctxOn } from '../../support/ctx-on.ts'

/** A database that its settings mark as a copy, as ops/backup/restore does for all of a server. */
async function openCopy() {
  const [database, redis] = await Promise.all([cloneDatabase('migrated'), startRedisServer()])
  const sql = testSql(database.url, 1)
  await sql`alter database ${sql(new URL(database.url).pathname.slice(1))} set hearth.restored = 'a test'`
  const deps = openDeps(readConfig({ DATABASE_URL: database.url, REDIS_URL: redis.url, LOG_LEVEL: 'silent' }))
  const close = async () => {
    await Promise.all([deps.close(), sql.end()])
    await Promise.all([redis.close(), database.drop()])
  }
  return { deps, sql, close }
}

const copy = await opened(openCopy())
const professionalId = randomUUID()
const runId = randomUUID()
const endpointId = randomUUID()

/** A due delivery, refund, run and calendar. */
async function insertPending() {
  const { sql } = copy
  const now = [new Date().toISOString()]
  const [eventId, paymentId] = [randomUUID(), randomUUID()]
  const endpoint = { url: 'http://127.0.0.1:9/', events: ['quote.sent'], ordered: false, max_retries: 1 }
  await insertAged(sql, 'webhook_endpoints', now, { id: endpointId, ...endpoint })
  await insertAged(sql, 'webhook_events', now, { id: eventId })
  await insertAged(sql, 'webhook_deliveries', now, {
    endpoint_id: endpointId,
    event_id: eventId,
    next_attempt_at: now[0],
  })
  const cents = { fee_cents: 0, deposit_cents: 500, amount_cents: 500, captured_cents: 500, captured_currency: 'USD' }
  const paid = { status: 'refunding', provider: 'sandbox', intent_id: 'intent', captured_at: now[0] }
  await insertAged(sql, 'payments', now, {
    id: paymentId,
    professional_id: professionalId,
    quote_id: randomUUID(),
    ...paid,
    ...cents,
  })
  await insertAged(sql, 'payment_refunds', now, {
    payment_id: paymentId,
    professional_id: professionalId,
    reason: 'cancelled',
    amount_cents: 1000,
    status: 'pending',
  })
  const queued = { status: 'queued', attempt: 0, model: null, answer: null, started_at: null, finished_at: null }
  await insertAged(sql, 'agent_runs', now, { professional_id: professionalId, id: runId, ...queued })
  await insertAged(sql, 'imported_calendars', now, { professional_id: professionalId })
  for (const [key, sendAt] of [
    ['due', now[0]],
    ['later', new Date(Date.now() + 3_600_000).toISOString()],
  ] as const)
    await sql`
      insert into messages (key, kind, recipient, data, send_at, next_attempt_at, created_at)
      values (${key}, 'new-review', 'pro@example.com', '{}', ${sendAt ?? ''}, ${sendAt ?? ''}, now())`
}

const CLAIM = { limit: 10, optionalKinds: [], urgentKinds: [], reservedKinds: [], hourly: 10 }

/** How much of each can be claimed. */
async function claim() {
  const { write } = copy.deps
  const now = new Date(Date.now() + 1000)
  const until = new Date(now.getTime() + 20_000)
  const workerId = randomUUID()
  await insertLease(ctxOf(copy.deps), { workerId, now })
  const slots = new Map([[endpointId, 10]])
  return {
    deliveries: (await claimDeliveries(ctxOf(copy.deps), { workerId, slots, now, leaseUntil: until })).length,
    refunds: (await claimRefunds(ctxOf(copy.deps), { now, limit: 10, providers: ['sandbox'] })).length,
    messages: (await claimMessages(ctxOf(copy.deps), { ...CLAIM, now, leaseUntil: until })).length,
    calendars: (
      await write.run('claim', (sql) => sql`select from claim_calendar(${now.toISOString()}, ${until.toISOString()})`)
    ).length,
    runs: Number(await startRunRow(ctxOn(write), { professionalId, runId, model: 'm', heldUntil: until, now })),
  }
}

/** The actor, with work that only records that it was started. */
async function recording(name: string, started: Set<string>): Promise<Actor<unknown>> {
  const exported = Object.values((await import(`../../../workers/actors/${name}.ts`)) as Record<string, unknown>)
  const actor = exported.find((value): value is Actor<unknown> => (value as Actor<unknown>).name === name)
  if (!actor) throw new Error(`${name} exports no actor.`)
  const record = (work: string) => () => Promise.resolve(void started.add(`${name} ${work}`))
  const { concurrency, retry, timeoutMs, databaseLimitMs, periodic } = actor
  return {
    name,
    concurrency,
    retry,
    timeoutMs,
    databaseLimitMs,
    periodic: periodic.map((task) => ({ ...task, run: record(task.name) })),
    ...('handle' in actor ? { handle: record('message') } : {}),
  }
}

test('no periodic work and no message of any actor is started, until the copy is declared the original', async () => {
  const { deps } = copy
  const started = new Set<string>()
  const expected: string[] = []
  const running = []
  for (const name of ACTOR_NAMES) {
    const actor = await recording(name, started)
    expected.push(...actor.periodic.map((task) => `${name} ${task.name}`), ...(actor.handle ? [`${name} message`] : []))
    if (actor.handle) await deps.queues.send(name, [{ id: 'one', data: {} }])
    const crash = (reason: string) => expect(reason).toBe('no crash')
    running.push(await startActor(deps, actor, { metrics: openMetrics('test'), crash }))
  }
  await insertPending()
  expect(await waitUntil(() => started.size > 0, 2500)).toBe(false)
  expect(await claim()).toEqual({ deliveries: 0, refunds: 0, messages: 0, calendars: 0, runs: 0 })
  expect(await sendHeld(ctxOf(deps))).toBeUndefined()
  expect(await getRestoration(ctxOf(deps))).toEqual({
    target: 'a test',
    pending: { deliveries: 1, events: 0, refunds: 1, runs: 1, messages: 1 },
    held: [],
    heldMessages: 0,
  })

  expect(await declareOriginal(ctxOf(deps))).toEqual({ deliveries: 1, messages: 1 })
  expect(await waitUntil(() => started.size === expected.length, 10_000)).toBe(true)
  expect([...started].toSorted()).toEqual(expected.toSorted())
  await Promise.all(running.map((actor) => actor.stop()))
}, 30_000)

test('the original makes pending refunds and runs; pending deliveries and messages only when they are asked for', async () => {
  const { deps } = copy
  expect(await claim()).toEqual({ deliveries: 0, refunds: 1, messages: 0, calendars: 1, runs: 1 })
  expect((await getRestoration(ctxOf(deps))).held).toMatchObject([{ endpointId, deliveries: 1 }])
  expect(await declareOriginal(ctxOf(deps))).toBeUndefined()
  expect(await sendHeld(ctxOf(deps))).toEqual({ deliveries: 1, messages: 1 })
  expect(await claim()).toMatchObject({ deliveries: 1, messages: 1 })
})
