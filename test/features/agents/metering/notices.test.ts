// Pros are notified that their agent tasks run out: once at a fifth, once at zero, and again after tasks were added.
import { describe, expect, test } from 'bun:test'

import {
  addCredits,
  noticeLowBalances,
  releaseTask,
  reserveTask,
  settleTask,
} from '../../../../src/features/agents/metering/verbs.ts'
import { addNotice, listNotices, readNotice } from '../../../../src/features/messages/notices/verbs.ts'
import { insertMeteredPro, openMeteringFixture } from '../../../support/metering.ts'
import { opened } from '../../../support/fixture.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const now = new Date('2026-11-20T12:00:00Z')

const { deps, sql } = await opened(openMeteringFixture({ now: () => now }))

const taskId = () => Bun.randomUUIDv7()
const reserve = async (pro: string, id = taskId()) => {
  await reserveTask(ctxOf(deps), { taskId: id, kind: 'run_agent', professionalId: pro })
  return id
}
const spend = async (pro: string, tasks: number) => {
  for (let task = 0; task < tasks; task++)
    await settleTask(ctxOf(deps), { professionalId: pro, taskId: await reserve(pro) })
}

describe('a notice', () => {
  const kindsOf = async (pro: string) => {
    while ((await noticeLowBalances(ctxOf(deps), { now, limit: 10 })) > 0);
    const [account] = await sql<{ id: string }[]>`select account_id as id from professionals where id = ${pro}`
    return (await listNotices(ctxOf(deps), { accountId: account?.id ?? '' }))
      .map(({ kind, data }) => [kind, data['left']])
      .toReversed()
  }

  test('is written once at a fifth and once at zero, and again after tasks were added', async () => {
    const pro = await insertMeteredPro(sql, 'none')
    await addCredits(ctxOf(deps), { professionalId: pro, tasks: 10, reference: 'first' })
    await spend(pro, 7)
    expect(await kindsOf(pro)).toEqual([])
    const open = await reserve(pro)
    expect(await kindsOf(pro)).toEqual([['agent_tasks_low', 2]])
    // Crossing the same threshold again writes no notice.
    await releaseTask(ctxOf(deps), { professionalId: pro, taskId: open })
    await spend(pro, 1)
    expect((await kindsOf(pro)).length).toBe(1)
    await spend(pro, 2)
    expect(await kindsOf(pro)).toEqual([
      ['agent_tasks_low', 2],
      ['agent_tasks_exhausted', 0],
    ])
    await addCredits(ctxOf(deps), { professionalId: pro, tasks: 5, reference: 'second' })
    await spend(pro, 4)
    expect((await kindsOf(pro)).length).toBe(3)
  })

  test('is not written when tasks were added before it was due', async () => {
    const pro = await insertMeteredPro(sql, 'none')
    await addCredits(ctxOf(deps), { professionalId: pro, tasks: 1, reference: 'first' })
    await spend(pro, 1)
    await addCredits(ctxOf(deps), { professionalId: pro, tasks: 100, reference: 'second' })
    expect(await kindsOf(pro)).toEqual([])
  })

  test('is written once by concurrent maintenance', async () => {
    const pros = await Promise.all(Array.from({ length: 12 }, () => insertMeteredPro(sql, 'none')))
    for (const pro of pros) {
      await addCredits(ctxOf(deps), { professionalId: pro, tasks: 1, reference: 'first' })
      await spend(pro, 1)
    }
    const written = await Promise.all(
      Array.from({ length: 6 }, () => noticeLowBalances(ctxOf(deps), { now, limit: 4 })),
    )
    const rest = await noticeLowBalances(ctxOf(deps), { now, limit: 100 })
    expect(written.reduce((sum, count) => sum + count, rest)).toBe(12)
  })

  test('belongs to one account and is read once', async () => {
    const ids = await Promise.all([1, 2].map(() => insertMeteredPro(sql, 'none')))
    const accounts = await sql<{ id: string }[]>`select account_id as id from professionals where id = any(${ids})`
    const [mine, other] = [accounts[0]?.id ?? '', accounts[1]?.id ?? '']
    await ctxOf(deps).transaction('addNotice', (ctx) =>
      addNotice(ctx, { kind: 'webhook_disabled', data: { endpointId: taskId() }, accountId: mine }),
    )
    const [notice] = await listNotices(ctxOf(deps), { accountId: mine })
    expect(await listNotices(ctxOf(deps), { accountId: other })).toEqual([])
    expect(await readNotice(ctxOf(deps), { accountId: other, id: notice?.id ?? '' })).toBe(false)
    // A form that is sent twice ends as one that is sent once.
    for (const _ of [1, 2]) expect(await readNotice(ctxOf(deps), { accountId: mine, id: notice?.id ?? '' })).toBe(true)
    expect(await listNotices(ctxOf(deps), { unreadOnly: true, accountId: mine })).toEqual([])
  })
})
