// Agent tasks follow their transition table, and the ledger accepts only consistent changes: every state and action by the
// service, and every change by SQL.
import { beforeEach, describe, expect, test } from 'bun:test'

import { AppError } from '../../../../src/errors/app-error.ts'
import {
  addCredits,
  getBalance,
  releaseTask,
  reserveTask,
  settleTask,
} from '../../../../src/features/agents/metering/verbs.ts'
import { TASK, type TaskAction, type TaskState } from '../../../../src/features/agents/metering/states.ts'
import { balancesOf, ledgerFaults, insertMeteredPro, openMeteringFixture } from '../../../support/metering.ts'
import { opened } from '../../../support/fixture.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const world = await opened(openMeteringFixture())
let pro: string
const { deps, sql } = world
beforeEach(async () => {
  pro = await insertMeteredPro(sql, 'verified')
})

const STATES = Object.keys(TASK) as TaskState[]
const ACTIONS: readonly TaskAction[] = ['reserve', 'settle', 'release']

const run = (action: TaskAction, taskId: string) => {
  if (action === 'reserve') return reserveTask(ctxOf(deps), { taskId, kind: 'chat_on_thread', professionalId: pro })
  return (action === 'settle' ? settleTask : releaseTask)(ctxOf(deps), { professionalId: pro, taskId })
}

/** Brings a task of the pro into `state` by regular actions. */
async function taskIn(state: TaskState): Promise<string> {
  const taskId = Bun.randomUUIDv7()
  await run('reserve', taskId)
  if (state !== 'reserved') await run(state === 'settled' ? 'settle' : 'release', taskId)
  return taskId
}

const stateOf = async (taskId: string) => {
  const [row] = await sql<{ status: string }[]>`select status from metered_tasks where id = ${taskId}`
  return row?.status
}

describe('a task', () => {
  const cases = STATES.flatMap((state) =>
    ACTIONS.map((action): [TaskState, TaskAction, TaskState | undefined] => [state, action, TASK[state][action]]),
  )
  test.each(cases)('that is %s and gets the action %s becomes %s', async (state, action, next) => {
    const taskId = await taskIn(state)
    const before = await balancesOf(sql, pro)
    const failure: unknown = await run(action, taskId).then(
      () => undefined,
      (error: unknown) => error,
    )
    if (next === undefined) {
      expect(failure).toMatchObject({ code: 'invalid_transition', extensions: { state, action } })
      expect(failure).toBeInstanceOf(AppError)
    } else expect(failure).toBeUndefined()
    expect(await stateOf(taskId)).toBe(next ?? state)
    if (next === undefined || next === state) expect(await balancesOf(sql, pro)).toEqual(before)
    expect(await ledgerFaults(sql)).toEqual([])
  })

  test.each(['settle', 'release'] as const)(
    'that is unknown or belongs to another pro refuses the action %s',
    async (action) => {
      const stranger = pro
      const taskId = await taskIn('reserved')
      pro = await insertMeteredPro(sql, 'verified')
      for (const id of [taskId, Bun.randomUUIDv7()])
        expect(await run(action, id).catch((error: unknown) => error)).toMatchObject({
          code: 'invalid_transition',
          extensions: { state: null, action },
        })
      expect(await stateOf(taskId)).toBe('reserved')
      expect((await getBalance(ctxOf(deps), { professionalId: stranger })).reserved).toBe(1)
    },
  )

  test('counts a concurrently repeated action once', async () => {
    const taskId = Bun.randomUUIDv7()
    await Promise.all(Array.from({ length: 10 }, () => run('reserve', taskId)))
    expect(await getBalance(ctxOf(deps), { professionalId: pro })).toMatchObject({ available: 99, reserved: 1 })
    await Promise.all(Array.from({ length: 10 }, () => run('settle', taskId)))
    expect(await getBalance(ctxOf(deps), { professionalId: pro })).toMatchObject({
      available: 99,
      reserved: 0,
      spent: 1,
    })
    const other = await taskIn('reserved')
    const ends = await Promise.allSettled(
      ACTIONS.slice(1).flatMap((action) => [run(action, other), run(action, other)]),
    )
    expect(ends.filter(({ status }) => status === 'fulfilled').length).toBe(2)
    expect(await ledgerFaults(sql)).toEqual([])
  })
})

describe('the database', () => {
  /** The constraint that refuses the change. */
  const refusalOf = (work: Promise<unknown>) =>
    work.then(
      () => 'done',
      (error: { constraint_name?: string; message: string }) => error.constraint_name ?? error.message,
    )
  const at = '2026-11-20T12:00:00Z'

  test('has the same transitions as the code', async () => {
    const rows = await sql<{ move: string }[]>`
      select from_state || ' → ' || to_state as move from state_transitions where aggregate = 'agent task' order by 1`
    const moves = STATES.flatMap((from) =>
      Object.values(TASK[from])
        .filter((to) => to !== from)
        .map((to) => `${from} → ${to}`),
    )
    expect(rows.map(({ move }) => move)).toEqual([' → reserved', ...moves.toSorted()].toSorted())
  })

  test('refuses every other transition, and transfers the credit with each one', async () => {
    for (const from of STATES)
      for (const to of STATES.filter((state) => state !== from)) {
        const taskId = await taskIn(from)
        const moved = refusalOf(
          sql`update metered_tasks set status = ${to}, ended_at = ${to === 'reserved' ? null : at} where id = ${taskId}`,
        )
        expect([from, to, await moved]).toEqual([from, to, from === 'reserved' ? 'done' : 'agent task_transition'])
      }
    const inserted = sql`
      insert into metered_tasks (professional_id, id, kind, status, funded_by, reserved_at, deadline_at, ended_at)
      values (${pro}, ${Bun.randomUUIDv7()}, 'run_agent', 'settled', 'prepaid', ${at}, '2026-11-21', ${at})`
    expect(await refusalOf(inserted)).toBe('agent task_transition')
    expect(await ledgerFaults(sql)).toEqual([])
  })

  const transfer = (
    kind: string,
    from: string,
    to: string,
    amount: number,
    more: { task?: string; of?: string; reference?: string } = {},
  ) =>
    sql`
      insert into credit_transfers (professional_id, kind, from_account, to_account, amount, task_id, reference, created_at)
      values (${more.of ?? pro}, ${kind}, ${from}, ${to}, ${amount}, ${more.task ?? null},
        ${more.task === undefined ? (more.reference ?? `by hand ${kind}`) : null}, ${at})`

  test('accepts a transfer only as a whole, between allowed accounts, and never below zero', async () => {
    await addCredits(ctxOf(deps), { professionalId: pro, tasks: 3, reference: 'invoice' })
    const task = await taskIn('reserved')
    const [{ month } = { month: '' }] = await sql<{ month: string }[]>`
      select month from credit_ledgers where professional_id = ${pro}`
    const allowance = `allowance ${month}`
    const before = await balancesOf(sql, pro)
    const attempts: [string, Promise<unknown>][] = [
      ['credit_transfers_amount', transfer('top_up', 'sold', 'prepaid', 0)],
      ['credit_transfers_amount', transfer('top_up', 'sold', 'prepaid', -5)],
      ['credit_transfers_kind', transfer('top_up', 'prepaid', 'sold', 1)],
      ['credit_transfers_kind', transfer('top_up', 'prepaid', 'prepaid', 1)],
      ['credit_transfers_kind', transfer('grant', 'sold', allowance, 1)],
      ['credit_transfers_cause', transfer('gift', 'granted', 'prepaid', 1)],
      ['credit_transfers_kind', transfer('grant', 'granted', 'prepaid', 1)],
      ['credit_transfers_cause', transfer('reserve', 'prepaid', 'reserved', 1)],
      ['credit_transfers_from', transfer('top_up', 'sold', 'prepaid', 1, { of: Bun.randomUUIDv7() })],
      ['credit_transfers_to', transfer('grant', 'granted', 'allowance 1999-01', 1)],
      // A plan's month is granted once, and a reference is counted once.
      ['credit_transfers_reference', transfer('grant', 'granted', allowance, 1, { reference: 'verified' })],
      ['credit_transfers_reference', transfer('top_up', 'sold', 'prepaid', 1, { reference: 'invoice' })],
      // Transfers of a task occur only with its state change.
      ['credit_transfers_law', transfer('settle', 'reserved', 'spent', 1, { task })],
      ['credit_transfers_law', transfer('reserve', 'prepaid', 'reserved', 1, { task })],
      ['credit_transfers_law', sql`update credit_transfers set amount = amount + 1 where professional_id = ${pro}`],
      ['credit_transfers_law', sql`delete from credit_transfers where professional_id = ${pro}`],
      ['credit_transfers_law', sql`truncate credit_transfers`],
      ['credit_accounts_law', sql`update credit_accounts set balance = balance + 1 where professional_id = ${pro}`],
      ['credit_accounts_law', sql`update credit_accounts set balance = -1 where professional_id = ${pro}`],
      ['credit_accounts_law', sql`delete from credit_accounts where professional_id = ${pro}`],
      [
        'credit_accounts_law',
        sql`
        insert into credit_accounts (professional_id, name, balance) values (${pro}, 'allowance 2031-01', 5)`,
      ],
      ['metered_tasks_law', sql`update metered_tasks set funded_by = 'prepaid' where id = ${task}`],
      ['metered_tasks_law', sql`delete from metered_tasks where id = ${task}`],
    ]
    for (const [constraint, attempt] of attempts) expect(await refusalOf(attempt)).toBe(constraint)
    expect(await balancesOf(sql, pro)).toEqual(before)
    expect(await ledgerFaults(sql)).toEqual([])
  })

  test('never lets an empty account pay for a task', async () => {
    const unfunded = await insertMeteredPro(sql, 'none')
    await addCredits(ctxOf(deps), { professionalId: unfunded, tasks: 1, reference: 'invoice' })
    const insert = () => sql`
      insert into metered_tasks (professional_id, id, kind, status, funded_by, reserved_at, deadline_at)
      values (${unfunded}, ${Bun.randomUUIDv7()}, 'run_agent', 'reserved', 'prepaid', ${at}, '2026-11-21')`
    expect(await refusalOf(insert())).toBe('done')
    expect(await refusalOf(insert())).toBe('credit_accounts_balance')
    expect(await balancesOf(sql, unfunded)).toMatchObject({ prepaid: 0, reserved: 1 })
  })
})
