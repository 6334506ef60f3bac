// A database for the tests of threads and runs, a pro of its own for each test, and whether all adds up in the end.
import { afterAll, beforeAll, beforeEach, expect } from 'bun:test'

import type { Deps } from '../../src/deps.ts'
import type { RunRef, ThreadOwner } from '../../src/features/threads/schemas.ts'
import { startRun } from '../../src/features/threads/verbs/runs.ts'
import type { Sql } from '../../src/platform/postgres/database.ts'
import { runFaults } from './agent-runs.ts'
import { type MeteringFixture, ledgerFaults, insertMeteredPro, openMeteringFixture } from './metering.ts'

export interface RunFixture {
  readonly deps: Deps
  readonly sql: Sql
  /** Who the present test is about: a pro on the Verified plan. */
  readonly owner: ThreadOwner
  /** What the clock says; the real time where it is undefined, as at the start of each test. */
  now: Date | undefined
  createOwner: () => Promise<ThreadOwner>
  /** Queues a run of the owner's. */
  queueRun: (goal?: string, threadId?: string) => Promise<RunRef>
  /** The state of the task that pays for a run. */
  taskOf: (runId: string) => Promise<string | undefined>
}

/** To be called once, at the top of a test file: it is open while the file's tests run. */
export function useRunFixture(): RunFixture {
  let opened: MeteringFixture
  let owner: ThreadOwner
  const createOwner = async () => {
    const { sql } = opened
    const professionalId = await insertMeteredPro(sql, 'verified')
    const [row] = await sql<{ accountId: string }[]>`select account_id from professionals where id = ${professionalId}`
    return { professionalId, accountId: row?.accountId ?? '' }
  }
  const refOf = (runId: string) => ({ professionalId: owner.professionalId, runId })
  const world: RunFixture = {
    get deps() {
      return opened.deps
    },
    get sql() {
      return opened.sql
    },
    get owner() {
      return owner
    },
    now: undefined,
    createOwner,
    queueRun: async (goal = 'Look around', threadId) =>
      refOf((await startRun(opened.deps, owner, { kind: 'run_agent', goal, threadId })).value.runId),
    taskOf: async (runId) => {
      const [row] = await opened.sql<{ status: string }[]>`select status from metered_tasks where id = ${runId}`
      return row?.status
    },
  }
  beforeAll(async () => {
    opened = await openMeteringFixture({ now: () => world.now ?? new Date() })
  })
  beforeEach(async () => {
    world.now = undefined
    owner = await createOwner()
  })
  afterAll(async () => {
    expect(await runFaults(opened.sql)).toEqual([])
    expect(await ledgerFaults(opened.sql)).toEqual([])
    await opened.close()
  })
  return world
}
