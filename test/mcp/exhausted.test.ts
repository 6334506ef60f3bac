// A pro without agent tasks cannot use the pro server, whatever a tool costs (spec §4.7), until tasks are added. Replays
// still return their result.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'bun:test'

import { addCredits, getBalance, reserveTask, settleTask } from '../../src/features/agents/metering/verbs.ts'
import { PRO_SERVER, callTool, listedTools, rpc } from '../support/agents.ts'
import { openTestApp } from '../support/app.ts'
import { PRO_CALLS, createToolFixture } from '../support/tool-fixture.ts'
import { opened } from '../support/fixture.ts'
import { ctxOf } from '../../src/ctx.ts'

const app = await opened(openTestApp())
const world = await createToolFixture(app)

const left = () =>
  getBalance(ctxOf({ ...app.deps, read: app.deps.write }), { professionalId: world.pro.professionalId })
const ask = (name: string, args: object) => callTool(app, PRO_SERVER, world.keys.pro, name, args)

/** Uses up all tasks except `spared`. */
async function spend(remaining = 0): Promise<void> {
  const { available } = await left()
  for (let count = available; count > remaining; count--) {
    const taskId = app.deps.ids.uuid()
    const { professionalId } = world.pro
    await reserveTask(ctxOf(app.deps), { taskId, kind: 'prepare_day_brief', professionalId })
    await settleTask(ctxOf(app.deps), { professionalId, taskId })
  }
}

const addTasks = (tasks: number) =>
  addCredits(ctxOf(app.deps), { professionalId: world.pro.professionalId, tasks, reference: randomUUID() })

describe('the last task', () => {
  const key = { idempotencyKey: randomUUID() }

  test('pays for a result that replays return after the balance is zero', async () => {
    await spend(1)
    const first = await ask('prepare_assessment_notes', { leadId: world.leadId, ...key })
    expect([first.isError, await left()]).toMatchObject([false, { available: 0, reserved: 0 }])
    const { reply } = await rpc(app, PRO_SERVER, world.keys.pro, 'tools/call', {
      name: 'prepare_assessment_notes',
      arguments: { leadId: world.leadId, ...key },
    })
    expect(reply.result).toMatchObject({
      structuredContent: first.structured,
      _meta: { 'hearth/idempotentReplayed': true },
    })
    expect(await left()).toMatchObject({ available: 0, reserved: 0 })
  })

  test('pays for many calls under one key, which all return its result', async () => {
    await addTasks(1)
    const args = { leadId: world.leadId, purpose: 'ask_details', idempotencyKey: randomUUID() }
    const all = await Promise.all(Array.from({ length: 10 }, () => ask('prepare_customer_message', args)))
    expect(new Set(all.map(({ isError, structured }) => JSON.stringify([isError, structured]))).size).toBe(1)
    expect([all[0]?.isError, await left()]).toMatchObject([false, { available: 0, reserved: 0 }])
  })

  test('is not charged for a failed call', async () => {
    await addTasks(1)
    const args = { leadId: randomUUID(), idempotencyKey: randomUUID() }
    for (let attempt = 0; attempt < 2; attempt++) {
      const { problem } = await ask('prepare_assessment_notes', args)
      expect(problem?.code).toBe('rfq_not_found')
    }
    expect(await left()).toMatchObject({ available: 1, reserved: 0 })
  })
})

test('a pro without tasks can list tools and call none', async () => {
  const names = await listedTools(app, PRO_SERVER, world.keys.pro)
  const calls: [string, object][] = []
  for (const name of names) {
    const args = (await PRO_CALLS[name]?.(world)) ?? {}
    calls.push([name, args], [name, { ...args, idempotencyKey: randomUUID() }])
  }
  await spend()
  for (const [name, args] of calls) {
    const { problem } = await ask(name, args)
    // Read tools accept no idempotency key.
    const expected =
      problem?.code === 'validation_failed' && 'idempotencyKey' in args ? problem.code : 'agent_tasks_exhausted'
    expect([name, problem?.code]).toEqual([name, expected])
  }
  expect((await listedTools(app, PRO_SERVER, world.keys.pro)).length).toBe(names.length)
  expect(names.length).toBeGreaterThan(25)
  await addTasks(1)
  expect((await ask('list_leads', {})).isError).toBe(false)
})
