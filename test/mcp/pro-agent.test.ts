// Stories of pros, told to an agent that knows only tools/list. Each must end well, without a dead end.
import { afterAll, expect, test } from 'bun:test'

import { openModel } from '../../src/mcp/models/open-model.ts'
import { executeRun } from '../../src/mcp/runs/execute.ts'
import { toolExecutorFor } from '../../src/mcp/runs/tool-executor.ts'
import { runOptions } from '../support/agent-runs.ts'
import { PRO_SERVER, rpc } from '../support/agents.ts'
import { openTestApp } from '../support/app.ts'
import { FollowingAgent, type ListedTool } from '../support/following-agent.ts'
import { opened } from '../support/fixture.ts'
import { openProAgentFixture } from '../support/pro-agent-fixture.ts'
import { ctxOf } from '../../src/ctx.ts'

const app = await opened(openTestApp())
const deadEnds: string[] = []
const pro = await openProAgentFixture(app)
const { reply } = await rpc(app, PRO_SERVER, pro.agentKey, 'tools/list')
const tools = (reply.result?.['tools'] ?? []) as ListedTool[]
afterAll(() => {
  process.stdout.write(`dead ends of pros' agents: ${deadEnds.length}\n`)
  expect(deadEnds).toEqual([])
})

/** Executes queued runs as the worker does, with the built-in planner. */
async function workOnRuns(): Promise<void> {
  const { deps } = app
  const { professionalId } = pro
  const queued = await app.sql<{ id: string }[]>`
    select id from agent_runs where professional_id = ${professionalId} and status = 'queued'`
  const options = {
    ...runOptions(await openModel(deps.config)),
    executorFor: (run: Parameters<typeof toolExecutorFor>[1]) => toolExecutorFor(deps, run),
  }
  for (const { id } of queued) await executeRun(ctxOf(deps), { professionalId, runId: id }, options)
}

/** Tells the story to an agent, and keeps its dead ends. */
const story = (name: string, tell: (agent: FollowingAgent) => Promise<void>) =>
  test(name, async () => {
    const agent = new FollowingAgent(
      tools,
      async (tool, args) => {
        if (tool.startsWith('get_')) await workOnRuns()
        return await pro.tool(tool, args)
      },
      { waitSeconds: 0 },
    )
    await tell(agent).finally(() => deadEnds.push(...agent.deadEnds))
    expect([agent.deadEnds, agent.calls.length <= 20]).toEqual([[], true])
  })

const CONFIRMED = /"status":"confirmed"/
const run = (agent: FollowingAgent, goal: string) =>
  agent.reach('Run the agent', /"status":"succeeded"/, { goal, waitSeconds: 0 })

story('quotes a new lead in the pro’s own words', async (agent) => {
  await pro.lead({ description: 'The gutter leaks at the corner.' })
  const message = 'We can come on Thursday.'
  expect(await agent.reach('List leads', CONFIRMED, { status: 'new', message })).toMatch(CONFIRMED)
  expect(await pro.rest(`/pro/quotes/${String(agent.known['quoteId'])}`)).toMatchObject({ quote: { message } })
})

story('changes a price once the pro agrees', async (agent) => {
  const wish = { basePrice: 199, minPrice: 150, maxPrice: 400 }
  expect(await agent.reach('List services', CONFIRMED, wish)).toMatch(CONFIRMED)
})

story('drops a change that the pro does not want', async (agent) => {
  await agent.reach('Edit the business profile', /"status":"open"/, { description: 'Cheap.' })
  expect(await agent.reach('Dismiss a proposal', /"status":"dismissed"/)).toContain('dismissed')
})

story('finds an open proposal from an earlier day', async (agent) => {
  await pro.tool('update_business_profile', { description: 'Gutters and roofs since 1998.' })
  expect(await agent.reach('Confirm a proposal', CONFIRMED)).toMatch(CONFIRMED)
})

story('prepares a day', async (agent) => {
  expect(await agent.reach('Prepare a day', /"brief"/)).toContain('"date"')
})

story('puts an agreed job on one page', async (agent) => {
  await pro.createAcceptedJob(400)
  expect(await agent.reach('List jobs', /"spec"/)).toContain('"spec"')
})

story('asks a customer for details', async (agent) => {
  expect(await agent.reach('Draft a message', /"message"/, { purpose: 'ask_details' })).toContain('"body"')
})

story('notes what to check, and reads it again', async (agent) => {
  await agent.reach('Prepare assessment notes', /"toAsk"/)
  expect(await agent.reach('Read assessment notes', /"toAsk"/)).toContain('"toAsk"')
})

story('lets the built-in agent raise a price', async (agent) => {
  const { services } = (await pro.rest('/pro/services')) as { services: { name: string }[] }
  await run(agent, `Raise the price of ${services[0]?.name} by 5 %`)
  expect(await agent.reach('Confirm a proposal', CONFIRMED)).toMatch(CONFIRMED)
})

story('learns for free that a goal is not understood', async (agent) => {
  const before = await pro.tasksUsed()
  expect(await agent.reach('Run the agent', /not_understood/, { goal: 'Sing me a song', waitSeconds: 0 })).toContain(
    'not_understood',
  )
  expect(await pro.tasksUsed()).toBe(before)
})

story('talks with the built-in agent on a thread', async (agent) => {
  const wish = { title: 'Autumn', message: 'Are there new leads?', waitSeconds: 0 }
  expect(await agent.reach('Create a thread', /"status":"succeeded"/, wish)).toContain('new lead')
})
