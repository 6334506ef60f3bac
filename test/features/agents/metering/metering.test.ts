// Agent tasks: the allowance is used first, then prepaid tasks, never more than the balance; each month has a new allowance.
import { describe, expect, test } from 'bun:test'

import { AppError } from '../../../../src/errors/app-error.ts'
import type { PlanId } from '../../../../src/features/business/plans/schemas.ts'
import {
  addCredits,
  getBalance,
  openAllowances,
  releaseStuckTasks,
  releaseTask,
  reserveTask,
  settleTask,
} from '../../../../src/features/agents/metering/verbs.ts'
import { balancesOf, ledgerFaults, insertMeteredPro, openMeteringFixture } from '../../../support/metering.ts'
import { opened } from '../../../support/fixture.ts'
import { ctxOf } from '../../../../src/ctx.ts'
let now = new Date('2026-11-20T12:00:00Z')

const { deps, sql } = await opened(openMeteringFixture({ now: () => now }))

const at = (instant: string) => void (now = new Date(instant))
const taskId = () => Bun.randomUUIDv7()
const reserve = async (pro: string, id = taskId()) => {
  await reserveTask(ctxOf(deps), { taskId: id, kind: 'run_agent', professionalId: pro })
  return id
}
const spend = async (pro: string, tasks: number) => {
  for (let task = 0; task < tasks; task++)
    await settleTask(ctxOf(deps), { professionalId: pro, taskId: await reserve(pro) })
}
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof AppError) return error.code
      throw error
    },
  )
const available = async (pro: string) => (await getBalance(ctxOf(deps), { professionalId: pro })).available
const changePlan = (pro: string, plan: PlanId) => sql`update professionals set plan = ${plan} where id = ${pro}`

describe('a task', () => {
  test('is paid from the allowance first, then from prepaid tasks, then refused', async () => {
    const pro = await insertMeteredPro(sql, 'verified')
    await addCredits(ctxOf(deps), { professionalId: pro, tasks: 2, reference: 'invoice 1' })
    await spend(pro, 101)
    expect(await balancesOf(sql, pro)).toEqual({
      'allowance 2026-11': 0,
      granted: -100,
      prepaid: 1,
      reserved: 0,
      sold: -2,
      spent: 101,
    })
    await reserve(pro)
    const refusal = await reserve(pro).catch((error: unknown) => error)
    expect(refusal).toMatchObject({
      code: 'agent_tasks_exhausted',
      status: 402,
      extensions: { resetsAt: '2026-12-01T06:00:00.000Z' },
    })
    expect(await ledgerFaults(sql)).toEqual([])
  })

  test('that is released returns to the account that it came from', async () => {
    const pro = await insertMeteredPro(sql, 'none')
    await addCredits(ctxOf(deps), { professionalId: pro, tasks: 1, reference: 'invoice 1' })
    const task = await reserve(pro)
    expect(await getBalance(ctxOf(deps), { professionalId: pro })).toMatchObject({
      prepaid: 0,
      reserved: 1,
      available: 0,
    })
    await releaseTask(ctxOf(deps), { professionalId: pro, taskId: task })
    expect(await getBalance(ctxOf(deps), { professionalId: pro })).toMatchObject({
      prepaid: 1,
      reserved: 0,
      available: 1,
      spent: 0,
    })
  })

  test('is rolled back with its transaction', async () => {
    const pro = await insertMeteredPro(sql, 'verified')
    const undone = ctxOf(deps).transaction('test', async (ctx) => {
      await reserveTask(ctx, { taskId: taskId(), kind: 'prepare_quote', professionalId: pro })
      throw new RangeError('no')
    })
    expect(undone).rejects.toThrow('no')
    await undone.catch(() => undefined)
    expect(await available(pro)).toBe(100)
  })

  test('needs a pro with a plan or prepaid tasks', async () => {
    expect(await codeOf(reserve(await insertMeteredPro(sql, 'none')))).toBe('agent_tasks_exhausted')
    expect(await codeOf(reserve(taskId()))).toBe('professional_not_found')
    expect(await codeOf(getBalance(ctxOf(deps), { professionalId: taskId() }))).toBe('professional_not_found')
  })

  test('past its deadline is released once, also under concurrency', async () => {
    const pro = await insertMeteredPro(sql, 'verified')
    const [stuck, done, recent] = [await reserve(pro), await reserve(pro), taskId()]
    await settleTask(ctxOf(deps), { professionalId: pro, taskId: done })
    const later = new Date(now.getTime() + 31 * 60_000)
    const start = now
    now = later
    await reserve(pro, recent)
    const released = await Promise.all([1, 2, 3].map(() => releaseStuckTasks(ctxOf(deps), { now: later, limit: 100 })))
    // Also releases tasks of other tests.
    expect(released.reduce((sum, count) => sum + count)).toBeGreaterThan(0)
    while ((await releaseStuckTasks(ctxOf(deps), { now: later, limit: 100 })) > 0);
    expect(await getBalance(ctxOf(deps), { professionalId: pro })).toMatchObject({
      spent: 1,
      reserved: 1,
      available: 98,
    })
    expect(await codeOf(settleTask(ctxOf(deps), { professionalId: pro, taskId: stuck }))).toBe('invalid_transition')
    now = start
    expect(await ledgerFaults(sql)).toEqual([])
  })
})

describe('a plan', () => {
  test('adds the difference at once when it becomes larger, and removes nothing when it becomes smaller', async () => {
    const pro = await insertMeteredPro(sql, 'verified')
    await spend(pro, 100)
    await changePlan(pro, 'business')
    expect(await getBalance(ctxOf(deps), { professionalId: pro })).toMatchObject({
      allowance: { granted: 1000, left: 900 },
      available: 900,
    })
    await reserve(pro)
    expect(await available(pro)).toBe(899)
    await changePlan(pro, 'verified')
    expect(await getBalance(ctxOf(deps), { professionalId: pro })).toMatchObject({
      allowance: { granted: 1000, left: 899 },
    })
    await changePlan(pro, 'business')
    expect(await available(pro)).toBe(899)
    expect(await ledgerFaults(sql)).toEqual([])
  })
})

describe('a top-up', () => {
  test('counts once per reference, also under concurrency', async () => {
    const pro = await insertMeteredPro(sql, 'none')
    const added = await Promise.all(
      Array.from({ length: 8 }, () =>
        addCredits(ctxOf(deps), { professionalId: pro, tasks: 50, reference: 'invoice 7' }),
      ),
    )
    expect(added.filter(({ isNew }) => isNew).length).toBe(1)
    expect(await available(pro)).toBe(50)
    expect(await codeOf(addCredits(ctxOf(deps), { professionalId: pro, tasks: 51, reference: 'invoice 7' }))).toBe(
      'idempotency_mismatch',
    )
    expect(await addCredits(ctxOf(deps), { professionalId: pro, tasks: 50, reference: 'invoice 8' })).toEqual({
      isNew: true,
    })
  })

  test.each([
    [0, 'a'],
    [-1, 'a'],
    [1.5, 'a'],
    [1_000_001, 'a'],
    [1, ''],
    [1, 'a\0'],
    [1, 'a'.repeat(201)],
  ])('of %p under %p is refused', async (tasks, reference) => {
    expect(
      await codeOf(addCredits(ctxOf(deps), { professionalId: await insertMeteredPro(sql, 'none'), tasks, reference })),
    ).toBe('validation_failed')
  })
})

describe('a month', () => {
  test('has a new allowance; the old one expires, and prepaid tasks stay', async () => {
    at('2026-11-20T12:00:00Z')
    const pro = await insertMeteredPro(sql, 'verified')
    await addCredits(ctxOf(deps), { professionalId: pro, tasks: 5, reference: 'invoice' })
    await spend(pro, 1)
    const late = await reserve(pro)
    at('2026-12-01T06:00:00Z')
    expect(await getBalance(ctxOf(deps), { professionalId: pro })).toMatchObject({
      month: '2026-12',
      allowance: { granted: 100, left: 100 },
    })
    while ((await openAllowances(ctxOf(deps), { now, limit: 100 })) > 0);
    // A task reserved in November returns to November's allowance, which has expired.
    await releaseTask(ctxOf(deps), { professionalId: pro, taskId: late })
    expect(await getBalance(ctxOf(deps), { professionalId: pro })).toMatchObject({
      allowance: { left: 100 },
      prepaid: 5,
      available: 105,
    })
    expect(await balancesOf(sql, pro)).toMatchObject({ 'allowance 2026-11': 99, 'allowance 2026-12': 100 })
    at('2026-11-20T12:00:00Z')
  })

  test('is opened once by concurrent maintenance and reservations', async () => {
    at('2026-11-20T12:00:00Z')
    const pros = await Promise.all(Array.from({ length: 10 }, () => insertMeteredPro(sql, 'verified')))
    for (const pro of pros) await spend(pro, 1)
    at('2026-12-15T12:00:00Z')
    await Promise.all([
      ...Array.from({ length: 4 }, () => openAllowances(ctxOf(deps), { now, limit: 3 })),
      ...pros.map((pro) => reserve(pro)),
    ])
    while ((await openAllowances(ctxOf(deps), { now, limit: 100 })) > 0);
    for (const pro of pros) expect((await getBalance(ctxOf(deps), { professionalId: pro })).available).toBe(99)
    at('2026-11-20T12:00:00Z')
    expect(await ledgerFaults(sql)).toEqual([])
  })
})
