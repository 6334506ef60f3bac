// Runs survive workers that are killed at random moments: each run ends once, costs one task, and its proposals exist once.
import { afterAll, beforeAll, expect, test } from 'bun:test'

import { listProposals } from '../../src/features/agents/proposals/verbs/proposals.ts'
import { startRun, waitForRun } from '../../src/features/agents/threads/verbs/runs.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import type { Sql } from '../../src/platform/postgres/database.ts'
import { runFaults } from '../support/agent-runs.ts'
import { setPlan } from '../support/agents.ts'
import { type TestApp, openTestApp } from '../support/app.ts'
import { testSql } from '../support/database.ts'
import { FakeModel } from '../support/fake-model.ts'
import { ledgerFaults } from '../support/metering.ts'
import { type QuotingPro, quotingPro } from '../support/quotes.ts'
import { type TestWorker, startWorker } from '../support/workers.ts'
import { ctxOf } from '../../src/ctx.ts'

/** Fewer than the attempts of a run. */
const KILLS = 3
const PROS = 4
const RUNS_EACH = 6
const PROPOSALS_EACH = 3

const fake = new FakeModel()
let app: TestApp
let sql: Sql
let pros: QuotingPro[]

beforeAll(async () => {
  app = await openTestApp('seeded', { clock: { now: () => new Date() } })
  sql = testSql(app.databaseUrl, 2)
  pros = await Promise.all(Array.from({ length: PROS }, (_, n) => quotingPro(app, n)))
  await Promise.all(pros.map((pro) => setPlan(app, pro.professionalId, 'verified')))
}, 60_000)
afterAll(async () => {
  await Promise.all([fake.close(), sql.end(), app.close()])
})

async function work(): Promise<TestWorker> {
  const worker = startWorker('workers/actors/run-agent-tasks.ts', { databaseUrl: app.databaseUrl, env: fake.env })
  await worker.waitForOutput('working')
  return worker
}

test(`${PROS * RUNS_EACH} runs of ${PROS} pros all end once although ${KILLS} workers are killed at random moments`, async () => {
  let modelRequests = 0
  // Slow turns, so that every kill hits runs in all stages.
  fake.respond = async ({ messages }, { turn }) => {
    modelRequests++
    await Bun.sleep(30 + Math.random() * 120)
    const goal = messages.find(({ role }) => role === 'user')?.content ?? ''
    const [serviceId, base] = goal.split(' ')
    return turn < PROPOSALS_EACH
      ? { calls: [['update_service_pricing', { serviceId, basePrice: Number(base) + turn / 100 }]] }
      : { say: 'All proposed.' }
  }
  let workers = await Promise.all([work(), work()])
  const refs = await Promise.all(
    pros.flatMap((pro) =>
      Array.from({ length: RUNS_EACH }, async (_, n) => {
        const goal = `${pro.serviceId} ${10_000 + n * 10}`
        const { runId } = await startRun(ctxOf(app.deps, pro), { kind: 'run_agent', goal })
        return { pro, ref: { professionalId: pro.professionalId, runId } }
      }),
    ),
  )
  for (let kill = 0; kill < KILLS; kill++) {
    const before = modelRequests
    const moment = before + 5 + Math.floor(Math.random() * 20)
    expect(await waitUntil(async () => modelRequests >= moment || (await allOver()), 60_000, 5)).toBe(true)
    const [victim, other] = workers
    await victim?.kill()
    workers = [...(other ? [other] : []), await work()] as typeof workers
  }
  const runs = await Promise.all(refs.map(({ ref }) => waitForRun(ctxOf(app.deps), { ref, limitMs: 90_000 })))
  const [attempts] = await sql<{ again: number }[]>`select sum(attempt - 1)::int as again from agent_runs`
  process.stdout.write(`${KILLS} kills: ${attempts?.again ?? 0} runs were resumed, ${modelRequests} model requests\n`)
  expect(runs.map(({ status }) => status)).toEqual(refs.map(() => 'succeeded'))
  for (const { pro, ref } of refs) {
    const { proposals } = await listProposals(ctxOf(app.deps, pro), { runId: ref.runId, limit: 50 })
    expect(proposals).toHaveLength(PROPOSALS_EACH)
  }
  expect(attempts?.again).toBeGreaterThan(0)
  expect(await runFaults(sql)).toEqual([])
  expect(await ledgerFaults(sql)).toEqual([])
  const [tasks] = await sql<{ settled: number; all: number }[]>`
    select count(*) filter (where status = 'settled')::int as settled, count(*)::int as all from metered_tasks`
  expect(tasks).toEqual({ settled: refs.length, all: refs.length })
  await Promise.all(workers.map((worker) => worker.kill()))
}, 180_000)

async function allOver(): Promise<boolean> {
  const rows = await sql`select from agent_runs where status in ('queued', 'running') limit 1`
  return rows.length === 0
}
