// Pros are notified that their agent tasks run out: once at a fifth, once at zero, and again after tasks were added.
import { beforeAll, describe, expect, test } from 'bun:test'

import type { Deps } from '../../../src/deps.ts'
import {
  addCredits,
  noticeLowBalances,
  releaseTask,
  reserveTask,
  settleTask,
} from '../../../src/features/metering/verbs.ts'
import { addNotice, listNotices, readNotice } from '../../../src/features/notices/verbs.ts'
import type { Sql } from '../../../src/platform/postgres/database.ts'
import { insertMeteredPro, openMeteringFixture } from '../../support/metering.ts'
import { useFixture } from '../../support/fixture.ts'

const now = new Date('2026-11-20T12:00:00Z')
const world = useFixture(() => openMeteringFixture({ now: () => now }))
let deps: Deps
let sql: Sql

beforeAll(async () => {
  ;({ deps, sql } = world)
})

const taskId = () => Bun.randomUUIDv7()
const reserve = async (pro: string, id = taskId()) => {
  await reserveTask(deps, deps.write, pro, { taskId: id, kind: 'run_agent' })
  return id
}
const spend = async (pro: string, tasks: number) => {
  for (let task = 0; task < tasks; task++) await settleTask(deps, deps.write, pro, await reserve(pro))
}

describe('a notice', () => {
  const kindsOf = async (pro: string) => {
    while ((await noticeLowBalances(deps, now, 10)) > 0);
    const [account] = await sql<{ id: string }[]>`select account_id as id from professionals where id = ${pro}`
    return (await listNotices(deps, account?.id ?? '')).map(({ kind, data }) => [kind, data['left']]).toReversed()
  }

  test('is written once at a fifth and once at zero, and again after tasks were added', async () => {
    const pro = await insertMeteredPro(sql, 'none')
    await addCredits(deps, pro, 10, 'first')
    await spend(pro, 7)
    expect(await kindsOf(pro)).toEqual([])
    const open = await reserve(pro)
    expect(await kindsOf(pro)).toEqual([['agent_tasks_low', 2]])
    // Crossing the same threshold again writes no notice.
    await releaseTask(deps, deps.write, pro, open)
    await spend(pro, 1)
    expect((await kindsOf(pro)).length).toBe(1)
    await spend(pro, 2)
    expect(await kindsOf(pro)).toEqual([
      ['agent_tasks_low', 2],
      ['agent_tasks_exhausted', 0],
    ])
    await addCredits(deps, pro, 5, 'second')
    await spend(pro, 4)
    expect((await kindsOf(pro)).length).toBe(3)
  })

  test('is not written when tasks were added before it was due', async () => {
    const pro = await insertMeteredPro(sql, 'none')
    await addCredits(deps, pro, 1, 'first')
    await spend(pro, 1)
    await addCredits(deps, pro, 100, 'second')
    expect(await kindsOf(pro)).toEqual([])
  })

  test('is written once by concurrent maintenance', async () => {
    const pros = await Promise.all(Array.from({ length: 12 }, () => insertMeteredPro(sql, 'none')))
    for (const pro of pros) {
      await addCredits(deps, pro, 1, 'first')
      await spend(pro, 1)
    }
    const written = await Promise.all(Array.from({ length: 6 }, () => noticeLowBalances(deps, now, 4)))
    const rest = await noticeLowBalances(deps, now, 100)
    expect(written.reduce((sum, count) => sum + count, rest)).toBe(12)
  })

  test('belongs to one account and is read once', async () => {
    const ids = await Promise.all([1, 2].map(() => insertMeteredPro(sql, 'none')))
    const accounts = await sql<{ id: string }[]>`select account_id as id from professionals where id = any(${ids})`
    const [mine, other] = [accounts[0]?.id ?? '', accounts[1]?.id ?? '']
    await addNotice(deps, deps.write, mine, { kind: 'webhook_disabled', data: { endpointId: taskId() } })
    const [notice] = await listNotices(deps, mine)
    expect(await listNotices(deps, other)).toEqual([])
    expect(await readNotice(deps, other, notice?.id ?? '')).toBe(false)
    // A form that is sent twice ends as one that is sent once.
    for (const _ of [1, 2]) expect(await readNotice(deps, mine, notice?.id ?? '')).toBe(true)
    expect(await listNotices(deps, mine, { unreadOnly: true })).toEqual([])
  })
})
