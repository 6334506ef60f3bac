// Plans: operators define them and give them to pros; after its last day a plan decides nothing any more.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'bun:test'

import {
  noticeLowBalances,
  getBalance,
  reserveTask,
  settleTask,
} from '../../../../src/features/agents/metering/verbs.ts'
import {
  addPlan,
  changePlan,
  getPlan,
  getPlanOfPro,
  givePlan,
  listAgentPlans,
  listPlans,
  offerPlan,
  retirePlan,
} from '../../../../src/features/business/plans/verbs.ts'
import type { PlanTerms } from '../../../../src/features/business/plans/schemas.ts'
import { listActions, listPlanActions } from '../../../../src/features/upkeep/audit/verbs.ts'
import { ctxOf } from '../../../../src/ctx.ts'
import { opened } from '../../../support/fixture.ts'
import { ROOT, filesUnder } from '../../../support/imports.ts'
import { insertMeteredPro, ledgerFaults, openMeteringFixture } from '../../../support/metering.ts'

let now = new Date('2026-11-10T12:00:00Z')
const world = await opened(openMeteringFixture({ now: () => now }))
const ctx = ctxOf(world.deps)
const by = null

const GOLD: PlanTerms = { name: 'Gold', priceCents: 4900, tasks: 300, hasAgentServer: true }
const give = (professionalId: string, plan: string, until: string | null = null) =>
  givePlan(ctx, { professionalId, plan, until, by })
const balance = (professionalId: string) => getBalance(ctx, { professionalId })
const reserve = (professionalId: string) =>
  reserveTask(ctx, { professionalId, taskId: Bun.randomUUIDv7(), kind: 'prepare_quote' })
const errorsOf = (work: Promise<unknown>) =>
  work.then(
    () => [],
    ({ code, errors }: { code: string; errors?: { path: string }[] }) => errors?.map(({ path }) => path) ?? code,
  )
let count = 0
const newPlan = async (terms: Partial<PlanTerms> = {}) => {
  const name = terms.name ?? `Plan ${++count}`
  return { name, ...(await addPlan(ctx, { ...GOLD, ...terms, name, by })) }
}

test('a marketplace begins with the plans of the contract', async () => {
  expect((await listPlans(ctx)).slice(0, 3)).toEqual([
    { id: 'none', name: 'None', priceCents: null, tasks: 0, hasAgentServer: false, retiredAt: null },
    { id: 'verified', name: 'Verified', priceCents: null, tasks: 100, hasAgentServer: true, retiredAt: null },
    { id: 'business', name: 'Business', priceCents: null, tasks: 1000, hasAgentServer: true, retiredAt: null },
  ])
})

describe('an operator', () => {
  test('adds a plan, changes it, retires it and offers it again, and the audit log has each', async () => {
    const { id } = await newPlan({ name: 'Gold Été' })
    expect(id).toBe('gold-ete')
    const after = { name: 'Gold', priceCents: null, tasks: 500, hasAgentServer: false }
    expect(await changePlan(ctx, { id, by, ...after })).toBe(true)
    expect(await changePlan(ctx, { id, by, ...after })).toBe(false)
    expect(await getPlan(ctx, { id })).toEqual({ id, ...after, retiredAt: null })
    for (const turn of [1, 2]) expect([turn, await retirePlan(ctx, { id, by })]).toEqual([turn, undefined])
    expect((await getPlan(ctx, { id })).retiredAt).toBe(now.toISOString())
    for (const turn of [1, 2]) expect([turn, await offerPlan(ctx, { id, by })]).toEqual([turn, undefined])
    const actions = await listPlanActions(ctx, { planId: id })
    expect(actions.map(({ action }) => action).toSorted()).toEqual([
      'plan.added',
      'plan.changed',
      'plan.offered',
      'plan.retired',
    ])
    expect(actions.find(({ action }) => action === 'plan.changed')?.details).toEqual({
      before: { ...GOLD, name: 'Gold Été' },
      after,
    })
  })

  test('cannot change what a pro without a plan has, in the database either', async () => {
    expect(await errorsOf(getPlan(ctx, { id: 'none' }))).toBe('not_found')
    expect(await errorsOf(changePlan(ctx, { id: 'none', by, ...GOLD }))).toBe('not_found')
    expect(await errorsOf(retirePlan(ctx, { id: 'none', by }))).toBe('not_found')
    const attempt = world.sql`update plans set tasks = 5 where id = 'none'`.then(() => '')
    expect(await attempt.catch(({ constraint_name }: { constraint_name: string }) => constraint_name)).toBe(
      'plans_none',
    )
  })

  test.each([
    [{ name: ' ' }, ['name']],
    [{ name: '§' }, ['name']],
    [{ name: 'x'.repeat(51) }, ['name']],
    [{ name: 'verified!' }, ['name']],
    [{ priceCents: -1 }, ['price']],
    [{ priceCents: 0.5 }, ['price']],
    [{ tasks: -1 }, ['tasks']],
    [{ tasks: 1_000_001 }, ['tasks']],
  ])('cannot add a plan with %p', async (wrong, fields) => {
    expect(await errorsOf(addPlan(ctx, { ...GOLD, ...wrong, by }))).toEqual(fields)
  })

  test('two who add a plan of one name at once make one', async () => {
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => addPlan(ctx, { ...GOLD, name: 'Twice', by })))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})

describe('a pro', () => {
  test('gets a plan with its tasks, which the audit log has once', async () => {
    const pro = await insertMeteredPro(world.sql, 'none')
    const { id, name } = await newPlan()
    expect(await give(pro, id, '2026-12-31')).toBe(true)
    expect(await give(pro, id, '2026-12-31')).toBe(false)
    expect(await getPlanOfPro(ctx, { professionalId: pro })).toEqual({ id, name, until: '2026-12-31', endedPlan: null })
    expect(await balance(pro)).toMatchObject({ plan: id, planName: name, planUntil: '2026-12-31', available: 300 })
    expect(await listActions(ctx, { subjectId: pro })).toMatchObject([
      {
        action: 'pro.plan_given',
        details: { before: { plan: 'none', until: null }, after: { plan: id, until: '2026-12-31' } },
      },
    ])
  })

  test('gets no plan that is unknown or retired, but keeps a retired one with another end', async () => {
    const pro = await insertMeteredPro(world.sql, 'none')
    const { id } = await newPlan()
    expect(await errorsOf(give(pro, 'gone'))).toEqual(['plan'])
    await give(pro, id)
    await retirePlan(ctx, { id, by })
    expect(await give(pro, id, '2026-11-30')).toBe(true)
    expect(await balance(pro)).toMatchObject({ plan: id, available: 300 })
    expect((await listAgentPlans(ctx)).map((plan) => plan.id)).not.toContain(id)
    expect(await errorsOf(give(await insertMeteredPro(world.sql, 'none'), id))).toEqual(['plan'])
    expect(await errorsOf(give(Bun.randomUUIDv7(), 'verified'))).toBe('professional_not_found')
  })

  test.each([
    ['verified', '2026-11-09'],
    ['verified', '2026-02-30'],
    ['verified', 'tomorrow'],
    ['none', '2026-12-31'],
  ])('does not get %p until %p', async (plan, until) => {
    const pro = await insertMeteredPro(world.sql, 'none')
    expect(await errorsOf(give(pro, plan, until))).toEqual(['until'])
  })

  test('has more tasks as soon as the plan has more, each time, and loses none when it has fewer', async () => {
    const pro = await insertMeteredPro(world.sql, 'none')
    const { id, name } = await newPlan({ tasks: 2 })
    await give(pro, id)
    const setTasks = (tasks: number) => changePlan(ctx, { ...GOLD, id, name, tasks, by })
    for (const tasks of [2, 3, 5]) {
      await setTasks(tasks)
      while ((await balance(pro)).available > 0) await reserve(pro)
      expect(await errorsOf(reserve(pro))).toBe('agent_tasks_exhausted')
    }
    expect(await balance(pro)).toMatchObject({ allowance: { granted: 5, left: 0 }, reserved: 5 })
    await setTasks(1)
    expect(await balance(pro)).toMatchObject({ allowance: { granted: 5, left: 0 }, nextAllowance: 1 })
    expect(await ledgerFaults(world.sql)).toEqual([])
  })
})

describe('after its last day', () => {
  test('a plan decides nothing any more: from midnight of the pro on', async () => {
    now = new Date('2026-11-10T12:00:00Z')
    // 13 hours ahead of UTC, and 11 behind.
    const zones = { 'Pacific/Auckland': '2026-11-30T11:00:00Z', 'Pacific/Pago_Pago': '2026-12-01T11:00:00Z' }
    for (const [zone, end] of Object.entries(zones)) {
      now = new Date('2026-11-10T12:00:00Z')
      const pro = await insertMeteredPro(world.sql, 'none', zone)
      await give(pro, 'business', '2026-11-30')
      now = new Date(Date.parse(end) - 1000)
      expect(await balance(pro)).toMatchObject({ plan: 'business', hasAgentServer: true, nextAllowance: 0 })
      now = new Date(end)
      expect(await balance(pro)).toMatchObject({
        plan: 'none',
        planName: 'None',
        planUntil: null,
        endedPlan: { name: 'Business', until: '2026-11-30' },
        hasAgentServer: false,
        allowance: { granted: 0, left: 0 },
        available: 0,
      })
      expect(await errorsOf(reserve(pro))).toBe('agent_tasks_exhausted')
      expect(await getPlanOfPro(ctx, { professionalId: pro })).toMatchObject({
        id: 'none',
        until: null,
        endedPlan: { name: 'Business' },
      })
    }
  })

  test('in the middle of a month nothing is granted, and what was granted stays for another plan of the month', async () => {
    now = new Date('2026-11-10T12:00:00Z')
    const [used, unused] = [await insertMeteredPro(world.sql, 'none'), await insertMeteredPro(world.sql, 'none')]
    for (const pro of [used, unused]) await give(pro, 'verified', '2026-11-15')
    await reserve(used)
    now = new Date('2026-11-16T12:00:00Z')
    expect(await balance(unused)).toMatchObject({ plan: 'none', available: 0 })
    expect(await balance(used)).toMatchObject({ plan: 'none', hasAgentServer: false, allowance: { left: 99 } })
    expect(await give(unused, 'verified')).toBe(true)
    expect(await balance(unused)).toMatchObject({ plan: 'verified', available: 100, nextAllowance: 100 })
    expect(await errorsOf(give(used, 'verified', '2026-11-15'))).toEqual(['until'])
    expect(await ledgerFaults(world.sql)).toEqual([])
  })

  test('the message of used-up tasks promises no new ones when the plan ends before they come', async () => {
    now = new Date('2026-11-10T12:00:00Z')
    const { id } = await newPlan({ tasks: 1 })
    for (const [until, allowance] of [
      ['2026-11-30', 0],
      ['2026-12-01', 1],
    ] as const) {
      const pro = await insertMeteredPro(world.sql, 'none')
      await give(pro, id, until)
      const taskId = Bun.randomUUIDv7()
      await reserveTask(ctx, { professionalId: pro, taskId, kind: 'prepare_quote' })
      await settleTask(ctx, { professionalId: pro, taskId })
      while ((await noticeLowBalances(ctx, { now, limit: 20 })) > 0);
      const rows = await world.sql<{ data: { allowance: number } }[]>`
        select data from messages where professional_id = ${pro} and kind = 'tasks-used-up'`
      expect([until, rows.map(({ data }) => data.allowance)]).toEqual([until, [allowance]])
    }
  })
})

test('only current_plan and what gives a plan read the column of a pro', () => {
  const files = [...filesUnder('sql/functions'), ...filesUnder('sql/queries'), ...filesUnder('src')].filter((path) =>
    path.endsWith('.sql'),
  )
  expect(files.length).toBeGreaterThan(100)
  const reading = files.filter((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8').replaceAll(/--.*/g, '')
    const isOfPros = /\b(from|join|into|update) professionals\b/.test(text) && /(?<![\w.:])plan\b(?!\()/.test(text)
    return isOfPros || /\b(p|pr|pro|professional|professionals)\.plan(_until)?\b/.test(text)
  })
  expect(reading.toSorted()).toEqual(
    [
      'sql/functions/current_plan.sql',
      // Parameters of that name.
      'sql/functions/metering.sql',
      // The plan that has ended, for its name.
      'src/features/agents/metering/queries.sql',
      'src/features/business/plans/queries.sql',
      // Those that give one.
      'src/commands/up/demo.sql',
      'src/features/business/imports/queries.sql',
      'src/features/business/pros/queries.sql',
    ].toSorted(),
  )
})
