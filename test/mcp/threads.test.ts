// run_agent and the thread tools, called by an agent platform.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { openModel } from '../../src/mcp/models/open-model.ts'
import { toolExecutorFor } from '../../src/mcp/runs/tool-executor.ts'
import { executeRun } from '../../src/mcp/runs/execute.ts'
import { getBalance, reserveTask, settleTask } from '../../src/features/agents/metering/verbs.ts'
import type { Sql } from '../../src/platform/postgres/database.ts'
import { runFaults, runOptions } from '../support/agent-runs.ts'
import { type AgentPro, PRO_SERVER, agentPro, callTool, listedTools, rpc, setPlan } from '../support/agents.ts'
import { type TestApp, openTestApp } from '../support/app.ts'
import { ledgerFaults } from '../support/metering.ts'
import { ctxOf } from '../../src/ctx.ts'

let app: TestApp
let sql: Sql
let pro: AgentPro
let skip = 0

beforeAll(async () => {
  app = await openTestApp()
  sql = app.sql
  pro = await newPro()
})
afterAll(async () => {
  expect(await runFaults(sql)).toEqual([])
  expect(await ledgerFaults(sql)).toEqual([])
  await app.close()
})

const newPro = () => agentPro(app, { skip: skip++ })
const use = (name: string, args: object, caller = pro) => callTool(app, PRO_SERVER, caller.key, name, args)

interface RunReply {
  id: string
  status: string
  answer: string | null
  steps: { tool: string }[]
}
const runIn = ({ structured }: { structured: Record<string, unknown> }) => structured['run'] as RunReply
const threadOf = async (who = pro) => {
  const { structured } = await use('create_thread', { title: 'Autumn' }, who)
  return (structured['thread'] as { id: string }).id
}
async function spend(professionalId: string, tasks: number): Promise<void> {
  const { deps } = app
  for (let n = 0; n < tasks; n++) {
    const taskId = deps.ids.uuid()
    await reserveTask(ctxOf(deps), { taskId, kind: 'prepare_day_brief', professionalId })
    await settleTask(ctxOf(deps), { professionalId, taskId })
  }
}
/** Executes runs as the worker does, with the built-in planner. */
async function workOn(runId: string, who = pro): Promise<void> {
  const model = await openModel(app.deps.config)
  const { deps } = app
  await executeRun(
    ctxOf(deps),
    { professionalId: who.id, runId },
    { ...runOptions(model), executorFor: (run) => toolExecutorFor(deps, run) },
  )
}

describe('an agent platform', () => {
  test('creates a thread, chats on it, and reads messages and steps', async () => {
    const threadId = await threadOf()
    const reply = await use('chat_on_thread', { threadId, message: 'Are there new leads?', waitSeconds: 0 })
    expect(runIn(reply)).toMatchObject({ status: 'queued', answer: null, steps: [] })
    expect(reply.texts[1]).toContain(runIn(reply).id)
    expect((await use('get_thread', { threadId })).structured).toMatchObject({ openRuns: [{ status: 'queued' }] })
    await workOn(runIn(reply).id)
    const { structured } = await use('get_thread', { threadId })
    const messages = structured['messages'] as { role: string; content: string }[]
    expect(messages[0]).toMatchObject({ role: 'person', content: 'Are there new leads?' })
    expect(messages.map(({ role }) => role)).toContain('tool')
    expect(messages.at(-1)).toMatchObject({ role: 'agent' })
    expect((await use('list_threads', {})).structured).toMatchObject({ threads: [{ id: threadId, title: 'Autumn' }] })
  })

  test('gets the answer with the call when it comes in time', async () => {
    const reply = use('run_agent', { goal: 'Look at my leads', waitSeconds: 7 })
    const queuedRun = async () =>
      (
        await sql<{ id: string }[]>`select id from agent_runs where professional_id = ${pro.id} and status = 'queued'`
      )[0]
    let queued = await queuedRun()
    while (!queued) queued = await queuedRun()
    await workOn(queued.id)
    expect(runIn(await reply)).toMatchObject({ id: queued.id, status: 'succeeded', steps: [{ tool: 'list_leads' }] })
  })

  test('starts one run for one task with fifty concurrent retries under one key', async () => {
    const who = await newPro()
    const threadId = await threadOf(who)
    const args = { goal: 'Once', threadId, waitSeconds: 0, idempotencyKey: 'one-and-only' }
    const replies = await Promise.all(Array.from({ length: 50 }, () => use('run_agent', args, who)))
    expect(new Set(replies.map((reply) => runIn(reply).id)).size).toBe(1)
    expect(await getBalance(ctxOf(app.deps), { professionalId: who.id })).toMatchObject({ reserved: 1, spent: 0 })
    expect((await use('get_thread', { threadId }, who)).structured).toMatchObject({ thread: { messageCount: 1 } })
    const other = await use('run_agent', { ...args, goal: 'Twice' }, who)
    expect(other.problem).toMatchObject({ code: 'idempotency_mismatch' })
  })

  test('gets agent_tasks_exhausted without tasks, and no run is started', async () => {
    const who = await newPro()
    await setPlan(app, who.id, 'verified')
    await spend(who.id, 99)
    const runs = await Promise.all(
      Array.from({ length: 8 }, (_, n) => use('run_agent', { goal: `Goal ${n}`, waitSeconds: 0 }, who)),
    )
    expect(runs.filter(({ isError }) => !isError)).toHaveLength(1)
    for (const { isError, problem } of runs) if (isError) expect(problem?.code).toBe('agent_tasks_exhausted')
    expect(await sql`select from agent_runs where professional_id = ${who.id}`).toHaveLength(1)
  })

  test('cannot use another pro’s thread or an unknown one', async () => {
    const stranger = await newPro()
    const threadId = await threadOf(stranger)
    for (const id of [threadId, '00000000-0000-7000-8000-000000000000'])
      for (const [tool, args] of [
        ['get_thread', { threadId: id }],
        ['chat_on_thread', { threadId: id, message: 'Hello' }],
        ['run_agent', { threadId: id, goal: 'Hello' }],
      ] as const)
        expect((await use(tool, args)).problem).toMatchObject({ code: 'thread_not_found' })
    expect((await use('list_threads', {})).structured).not.toMatchObject({ threads: [{ id: threadId }] })
  })

  test.each([
    ['an empty goal', { goal: '' }],
    ['a goal too long', { goal: 'x'.repeat(5001) }],
    ['no goal', {}],
    ['a thread id that is not a UUID', { goal: 'x', threadId: 'mine' }],
    ['a wait that is too long', { goal: 'x', waitSeconds: 60 }],
    ['an unknown argument', { goal: 'x', model: 'the best' }],
  ])('learns from the error how to correct %s', async (_, args) => {
    expect((await use('run_agent', args)).problem).toMatchObject({ code: 'validation_failed' })
  })
})

describe('the thread tools are', () => {
  const NAMES = ['create_thread', 'list_threads', 'get_thread', 'chat_on_thread']
  const off = { FEATURE_PRO_MCP_THREADS: '0', FEATURE_PRO_AGENT_THREADS: '0' }
  test.each([
    ['missing without both flags', off, false],
    ['listed with the flag pro_mcp_threads', { ...off, FEATURE_PRO_MCP_THREADS: '1' }, true],
    ['listed with the flag pro_agent_threads', { ...off, FEATURE_PRO_AGENT_THREADS: '1' }, true],
  ])('%s', async (_, env, isListed) => {
    const other = await openTestApp('seeded', { env })
    try {
      const { key } = await agentPro(other)
      const listed = await listedTools(other, PRO_SERVER, key)
      expect(listed.filter((name) => NAMES.includes(name))).toEqual(isListed ? NAMES : [])
      expect(listed.filter((name) => name === 'run_agent')).toHaveLength(1)
      const { reply } = await rpc(other, PRO_SERVER, key, 'tools/list')
      const tools = reply.result?.['tools'] as { name: string; inputSchema: { properties: object } }[]
      const { inputSchema } = tools.find(({ name }) => name === 'run_agent') ?? { inputSchema: { properties: {} } }
      expect('threadId' in inputSchema.properties).toBe(isListed)
      const args = { goal: 'x', threadId: '00000000-0000-7000-8000-000000000000' }
      expect((await callTool(other, PRO_SERVER, key, 'run_agent', args)).problem).toMatchObject({
        code: isListed ? 'thread_not_found' : 'validation_failed',
      })
    } finally {
      await other.close()
    }
  })
})
