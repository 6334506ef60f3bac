// Actors lose no message when a process or Redis dies, never overlap messages of one key, and keep failed messages.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { readConfig } from '../../../src/config.ts'
import { type Deps, openDeps } from '../../../src/deps.ts'
import {
  listDeadLetters,
  resendUnacknowledged,
  retryDeadLetter,
} from '../../../src/features/upkeep/dead-letters/verbs.ts'
import type { Sql } from '../../../src/platform/postgres/database.ts'
import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { type LocalRedis, openRedis } from '../../../src/local/redis.ts'
import { openMetrics } from '../../../src/platform/telemetry/metrics.ts'
import { defineActor } from '../../../workers/runtime/actor.ts'
import { startActor } from '../../../workers/runtime/process.ts'
import { cloneDatabase, testSql } from '../../support/database.ts'
import type { RecordingMessage } from '../../support/recording-actor.ts'
import { type TestWorker, startWorker } from '../../support/workers.ts'
import { ctxOf } from '../../../src/ctx.ts'

const SCRIPT = join(import.meta.dir, '../../support/recording-actor.ts')
const ACTOR = 'recording-actor'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let redis: LocalRedis
let sql: Sql
let deps: Deps
let now = new Date()
const folder = mkdtempSync(join(tmpdir(), 'hearth-workers-'))

beforeAll(async () => {
  chmodSync(folder, 0o755)
  database = await cloneDatabase('migrated')
  redis = await openRedis({ dir: folder, note: () => undefined })
  sql = testSql(database.url)
  await sql`
    create table handled (
      n bigint generated always as identity, id text, key text, pid integer, attempt integer, began timestamptz,
      ended timestamptz)`
  const config = readConfig({ DATABASE_URL: database.url, REDIS_URL: redis.url, LOG_LEVEL: 'silent' })
  deps = openDeps(config, { clock: { now: () => now } })
})
beforeEach(async () => {
  await sql`truncate handled`
})
afterEach(async () => {
  await Promise.all(started.splice(0).map((worker) => worker.kill()))
})
afterAll(async () => {
  await deps.close()
  await sql.end()
  await Promise.all([redis.stop(), database.drop()])
  rmSync(folder, { recursive: true, force: true })
})

const started: TestWorker[] = []
async function work(count = 1): Promise<TestWorker[]> {
  const workers = Array.from({ length: count }, () =>
    startWorker(SCRIPT, { databaseUrl: database.url, redisUrl: redis.url }),
  )
  started.push(...workers)
  await Promise.all(workers.map((worker) => worker.waitForOutput('working')))
  return workers
}

const send = (orders: Record<string, RecordingMessage>) =>
  deps.queues.send(
    ACTOR,
    Object.entries(orders).map(([id, data]) => ({ id, data })),
  )

interface Handled {
  id: string
  key: string | null
  pid: number
  attempt: number
  began: string
  ended: string | null
}
const handled = () => sql<Handled[]>`select id, key, pid, attempt, began, ended from handled order by n`
const allEnded = (ids: string[], limitMs = 30_000) =>
  waitUntil(async () => {
    const done = new Set((await handled()).filter(({ ended }) => ended).map(({ id }) => id))
    return ids.every((id) => done.has(id))
  }, limitMs)

test('messages of a killed process are handled by another process', async () => {
  const [first] = await work()
  const ids = Array.from({ length: 10 }, (_, n) => `kill-${n}`)
  await send(Object.fromEntries(ids.map((id) => [id, { ms: 3000 }])))
  expect(await waitUntil(async () => (await handled()).length === 10, 20_000)).toBe(true)
  await first?.kill()
  const [second] = await work()
  expect(await allEnded(ids, 40_000)).toBe(true)
  const handledMessages = (await handled()).filter(({ ended }) => ended)
  expect(handledMessages.map(({ pid, attempt }) => ({ pid, attempt }))).toEqual(
    ids.map(() => ({ pid: second?.pid ?? 0, attempt: 2 })),
  )
}, 90_000)

test('messages of one key never overlap across processes, and other keys do not wait for them', async () => {
  await work(2)
  const orders = Array.from({ length: 60 }, (_, n): [string, RecordingMessage] => [
    `turn-${n}`,
    { ms: 20, key: `key-${n % 6}` },
  ])
  await send(Object.fromEntries(orders))
  expect(await allEnded(orders.map(([id]) => id))).toBe(true)
  const [overlaps] = await sql<{ same: number; other: number; processes: number; times: number }[]>`
    select count(*) filter (where a.key = b.key)::int as same, count(*) filter (where a.key <> b.key)::int as other,
      (select count(distinct pid)::int from handled) as processes, (select count(*)::int from handled) as times
    from handled a join handled b on a.n < b.n and (a.began, a.ended) overlaps (b.began, b.ended)`
  expect(overlaps).toMatchObject({ same: 0, times: 60 })
  expect(overlaps?.other).toBeGreaterThan(0)
}, 60_000)

test('a message that fails is retried, then kept as a dead letter until a later retry succeeds', async () => {
  await work()
  await send({ poison: { ms: 0, and: 'fail' }, good: { ms: 0 } })
  const letters = () => listDeadLetters(ctxOf(deps), { actor: ACTOR, limit: 10 })
  expect(await waitUntil(async () => (await letters()).length === 1, 20_000)).toBe(true)
  expect((await letters())[0]).toMatchObject({ messageId: 'poison', attempts: 3, error: 'Error: requested failure' })
  expect((await handled()).filter(({ id }) => id === 'poison').map(({ attempt }) => attempt)).toEqual([1, 2, 3])
  // The dead letter is written before BullMQ removes the message.
  const isEmpty = async () => {
    const { waiting, delayed, active } = await deps.queues.depth(ACTOR)
    return waiting + delayed + active === 0
  }
  expect(await waitUntil(isEmpty, 10_000)).toBe(true)

  const id = (await letters())[0]?.id ?? ''
  await retryDeadLetter(ctxOf(deps), { id })
  expect(await waitUntil(async () => (await letters())[0]?.attempts === 6, 20_000)).toBe(true)

  // The cause is fixed, but Redis loses the next retry: the message is sent again a minute later.
  await sql`update dead_letters set data = '{"ms": 0}'`
  await Promise.all(started.splice(0).map((worker) => worker.stop()))
  await retryDeadLetter(ctxOf(deps), { id })
  await redis.restart()
  expect(await letters()).toHaveLength(1)
  await work()
  now = new Date(now.getTime() + 61_000)
  expect(await waitUntil(async () => (await resendUnacknowledged(ctxOf(deps)).catch(() => 0)) === 1, 10_000)).toBe(true)
  expect(await waitUntil(async () => (await letters()).length === 0, 20_000)).toBe(true)
}, 90_000)

test('a message that kills its process each time becomes a dead letter, and others are handled', async () => {
  await send({ deadly: { ms: 0, and: 'die' } })
  const isLetter = async () =>
    (await listDeadLetters(ctxOf(deps), { actor: ACTOR, limit: 10 })).some(({ messageId }) => messageId === 'deadly')
  for (let n = 0; n < 3; n++) {
    const [worker] = await work()
    await worker?.exited
  }
  await work()
  expect(await waitUntil(isLetter, 30_000)).toBe(true)
  await send({ alive: { ms: 0 } })
  expect(await allEnded(['alive'])).toBe(true)
}, 120_000)

test('a worker survives an emptied and restarted Redis, and stops in time without Redis', async () => {
  const [worker] = await work()
  await send({ before: { ms: 0 } })
  expect(await allEnded(['before'])).toBe(true)
  await redis.restart()
  expect(
    await waitUntil(
      () =>
        send({ after: { ms: 0 } }).then(
          () => true,
          () => false,
        ),
      10_000,
    ),
  ).toBe(true)
  expect(await allEnded(['after'])).toBe(true)
  await send({ slow: { ms: 1500 } })
  expect(await waitUntil(async () => (await handled()).some(({ id }) => id === 'slow'), 10_000)).toBe(true)
  await redis.stop()
  const startedMs = performance.now()
  expect(await worker?.stop()).toBe(0)
  expect(performance.now() - startedMs).toBeLessThan(10_000)
  // The current message was finished.
  expect(await allEnded(['slow'], 100)).toBe(true)
  redis = await openRedis({ dir: folder, note: () => undefined })
}, 60_000)

test('an actor whose close throws still finishes its current message and leaves its queue', async () => {
  const name = 'failing-close'
  const begun = Promise.withResolvers<void>()
  let wasFinished = false
  const actor = defineActor({
    name,
    handle: async (_message, { signal }) => {
      begun.resolve()
      await Bun.sleep(300)
      wasFinished = !signal.aborted
    },
    close: () => {
      throw new Error('close fails')
    },
  })
  const metrics = openMetrics('test')
  const running = await startActor(deps, actor, { metrics, crash: () => undefined })
  await deps.queues.send(name, [{ id: 'current', data: {} }])
  await begun.promise
  await running.stop()
  expect(wasFinished).toBe(true)
  expect(await deps.queues.depth(name)).toMatchObject({ waiting: 0, delayed: 0, active: 0 })
  await metrics.close()
}, 30_000)
