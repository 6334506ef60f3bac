// Random interleavings of operations and crashes: the ledger stays balanced, never negative, and equal to a recomputation.
import { expect, test } from 'bun:test'
import fc from 'fast-check'

import type { Deps } from '../../../../src/deps.ts'
import { AppError } from '../../../../src/errors/app-error.ts'
import type { PlanId } from '../../../../src/features/business/plans/schemas.ts'
import {
  addCredits,
  getBalance,
  noticeLowBalances,
  openAllowances,
  releaseStuckTasks,
  releaseTask,
  reserveTask,
  settleTask,
} from '../../../../src/features/agents/metering/verbs.ts'
import { type CrashPoint, Crash, withCrashes } from '../../../support/crashing-pool.ts'
import { ledgerFaults, insertMeteredPro, openMeteringFixture } from '../../../support/metering.ts'
import { opened } from '../../../support/fixture.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const RUNS = 60
const TASKS = 14
let nowMs = 0

const world = await opened(openMeteringFixture({ now: () => new Date(nowMs) }))

type Step =
  | { do: 'reserve' | 'settle' | 'release'; task: number; crash: CrashPoint | undefined }
  | { do: 'buy'; tasks: number; reference: number; crash: CrashPoint | undefined }
  | { do: 'plan'; plan: PlanId }
  | { do: 'wait'; minutes: number }
  | { do: 'sweep' | 'open' | 'notice' }

const crash = fc.oneof(
  { weight: 5, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constantFrom<CrashPoint>('before', 'after') },
)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('reserve' as const), task: fc.nat(TASKS - 1), crash }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('settle' as const), task: fc.nat(TASKS - 1), crash }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('release' as const), task: fc.nat(TASKS - 1), crash }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('buy' as const),
      tasks: fc.integer({ min: 1, max: 4 }),
      reference: fc.nat(6),
      crash,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('plan' as const), plan: fc.constantFrom<PlanId>('none', 'verified') }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), minutes: fc.constantFrom(1, 20, 31, 2000) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('sweep' as const, 'open' as const, 'notice' as const) }) },
)
/** Steps of one group run concurrently. */
const stepGroups = fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { minLength: 4, maxLength: 14 })

/** The history according to the responses. */
class History {
  /** Tasks whose reservation, settlement or release succeeded. */
  readonly states = new Map<number, Set<string>>()
  readonly bought = new Map<number, number>()
  readonly happened: Record<string, number> = {}

  note(outcome: string): void {
    this.happened[outcome] = (this.happened[outcome] ?? 0) + 1
  }
}

async function take(pro: string, ids: readonly string[], history: History, step: Step): Promise<void> {
  const { deps } = world
  const write = 'crash' in step ? withCrashes(deps.write, () => step.crash) : deps.write
  const crashable: Deps = { ...deps, write }
  try {
    await perform(crashable, pro, ids, step)
    history.note(step.do)
    if ('task' in step) history.states.set(step.task, (history.states.get(step.task) ?? new Set()).add(step.do))
    if (step.do === 'buy') history.bought.set(step.reference, step.tasks)
  } catch (error) {
    if (error instanceof Crash) return history.note('crash')
    if (!(error instanceof AppError)) throw error
    history.note(`${step.do}: ${error.code}`)
  }
}

async function perform(deps: Deps, pro: string, ids: readonly string[], step: Step): Promise<unknown> {
  switch (step.do) {
    case 'reserve':
      return await reserveTask(ctxOf(deps), {
        taskId: ids[step.task] ?? '',
        kind: 'prepare_quote',
        professionalId: pro,
      })
    case 'settle':
      return await settleTask(ctxOf(deps), { professionalId: pro, taskId: ids[step.task] ?? '' })
    case 'release':
      return await releaseTask(ctxOf(deps), { professionalId: pro, taskId: ids[step.task] ?? '' })
    case 'buy':
      return await addCredits(ctxOf(deps), {
        professionalId: pro,
        tasks: step.tasks,
        reference: `invoice ${step.reference}`,
      })
    case 'plan':
      return await world.sql`update professionals set plan = ${step.plan} where id = ${pro}`
    case 'wait':
      return (nowMs += step.minutes * MINUTE_MS)
    case 'sweep':
      return await releaseStuckTasks(ctxOf(deps), { now: deps.clock.now(), limit: 5 })
    case 'open':
      return await openAllowances(ctxOf(deps), { now: deps.clock.now(), limit: 5 })
    case 'notice':
      return await noticeLowBalances(ctxOf(deps), { now: deps.clock.now(), limit: 5 })
  }
}

/** The database agrees with the responses. */
async function expectHistory(pro: string, ids: readonly string[], history: History): Promise<void> {
  const rows = await world.sql<{ id: string; status: string }[]>`
    select id, status from metered_tasks where professional_id = ${pro}`
  const stored = new Map(rows.map(({ id, status }) => [id, status]))
  for (const [task, done] of history.states) {
    const status = stored.get(ids[task] ?? '')
    expect([task, status !== undefined]).toEqual([task, true])
    if (done.has('settle')) expect([task, status]).toEqual([task, 'settled'])
    if (done.has('release')) expect([task, status]).toEqual([task, 'released'])
  }
  const bought = await world.sql<{ reference: string; amount: number }[]>`
    select reference, amount from credit_transfers where professional_id = ${pro} and kind = 'top_up'`
  const amounts = new Map(bought.map(({ reference, amount }) => [reference, amount]))
  for (const [reference, tasks] of history.bought) expect(amounts.get(`invoice ${reference}`)).toBe(tasks)
}

test(`${RUNS} random histories keep the ledger balanced, non-negative and equal to a recomputation at every step`, async () => {
  const happened: Record<string, number> = {}
  await fc.assert(
    fc.asyncProperty(stepGroups, async (groups) => {
      nowMs = Date.parse('2026-10-30T12:00:00Z')
      const pro = await insertMeteredPro(world.sql, 'none', 'America/New_York')
      const ids = Array.from({ length: TASKS }, () => Bun.randomUUIDv7())
      const history = new History()
      await addCredits(ctxOf(world.deps), { professionalId: pro, tasks: 3, reference: 'the first' })
      for (const group of groups) {
        await Promise.all(group.map((step) => take(pro, ids, history, step)))
        expect(await ledgerFaults(world.sql)).toEqual([])
        const { available, allowance, prepaid } = await getBalance(ctxOf(world.deps), { professionalId: pro })
        expect([available, Math.min(allowance.left, prepaid) >= 0]).toEqual([allowance.left + prepaid, true])
      }
      await expectHistory(pro, ids, history)
      for (const [outcome, times] of Object.entries(history.happened))
        happened[outcome] = (happened[outcome] ?? 0) + times
      // In the end all stuck tasks are released.
      nowMs += DAY_MS
      while ((await releaseStuckTasks(ctxOf(world.deps), { now: new Date(nowMs), limit: 50 })) > 0);
      expect(await getBalance(ctxOf(world.deps), { professionalId: pro })).toMatchObject({ reserved: 0 })
    }),
    { numRuns: RUNS, seed: 5 },
  )
  process.stdout.write(`${JSON.stringify(happened, Object.keys(happened).toSorted())}\n`)
  for (const outcome of ['crash', 'reserve', 'settle', 'release', 'buy', 'reserve: agent_tasks_exhausted'])
    expect([outcome, (happened[outcome] ?? 0) > 10]).toEqual([outcome, true])
}, 120_000)
