// Agent history is kept as long as configured and then deleted as a whole; open work stays.
import { afterAll, beforeAll, expect, test } from 'bun:test'

import { executeRun } from '../../../../src/mcp/runs/execute.ts'
import type { Deps } from '../../../../src/deps.ts'
import { prepareAssessment } from '../../../../src/features/agents/drafts/verbs/assessments.ts'
import { prepareDayBrief } from '../../../../src/features/agents/drafts/verbs/day-briefs.ts'
import { prepareJobSpec } from '../../../../src/features/agents/drafts/verbs/job-specs.ts'
import { prepareQuoteDraft } from '../../../../src/features/agents/drafts/verbs/quote-drafts.ts'
import { archiveLead, createRfq } from '../../../../src/features/quoting/rfqs/verbs/rfqs.ts'
import { deleteOldRows } from '../../../../src/features/upkeep/retention/verbs.ts'
import { startRun } from '../../../../src/features/agents/threads/verbs/runs.ts'
import { createThread } from '../../../../src/features/agents/threads/verbs/threads.ts'
import type { Sql } from '../../../../src/platform/postgres/database.ts'
import { waitUntil } from '../../../../src/platform/clock/deadlines.ts'
import { openMetrics } from '../../../../src/platform/telemetry/metrics.ts'
import { startActor } from '../../../../workers/runtime/process.ts'
import { sweepExpired } from '../../../../workers/actors/sweep-expired.ts'
import { call, scriptedModel, runOptions } from '../../../support/agent-runs.ts'
import { type TestApp, openTestApp } from '../../../support/app.ts'
import { ledgerFaults } from '../../../support/metering.ts'
import { depsAfter, newRfqInput } from '../../../support/quotes.ts'
import { type ToolFixture, createToolFixture } from '../../../support/tool-fixture.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const DAY_MS = 86_400_000

let app: TestApp
let sql: Sql
let world: ToolFixture

beforeAll(async () => {
  app = await openTestApp('seeded', { env: { AGENT_HISTORY_DAYS: '30' } })
  sql = app.sql
  world = await createToolFixture(app)
}, 60_000)
afterAll(async () => {
  expect(await ledgerFaults(sql)).toEqual([])
  await app.close()
})

const deleteOld = async (deps: Deps, table: string, limit?: number) =>
  (await deleteOldRows(ctxOf(deps), { table, limit })).deleted
const after = (days: number): Deps => depsAfter(app.deps, days * DAY_MS)
const lookingModel = () =>
  scriptedModel((_, turn) => (turn === 0 ? { calls: [call('look')] } : { text: 'All is well.' }))

/** An ended run with a step. */
async function endedRun(deps: Deps, threadId?: string): Promise<string> {
  const { runId } = await startRun(ctxOf(deps, world.pro), { kind: 'run_agent', goal: 'Look around', threadId })
  await executeRun(ctxOf(deps), { professionalId: world.pro.professionalId, runId }, runOptions(lookingModel()))
  return runId
}

const newThread = async (deps: Deps) => (await createThread(ctxOf(deps, world.pro), { title: 'Leads' })).id

/** The names of the ids that a table still contains. */
async function left(table: string, ids: Record<string, string>, column = 'id'): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select distinct ${sql(column)} as id from ${sql(table)} where ${sql(column)} in ${sql(Object.values(ids))}`
  const existing = new Set(rows.map(({ id }) => id))
  return Object.keys(ids).filter((name) => existing.has(ids[name] ?? ''))
}

test('threads and runs are deleted after the configured time without activity, and not before', async () => {
  const threads = { quiet: await newThread(app.deps), live: await newThread(app.deps), busy: await newThread(app.deps) }
  const runs = {
    quiet: await endedRun(app.deps, threads.quiet),
    live: await endedRun(app.deps, threads.live),
    alone: await endedRun(app.deps),
    later: await endedRun(after(20), threads.live),
    open: (await startRun(ctxOf(app.deps, world.pro), { kind: 'run_agent', goal: 'Wait', threadId: threads.busy }))
      .runId,
    openAlone: (await startRun(ctxOf(app.deps, world.pro), { kind: 'run_agent', goal: 'Wait' })).runId,
  }
  expect([await deleteOld(after(30), 'threads'), await deleteOld(after(30), 'agent_runs')]).toEqual([0, 0])
  expect([await deleteOld(after(31), 'threads'), await deleteOld(after(31), 'agent_runs')]).toEqual([1, 1])
  expect(await left('threads', threads)).toEqual(['live', 'busy'])
  expect(await left('thread_messages', threads, 'thread_id')).toEqual(['live', 'busy'])
  expect(await left('agent_runs', runs)).toEqual(['live', 'later', 'open', 'openAlone'])
  expect(await left('agent_steps', runs, 'run_id')).toEqual(['live', 'later'])
  // The ledger keeps the tasks that paid for them.
  expect(await left('metered_tasks', runs)).toEqual(Object.keys(runs))
})

test('old threads and runs are deleted in batches, oldest first', async () => {
  const ids = { first: await endedRun(app.deps), second: await endedRun(after(1)), third: await endedRun(after(2)) }
  const batches: [number, string[]][] = []
  for (let round = 0; round < 3; round++)
    batches.push([await deleteOld(after(40), 'agent_runs', 2), await left('agent_runs', ids)])
  expect(batches).toEqual([
    [2, ['third']],
    [1, []],
    [0, []],
  ])
})

test('drafts are deleted after their subject is closed, and not before', async () => {
  const { pro, jobId } = world
  const { rfq: open } = await createRfq(ctxOf(app.deps, pro), newRfqInput(pro))
  const { rfq: closed } = await createRfq(ctxOf(app.deps, pro), newRfqInput(pro))
  const ids = {
    openLead: (await prepareAssessment(ctxOf(app.deps, pro), { leadId: open.id })).id,
    closedLead: (await prepareAssessment(ctxOf(app.deps, pro), { leadId: closed.id })).id,
    job: (await prepareAssessment(ctxOf(app.deps, pro), { jobId })).id,
  }
  await archiveLead(ctxOf(app.deps, pro), { id: closed.id })
  await prepareDayBrief(ctxOf(app.deps, pro), {})
  await prepareJobSpec(ctxOf(app.deps, pro), { jobId })
  const { rfq: quoted } = await createRfq(ctxOf(app.deps, pro), newRfqInput(pro))
  const { quote } = await prepareQuoteDraft(ctxOf(app.deps, pro), { leadId: quoted.id })
  const kinds = async () => {
    const rows = await sql<{ kind: string }[]>`
      select kind from prepared_work where professional_id = ${pro.professionalId} and kind <> 'assessment_notes'
      order by kind`
    return rows.map(({ kind }) => kind)
  }
  expect(await deleteOld(after(30), 'prepared_work')).toBe(0)
  while ((await deleteOld(after(31), 'prepared_work', 1)) > 0);
  expect(await left('prepared_work', ids)).toEqual(['openLead', 'job'])
  expect(await kinds()).toEqual(['job_spec', 'quote_draft'])
  for (const [path, json] of [
    [`jobs/${jobId}`, { action: 'cancel' }],
    [`quotes/${quote.id}/send`, {}],
  ] as const)
    expect((await app.send(`/api/v1/pro/${path}`, { method: 'POST', key: pro.key, json })).ok).toBe(true)
  while ((await deleteOld(after(31), 'prepared_work', 1)) > 0);
  expect([await left('prepared_work', ids), await kinds()]).toEqual([['openLead'], []])
})

test('the sweeper deletes old history without a command', async () => {
  const threadId = await newThread(app.deps)
  const ids = { inThread: await endedRun(app.deps, threadId), alone: await endedRun(app.deps) }
  await prepareDayBrief(ctxOf(app.deps, world.pro), {})
  const metrics = openMetrics('test')
  const deps = after(31)
  const sweeper = await startActor(deps, sweepExpired, { metrics, crash: () => undefined })
  const isDeleted = async () => {
    const briefs = await sql`select from prepared_work where kind = 'day_brief'`
    return briefs.length === 0 && (await left('agent_runs', ids)).length === 0
  }
  expect(await waitUntil(isDeleted, 20_000)).toBe(true)
  expect(await left('threads', { threadId })).toEqual([])
  await sweeper.stop()
  await metrics.close()
}, 60_000)
