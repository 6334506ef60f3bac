// A database for tests of threads and runs, with a new pro for each test and a consistency check at the end.
import { afterAll, beforeAll, beforeEach, expect } from 'bun:test'

import type { Deps } from '../../src/deps.ts'
import type { RunRef, ThreadOwner } from '../../src/features/agents/threads/schemas.ts'
import { startRun } from '../../src/features/agents/threads/verbs/runs.ts'
import type { Sql } from '../../src/platform/postgres/database.ts'
import { runFaults } from './agent-runs.ts'
import { type MeteringFixture, ledgerFaults, insertMeteredPro, openMeteringFixture } from './metering.ts'
import { ctxOf } from '../../src/ctx.ts'

export interface RunFixture {
  readonly deps: Deps
  readonly sql: Sql
  /** The pro of the current test, on the Verified plan. */
  readonly owner: ThreadOwner
  /** The time of the clock. Undefined, as at the start of each test, means the real time. */
  now: Date | undefined
  createOwner: () => Promise<ThreadOwner>
  /** Queues a run of the owner's. */
  queueRun: (goal?: string, threadId?: string) => Promise<RunRef>
  /** The state of the task that pays for a run. */
  taskOf: (runId: string) => Promise<string | undefined>
}

/** Opens the fixture while the tests of a file run. Call it once, at the top of the file. */
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
  const fixture: RunFixture = {
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
      refOf((await startRun(ctxOf(opened.deps, owner), { kind: 'run_agent', goal, threadId })).runId),
    taskOf: async (runId) => {
      const [row] = await opened.sql<{ status: string }[]>`select status from metered_tasks where id = ${runId}`
      return row?.status
    },
  }
  beforeAll(async () => {
    opened = await openMeteringFixture({ now: () => fixture.now ?? new Date() })
  })
  beforeEach(async () => {
    fixture.now = undefined
    owner = await createOwner()
  })
  afterAll(async () => {
    expect(await runFaults(opened.sql)).toEqual([])
    expect(await ledgerFaults(opened.sql)).toEqual([])
    await opened.close()
  })
  return fixture
}
