// Agent tasks under injected failures: killed processes, abandoned tasks, and top-ups repeated until acknowledged.
// At the end, everything must be counted exactly once.
import { expect } from 'bun:test'
import { randomInt } from 'node:crypto'
import { join } from 'node:path'

import { readConfig } from '../../src/config.ts'
import { openDeps } from '../../src/deps.ts'
import { addCredits } from '../../src/features/agents/metering/verbs.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { testSql } from './database.ts'
import { ledgerFaults, insertMeteredPro } from './metering.ts'
import { ctxOf } from '../../src/ctx.ts'

const RUNNER = join(import.meta.dir, 'metered-runner.ts')
/** Tasks of a batch. One process after another works on it until each task has a reported outcome. */
const BATCH = 150
/** Concurrent tasks of a process. */
const CONCURRENCY = 2
const TOP_UP = 60
const TOP_UP_EVERY_MS = 1000
/** The time limit of an abandoned task, after which `meter-agent-tasks` releases it. */
const ABANDONED_LIMIT_MS = 3000

export interface MeteredLoad {
  /** Kills one process that runs tasks, if there is one. */
  killRunner(): void
  /** Resolves when the load is over and every task has a reported outcome. */
  readonly ended: Promise<void>
  /** Waits until nothing is reserved, checks that the accounts balance, and returns counts. */
  check(settleMs: number): Promise<Record<string, number>>
}

/** Starts the load of two pros: one with repeated top-ups, and one with only the granted 100. */
export async function openMeteredLoad(databaseUrl: string, isOver: () => boolean): Promise<MeteredLoad> {
  const sql = testSql(databaseUrl, 2)
  await sql`create table ran (task_id uuid not null, runner text not null)`
  const pros = { rich: await insertMeteredPro(sql, 'verified'), poor: await insertMeteredPro(sql, 'verified') }
  const running = new Set<Bun.Subprocess>()
  const reported = new Map<string, string>()
  const counts = { runners: 0, killed: 0, bought: 0 }

  /** Runs one process on these tasks. Returns the tasks without a reported outcome. */
  const run = async (pro: string, tasks: readonly string[]): Promise<string[]> => {
    const child = Bun.spawn(
      [process.execPath, RUNNER, pro, `${counts.runners++}`, `${CONCURRENCY}`, `${ABANDONED_LIMIT_MS}`],
      {
        env: {
          PATH: process.env['PATH'],
          DATABASE_URL: databaseUrl,
          REDIS_URL: 'redis://127.0.0.1:1',
          LOG_LEVEL: 'silent',
        },
        stdin: new Blob([tasks.join('\n')]),
        stdout: 'pipe',
        // An unavailable store also ends the process.
        stderr: 'ignore',
      },
    )
    running.add(child)
    const lines = (await new Response(child.stdout).text()).split('\n').slice(0, -1)
    await child.exited
    running.delete(child)
    for (const line of lines) reported.set(line.slice(0, 36), line.slice(37))
    return tasks.filter((task) => !reported.has(task.slice(0, 36)))
  }
  const keepRunning = async (pro: string) => {
    while (!isOver()) {
      let left = Array.from({ length: BATCH }, () => `${Bun.randomUUIDv7()} ${randomOutcome(randomInt(10))}`)
      while (left.length > 0) left = await run(pro, left)
    }
  }
  const keepBuying = async () => {
    const deps = openDeps(
      readConfig({ DATABASE_URL: databaseUrl, REDIS_URL: 'redis://127.0.0.1:1', LOG_LEVEL: 'silent' }),
    )
    for (let bought = 0; !isOver(); bought++) {
      // Acknowledged twice: a client that missed the response repeats the top-up.
      for (let acknowledged = 0; acknowledged < 2;)
        await addCredits(ctxOf(deps), {
          professionalId: pros.rich,
          tasks: TOP_UP,
          reference: `invoice ${bought}`,
        }).then(
          () => acknowledged++,
          () => Bun.sleep(100),
        )
      counts.bought += TOP_UP
      await Bun.sleep(TOP_UP_EVERY_MS)
    }
    await deps.close()
  }
  return {
    killRunner: () => {
      const all = [...running]
      const child = all[randomInt(Math.max(all.length, 1))]
      child?.kill('SIGKILL')
      if (child) counts.killed++
    },
    ended: Promise.all([...Object.values(pros).map(keepRunning), keepBuying()]).then(() => undefined),
    check: async (settleMs) => {
      const totals = await checkTotals(databaseUrl, pros, { reported, bought: counts.bought, settleMs })
      await sql.end()
      return { ...counts, ...totals }
    },
  }
}

/** Of ten tasks, seven settle, two are released and one is abandoned. */
const randomOutcome = (digit: number) => (digit < 7 ? 'settle' : digit < 9 ? 'release' : 'leave')

async function checkTotals(
  databaseUrl: string,
  pros: { rich: string; poor: string },
  { reported, bought, settleMs }: { reported: ReadonlyMap<string, string>; bought: number; settleMs: number },
): Promise<Record<string, number>> {
  const sql = testSql(databaseUrl, 2)
  const tasksOf = (status: string) => sql<{ id: string }[]>`select id from metered_tasks where status = ${status}`
  expect(await waitUntil(async () => (await tasksOf('reserved')).length === 0, settleMs, 200)).toBe(true)
  expect(await ledgerFaults(sql)).toEqual([])
  const [settled, released, ran] = await Promise.all([
    tasksOf('settled'),
    tasksOf('released'),
    sql<{ id: string; times: number }[]>`select task_id as id, count(*) as times from ran group by 1`,
  ])
  // The settled tasks are exactly those that ran, and every reported outcome matches the stored one.
  const sorted = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).toSorted()
  expect(sorted(ran)).toEqual(sorted(settled))
  const reportedAs = (...outcomes: string[]) =>
    [...reported].filter(([, outcome]) => outcomes.includes(outcome)).map(([id]) => id)
  const missing = (ids: readonly string[], rows: readonly { id: string }[]) => {
    const existing = new Set(rows.map(({ id }) => id))
    return ids.filter((id) => !existing.has(id))
  }
  expect(missing(reportedAs('done'), settled)).toEqual([])
  expect(missing(reportedAs('released', 'left'), released)).toEqual([])
  expect(missing(reportedAs('done before'), [...settled, ...released])).toEqual([])
  const sums = await sql<{ pro: string; name: string; balance: number }[]>`
    select professional_id as pro, regexp_replace(name, ' .*', '') as name, sum(balance)::integer as balance
    from credit_accounts group by 1, 2`
  const held = (pro: string) =>
    Object.fromEntries(sums.filter((sum) => sum.pro === pro).map(({ name, balance }) => [name, balance]))
  const [rich, poor] = [held(pros.rich), held(pros.poor)]
  expect(rich).toMatchObject({ granted: -100, sold: -bought, reserved: 0 })
  expect(poor).toMatchObject({ granted: -100, sold: 0, reserved: 0 })
  expect((rich['spent'] ?? 0) + (poor['spent'] ?? 0)).toBe(settled.length)
  await sql.end()
  return {
    settled: settled.length,
    released: released.length,
    ranAgain: ran.reduce((sum, { times }) => sum + times - 1, 0),
    exhausted: reportedAs('exhausted').length,
    left: (rich['allowance'] ?? 0) + (rich['prepaid'] ?? 0) + (poor['allowance'] ?? 0),
  }
}
