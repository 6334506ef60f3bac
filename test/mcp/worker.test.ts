// The worker process with a model over HTTP: kill -9, an emptied Redis, and the order of runs.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { PRESETS } from '../../src/auth/scopes.ts'
import { createRfq } from '../../src/features/quoting/rfqs/verbs/rfqs.ts'
import { startRun, waitForRun } from '../../src/features/agents/threads/verbs/runs.ts'
import { createThread, getThread } from '../../src/features/agents/threads/verbs/threads.ts'
import type { Sql } from '../../src/platform/postgres/database.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { type LocalRedis, openRedis } from '../../src/local/redis.ts'
import { runFaults } from '../support/agent-runs.ts'
import { type TestApp, openTestApp } from '../support/app.ts'
import { testSql } from '../support/database.ts'
import { FakeModel } from '../support/fake-model.ts'
import { ledgerFaults } from '../support/metering.ts'
import { startOtlpReceiver } from '../support/otlp-receiver.ts'
import { type QuotingPro, quotingPro, newRfqInput } from '../support/quotes.ts'
import { startServer } from '../support/server.ts'
import { type TestWorker, startWorker } from '../support/workers.ts'
import { ctxOf } from '../../src/ctx.ts'

const SCRIPT = 'workers/actors/run-agent-tasks.ts'

const fake = new FakeModel()
const folder = mkdtempSync(join(tmpdir(), 'hearth-agents-'))
let redis: LocalRedis
let app: TestApp
let sql: Sql
let pros: QuotingPro[]

beforeAll(async () => {
  chmodSync(folder, 0o755)
  redis = await openRedis({ dir: folder, note: () => undefined })
  app = await openTestApp('seeded', { env: { REDIS_URL: redis.url }, clock: { now: () => new Date() } })
  sql = testSql(app.databaseUrl, 2)
  pros = await Promise.all([0, 1, 2].map((n) => quotingPro(app, n)))
  await sql`update professionals set plan = 'verified' where id in ${sql(pros.map((pro) => pro.professionalId))}`
}, 60_000)
const started: TestWorker[] = []
beforeEach(() => fake.clear())
afterEach(async () => {
  await Promise.all(started.splice(0).map((worker) => worker.kill()))
})
afterAll(async () => {
  expect(await runFaults(sql)).toEqual([])
  expect(await ledgerFaults(sql)).toEqual([])
  await Promise.all([fake.close(), sql.end(), app.close(), redis.stop()])
  rmSync(folder, { recursive: true, force: true })
})

async function work(env: Record<string, string> = {}): Promise<TestWorker> {
  const options = {
    databaseUrl: app.databaseUrl,
    redisUrl: redis.url,
    env: { ...fake.env, FEATURE_PRO_MCP: '1', ...env },
  }
  const worker = startWorker(SCRIPT, options)
  started.push(worker)
  await worker.waitForOutput('working')
  return worker
}

const ask = async (pro: QuotingPro, goal: string, threadId?: string) => {
  const { runId } = await startRun(ctxOf(app.deps, pro), { kind: 'run_agent', goal, threadId })
  return { professionalId: pro.professionalId, runId }
}
const firstPro = (): QuotingPro => {
  const [pro] = pros
  if (!pro) throw new Error('There is no pro.')
  return pro
}
const tasksOf = async (runIds: string[]) => {
  const rows = await sql<{ status: string }[]>`select status from metered_tasks where id in ${sql(runIds)}`
  return rows.map(({ status }) => status)
}
/** Delays the model's answer of one turn until `open` is called. */
function holdTurn(turn: number) {
  const reached = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  return {
    reached: reached.promise,
    open: opened.resolve,
    wait: async (at: number) => {
      if (at !== turn) return
      reached.resolve()
      await opened.promise
    },
  }
}

test('a worker executes a run with the pro’s own data, and the waiting call returns its answer', async () => {
  await createRfq(ctxOf(app.deps, firstPro()), newRfqInput(firstPro()))
  await work()
  fake.respond = (_, { turn }) =>
    turn === 0 ? { calls: [['list_leads', { limit: 3 }]] } : { say: 'These are your leads.' }
  const run = await waitForRun(ctxOf(app.deps), { ref: await ask(firstPro(), 'Who waits?'), limitMs: 20_000 })
  expect(run).toMatchObject({
    status: 'succeeded',
    answer: 'These are your leads.',
    model: 'fake-1',
    steps: [{ tool: 'list_leads', status: 'done' }],
    usage: { inputTokens: 200, outputTokens: 40 },
  })
  const [line = ''] = fake.requests[1]?.messages.at(-1)?.content?.split('\n') ?? []
  const { leads } = JSON.parse(line) as { leads: { id: string }[] }
  const own = await sql<{ id: string }[]>`select id from rfqs where professional_id = ${firstPro().professionalId}`
  expect(leads.length).toBeGreaterThan(0)
  for (const { id } of leads) expect(own.map((row) => row.id)).toContain(id)
}, 60_000)

test('after kill -9 another worker continues the run where it stopped, for one task', async () => {
  const { id: threadId } = await createThread(ctxOf(app.deps, firstPro()), { title: 'Killed' })
  const held = holdTurn(1)
  fake.respond = async (_, { turn }) => {
    await held.wait(turn)
    return turn < 2 ? { calls: [['list_leads', { limit: 1 }]] } : { say: 'Done.' }
  }
  const killedWorker = await work()
  const ref = await ask(firstPro(), 'Look twice', threadId)
  await held.reached
  await killedWorker.kill()
  held.open()
  await work()
  expect(await waitForRun(ctxOf(app.deps), { ref, limitMs: 40_000 })).toMatchObject({
    status: 'succeeded',
    steps: [
      { number: 1, status: 'done' },
      { number: 2, status: 'done' },
    ],
  })
  const { messages } = await getThread(ctxOf(app.deps, firstPro()), { threadId })
  expect(messages.map(({ role }) => role)).toEqual(['person', 'tool', 'tool', 'agent'])
  expect(await tasksOf([ref.runId])).toEqual(['settled'])
}, 90_000)

test('a worker that is stopped releases its run, and another continues it', async () => {
  const held = holdTurn(1)
  fake.respond = async (_, { turn }) => {
    await held.wait(turn)
    return turn === 0 ? { calls: [['list_leads', { limit: 1 }]] } : { say: 'Done.' }
  }
  const first = await work()
  const ref = await ask(firstPro(), 'Look')
  await held.reached
  expect(await first.stop()).toBe(0)
  held.open()
  await work()
  expect(await waitForRun(ctxOf(app.deps), { ref, limitMs: 40_000 })).toMatchObject({
    status: 'succeeded',
    steps: [{ number: 1 }],
  })
}, 90_000)

test('all runs end although Redis is emptied while one runs and others wait', async () => {
  const held = holdTurn(0)
  fake.respond = async (_, { turn }) => {
    await held.wait(turn)
    return { say: 'Done.' }
  }
  await work()
  const refs = []
  for (let n = 0; n < 3; n++) refs.push(await ask(firstPro(), `Goal ${n}`))
  await held.reached
  await redis.restart()
  held.open()
  for (const ref of refs)
    expect(await waitForRun(ctxOf(app.deps), { ref, limitMs: 40_000 })).toMatchObject({ status: 'succeeded' })
  expect(await tasksOf(refs.map(({ runId }) => runId))).toEqual(['settled', 'settled', 'settled'])
}, 120_000)

test('two workers execute the runs of one pro one after another, and those of several pros in parallel', async () => {
  const running = new Map<string, number>()
  const started = new Map<string, number>()
  let maxRunning = 0
  let ranInParallel = true
  fake.respond = async (request) => {
    const proName = request.messages.at(-1)?.content?.split(' ')[0] ?? ''
    running.set(proName, (running.get(proName) ?? 0) + 1)
    maxRunning = Math.max(maxRunning, ...running.values())
    // The n-th runs of all pros wait for each other, so they are running together.
    const turn = (started.get(proName) ?? 0) + 1
    started.set(proName, turn)
    const haveAllStarted = await waitUntil(() => pros.every((_, n) => (started.get(`pro-${n}`) ?? 0) >= turn), 10_000)
    ranInParallel &&= haveAllStarted
    running.set(proName, (running.get(proName) ?? 1) - 1)
    return { say: 'Done.' }
  }
  const refs = await Promise.all(
    pros.flatMap((pro, n) => Array.from({ length: 6 }, () => ask(pro, `pro-${n} wants this`))),
  )
  await Promise.all([work(), work()])
  const runs = await Promise.all(refs.map((ref) => waitForRun(ctxOf(app.deps), { ref, limitMs: 60_000 })))
  expect(runs.map(({ status }) => status)).toEqual(refs.map(() => 'succeeded'))
  expect(maxRunning).toBe(1)
  expect(ranInParallel).toBe(true)
  expect(fake.requests).toHaveLength(refs.length)
}, 120_000)

test('one trace contains the request, the tool, the worker, each turn and each step of a run', async () => {
  fake.respond = (_, { turn }) => (turn === 0 ? { calls: [['list_leads', { limit: 1 }]] } : { say: 'Done.' })
  const receiver = startOtlpReceiver()
  const tracing = { ...receiver.env, OTEL_TRACES_SAMPLER_ARG: '1' }
  const env = { ...tracing, FEATURE_PRO_MCP: '1' }
  const server = await startServer({ databaseUrl: app.databaseUrl, redisUrl: redis.url, env })
  try {
    const worker = await work(tracing)
    const key = await app.key(PRESETS['agent-tools'], firstPro().email)
    const response = await fetch(`${server.url}/api/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'run_agent', arguments: { goal: 'Look', waitSeconds: 7 } },
      }),
    })
    expect(await response.json()).toMatchObject({ result: { structuredContent: { run: { status: 'succeeded' } } } })
    const traceId = response.headers.get('x-request-id') ?? ''
    await worker.stop()
    const names = () =>
      receiver
        .spans()
        .filter((span) => span.traceId === traceId)
        .map(({ name }) => name)
    expect(await waitUntil(() => names().includes('POST /api/mcp'), 10_000)).toBe(true)
    const expected = ['POST /api/mcp', 'tool run_agent', 'run-agent-tasks message', 'agent step', 'finishAgentRun']
    for (const name of expected) expect(names()).toContain(name)
    expect(names().filter((name) => name === 'agent turn')).toHaveLength(2)
    for (const { body } of receiver.requests) expect(body).not.toContain('Look')
  } finally {
    await server.stop()
    await receiver.stop()
  }
}, 90_000)
