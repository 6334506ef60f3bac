// Two processes run 500 tasks against a balance of 120: exactly 120 run, and kill -9 neither loses nor duplicates a task.
import { beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'

import {
  addCredits,
  getBalance,
  releaseStuckTasks,
  settleTask,
} from '../../../../src/features/agents/metering/verbs.ts'
import { ROOT } from '../../../support/imports.ts'
import { balancesOf, ledgerFaults, insertMeteredPro, openMeteringFixture } from '../../../support/metering.ts'
import { opened } from '../../../support/fixture.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const TASKS = 500
const RUNNER = join(ROOT, 'test/support/metered-runner.ts')
let pro: string
let now: Date | undefined

const world = await opened(openMeteringFixture({ now: () => now ?? new Date() }))
await world.sql`create table ran (task_id uuid not null, runner text not null)`
beforeEach(async () => {
  now = undefined
  await world.sql`truncate ran`
  pro = await insertMeteredPro(world.sql, 'verified')
  // An allowance of 100 plus 20 prepaid tasks, so that both accounts are used.
  await addCredits(ctxOf(world.deps), { professionalId: pro, tasks: 20, reference: 'invoice' })
})

interface Runner {
  kill: () => void
  /** The reported outcome of each task; resolves when the process has ended. */
  ended: Promise<Map<string, string>>
}

function startRunner(
  name: string,
  taskIds: readonly string[],
  onDone: (tasks: number) => void = () => undefined,
): Runner {
  const child = Bun.spawn([process.execPath, RUNNER, pro, name], {
    env: { ...process.env, ...world.env },
    stdin: new Blob([taskIds.join('\n')]),
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const read = async () => {
    let text = ''
    for await (const chunk of child.stdout) {
      text += new TextDecoder().decode(chunk)
      onDone(text.split(' done\n').length - 1)
    }
    await child.exited
    const lines = text.split('\n').slice(0, -1)
    return new Map(lines.map((line) => [line.slice(0, 36), line.slice(37)]))
  }
  return { kill: () => child.kill('SIGKILL'), ended: read() }
}

const tally = (outcomes: Iterable<string>) => {
  const counts: Record<string, number> = {}
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}

const newTasks = () => Array.from({ length: TASKS }, () => Bun.randomUUIDv7())
const halves = (ids: readonly string[]) => [ids.slice(0, TASKS / 2), ids.slice(TASKS / 2)] as const

/** Waits until PostgreSQL has ended the statements of a killed process, which may commit after its death. */
async function untilQuiet(): Promise<void> {
  for (;;) {
    const busy = await world.sql`
      select from pg_stat_activity
      where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`
    if (busy.length === 0) return
    await Bun.sleep(20)
  }
}

/** The number of distinct tasks that ran, and the number of all runs. */
async function runs(): Promise<{ tasks: number; times: number }> {
  const [row] = await world.sql<{ tasks: number; times: number }[]>`
    select count(distinct task_id) as tasks, count(*) as times from ran`
  return row ?? { tasks: 0, times: 0 }
}

async function expectAllSpent(): Promise<void> {
  const balances = Object.entries(await balancesOf(world.sql, pro))
  expect(Object.fromEntries(balances.map(([name, amount]) => [name.replace(/ .*/, ''), amount]))).toEqual({
    allowance: 0,
    granted: -100,
    prepaid: 0,
    reserved: 0,
    sold: -20,
    spent: 120,
  })
  expect(await ledgerFaults(world.sql)).toEqual([])
}

test('of 500 tasks in two processes with a balance of 120, 120 run once and 380 are refused', async () => {
  const startedMs = performance.now()
  const outcomes = await Promise.all(halves(newTasks()).map((ids, at) => startRunner(`runner ${at}`, ids).ended))
  const seconds = (performance.now() - startedMs) / 1000
  process.stdout.write(`500 tasks over two processes: ${seconds.toFixed(1)} s, start included\n`)
  expect(tally(outcomes.flatMap((perTask) => [...perTask.values()]))).toEqual({ done: 120, exhausted: 380 })
  expect(await runs()).toEqual({ tasks: 120, times: 120 })
  await expectAllSpent()
}, 60_000)

test('120 tasks run once each when a process is killed and gets the same tasks again', async () => {
  const [first, second] = halves(newTasks())
  let outcomes: Map<string, string>[] = []
  let killed = 0
  // Killed three times with reserved tasks, while the other process continues. That one starts at the first kill: earlier, it
  // could spend the whole balance before the first one has done anything.
  let other: Runner | undefined
  for (const tasks of [2, 4, 8]) {
    const killedRunner: Runner = startRunner('dying', first, (done) => {
      if (done < tasks) return
      killedRunner.kill()
      other ??= startRunner('other', second)
    })
    const result = await killedRunner.ended
    if (result.size < first.length) killed++
    outcomes.push(result)
  }
  outcomes = [...outcomes, await (other ?? startRunner('other', second)).ended, await startRunner('last', first).ended]
  expect(killed).toBeGreaterThan(0)
  await untilQuiet()
  const { tasks, times } = await runs()
  process.stdout.write(`killed ${killed} times: ${tasks} tasks ran, ${times - tasks} of them again after a crash\n`)
  // Every counted task ran, and every task that ran was counted once.
  const settled = await world.sql<{ id: string }[]>`
    select id from metered_tasks where professional_id = ${pro} and status = 'settled'`
  const ran = await world.sql<{ id: string }[]>`select distinct task_id as id from ran`
  expect(ran.map(({ id }) => id).toSorted()).toEqual(settled.map(({ id }) => id).toSorted())
  expect(tasks).toBe(120)
  const done = outcomes.flatMap((perTask) => [...perTask].filter(([, outcome]) => outcome === 'done').map(([id]) => id))
  expect(new Set(done).size).toBe(done.length)
  await expectAllSpent()
}, 120_000)

test('the reserved tasks of a killed process return after the deadline, and its settled ones do not', async () => {
  const [ids] = halves(newTasks())
  const killedRunner: Runner = startRunner('dying', ids, (done) => {
    if (done >= 3) killedRunner.kill()
  })
  await killedRunner.ended
  await untilQuiet()
  const settledOf = async () => (await getBalance(ctxOf(world.deps), { professionalId: pro })).spent
  expect(await settledOf()).toBeGreaterThanOrEqual(3)
  const reserved = await world.sql<{ id: string }[]>`
    select id from metered_tasks where professional_id = ${pro} and status = 'reserved' limit 1`
  process.stdout.write(
    `left reserved by the killed process: ${(await getBalance(ctxOf(world.deps), { professionalId: pro })).reserved}\n`,
  )
  now = new Date(Date.now() + 31 * 60_000)
  while ((await releaseStuckTasks(ctxOf(world.deps), { now, limit: 7 })) > 0);
  const after = await getBalance(ctxOf(world.deps), { professionalId: pro })
  expect(after).toMatchObject({ reserved: 0, available: 120 - (await settledOf()) })
  for (const { id } of reserved)
    expect(
      await settleTask(ctxOf(world.deps), { professionalId: pro, taskId: id }).catch((error: unknown) => error),
    ).toMatchObject({
      code: 'invalid_transition',
    })
  expect(await ledgerFaults(world.sql)).toEqual([])
  // The other tasks use the rest.
  const result = await startRunner('next', newTasks()).ended
  // The runner may have been faster than its end.
  expect<Record<string, number>>({ done: 0, ...tally(result.values()) }).toEqual({
    done: after.available,
    exhausted: TASKS - after.available,
  })
  await expectAllSpent()
}, 60_000)
