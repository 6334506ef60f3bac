// What leads an agent that knows only tools/list out of a refusal, and what counts as a dead end.
import { expect, test } from 'bun:test'

import { PROPOSAL_KINDS } from '../../src/features/agents/proposals/schemas.ts'
import { addCredits, getBalance, reserveTask, settleTask } from '../../src/features/agents/metering/verbs.ts'
import { proTools } from '../../src/mcp/pro/tools.ts'
import { PRO_SERVER, type ToolReply, rpc, setPlan } from '../support/agents.ts'
import { openTestApp } from '../support/app.ts'
import { FollowingAgent, type ListedTool } from '../support/following-agent.ts'
import { opened } from '../support/fixture.ts'
import { type ProAgentFixture, openProAgentFixture } from '../support/pro-agent-fixture.ts'
import { ctxOf } from '../../src/ctx.ts'

const app = await opened(openTestApp())

async function agentOf(pro: ProAgentFixture, open?: () => Promise<void>): Promise<FollowingAgent> {
  const { reply } = await rpc(app, PRO_SERVER, pro.agentKey, 'tools/list')
  return new FollowingAgent(
    (reply.result?.['tools'] ?? []) as ListedTool[],
    (name, args) => pro.tool(name, args),
    {},
    open,
  )
}

test('an outdated proposal is made again with the tool that the error names', async () => {
  const pro = await openProAgentFixture(app)
  const { serviceId } = pro
  const first = await pro.tool('update_service_pricing', { serviceId, basePrice: 180 })
  await pro.tool('update_service_pricing', { serviceId, basePrice: 210 })
  const { proposal } = first.structured as { proposal: { id: string } }
  expect(await pro.outcome('confirm_action', { proposalId: proposal.id })).toBe('done')
  const agent = await agentOf(pro)
  const wish = { serviceId, basePrice: 210 }
  expect(await agent.reach('Confirm a proposal', /"status":"confirmed"/, wish)).toContain('210')
  expect([agent.deadEnds, agent.calls]).toEqual([
    [],
    ['get_proposal_status', 'confirm_action', 'update_service_pricing', 'confirm_action'],
  ])
})

test('each kind of proposal has the tool that its conflict names', () => {
  const names = new Set(proTools.map(({ name }) => name))
  expect(PROPOSAL_KINDS.filter((kind) => !names.has(`update_${kind}`))).toEqual([])
})

test('without tasks the person buys some at the link of the error, and the agent goes on', async () => {
  const pro = await openProAgentFixture(app, 1)
  const { deps } = app
  const { professionalId } = pro
  await setPlan(app, professionalId, 'verified')
  const { available } = await getBalance(ctxOf(deps), { professionalId })
  for (let index = 0; index < available; index++) {
    const taskId = deps.ids.uuid()
    await reserveTask(ctxOf(deps), { taskId, kind: 'prepare_day_brief', professionalId })
    await settleTask(ctxOf(deps), { professionalId, taskId })
  }
  const agent = await agentOf(
    pro,
    async () => void (await addCredits(ctxOf(deps), { professionalId, tasks: 10, reference: 'bought at the link' })),
  )
  expect(await agent.reach('Prepare a day', /"brief"/)).toContain('"date"')
  expect([agent.deadEnds, agent.calls]).toEqual([[], ['prepare_day_brief', 'prepare_day_brief']])
})

const refused = (detail: string): Promise<ToolReply> =>
  Promise.resolve({ isError: true, structured: {}, texts: [detail], problem: {} })
const tool = (name: string, required: string[] = []): ListedTool => ({
  name,
  title: name,
  description: 'Does something.',
  inputSchema: { properties: Object.fromEntries(required.map((each) => [each, {}])), required },
})

test.each([
  ['an error that names no tool, field or value', [tool('do_this')], 'do_this: not_possible: Not possible.'],
  ['an argument of unknown origin', [tool('do_this', ['thingId'])], 'do_this: nothing says where thingId comes from'],
])('a dead end is counted: %s', async (_, tools, deadEnd) => {
  const agent = new FollowingAgent(tools, () => refused('not_possible: Not possible.'), {})
  await agent.reach('do_this', /done/)
  expect(agent.deadEnds).toContain(deadEnd)
})
