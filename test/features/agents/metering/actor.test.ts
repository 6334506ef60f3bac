// The actor meter-agent-tasks releases stuck tasks, opens months and writes notices, with any number of processes.
import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { addCredits, reserveTask, settleTask } from '../../../../src/features/agents/metering/verbs.ts'
import { waitUntil } from '../../../../src/platform/clock/deadlines.ts'
import { ROOT } from '../../../support/imports.ts'
import { balancesOf, ledgerFaults, insertMeteredPro, openMeteringFixture } from '../../../support/metering.ts'
import { startWorker } from '../../../support/workers.ts'
import { opened } from '../../../support/fixture.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const ACTOR = join(ROOT, 'workers/actors/meter-agent-tasks.ts')
const DAY_MS = 86_400_000
const PROS = 25
let agoMs = 0

const world = await opened(openMeteringFixture({ now: () => new Date(Date.now() - agoMs) }))

const countOf = async (query: Promise<readonly { count: number }[]>) => (await query)[0]?.count

test('two processes do all due work once although a third was killed', async () => {
  const { deps, sql } = world
  const pros = await Promise.all(Array.from({ length: PROS }, () => insertMeteredPro(sql, 'verified')))
  const prosWithoutPlan = await Promise.all(Array.from({ length: PROS }, () => insertMeteredPro(sql, 'none')))
  // In the month before last, a task was reserved and never ended.
  agoMs = 62 * DAY_MS
  for (const pro of pros)
    await reserveTask(ctxOf(deps), { taskId: Bun.randomUUIDv7(), kind: 'run_agent', professionalId: pro })
  // The last task was used up just now.
  agoMs = 0
  for (const pro of prosWithoutPlan) {
    const taskId = Bun.randomUUIDv7()
    await addCredits(ctxOf(deps), { professionalId: pro, tasks: 1, reference: 'invoice' })
    await reserveTask(ctxOf(deps), { taskId, kind: 'run_agent', professionalId: pro })
    await settleTask(ctxOf(deps), { professionalId: pro, taskId })
  }
  const start = () => startWorker(ACTOR, { databaseUrl: world.env['DATABASE_URL'] ?? '' })
  const workers = [start(), start(), start()]
  await workers[0]?.kill()
  const isDone = async () =>
    (await countOf(sql`select count(*) from metered_tasks where status = 'reserved'`)) === 0 &&
    (await countOf(sql`select count(*) from credit_ledgers where month_ends_at < now() or notice_due is not null`)) ===
      0
  // The others find the killed process's work in their next run, at most 10 s later.
  expect(await waitUntil(isDone, 25_000)).toBe(true)
  expect(await countOf(sql`select count(*) from notices where kind = 'agent_tasks_exhausted'`)).toBe(PROS)
  for (const pro of pros)
    expect(Object.values(await balancesOf(sql, pro)).toSorted((a, b) => a - b)).toEqual([-200, 0, 0, 0, 0, 100, 100])
  expect(await ledgerFaults(sql)).toEqual([])
  expect(await Promise.all(workers.slice(1).map((worker) => worker.stop()))).toEqual([0, 0])
}, 90_000)
