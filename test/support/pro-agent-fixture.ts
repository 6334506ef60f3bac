// A pro with an agent for tests of the pro server's tools: calls of the tools, and leads and jobs to work on.
import { createRfq } from '../../src/features/quoting/rfqs/verbs/rfqs.ts'
import type { NewRfq } from '../../src/features/quoting/rfqs/schemas.ts'
import type { Quote } from '../../src/features/quoting/quotes/schemas.ts'
import { getBalance } from '../../src/features/agents/metering/verbs.ts'
import { PRO_SERVER, type ToolReply, callTool, setPlan } from './agents.ts'
import type { TestApp } from './app.ts'
import { type QuotingPro, quotingPro, newRfqInput, sentQuote } from './quotes.ts'
import { ctxOf } from '../../src/ctx.ts'

export interface ProAgentFixture extends QuotingPro {
  agentKey: string
  tool(name: string, args?: object): Promise<ToolReply>
  /** The code of the error, or `done`. */
  outcome(name: string, args?: object): Promise<string>
  rest(path: string): Promise<object>
  lead(changes?: Partial<NewRfq>): Promise<string>
  /** Creates a completed job with a quoted and a paid price. Returns its id. */
  createCompletedJob(quoted: number, paid?: number): Promise<string>
  /** Creates a job by accepting a quote. */
  createAcceptedJob(amount: number): Promise<{ jobId: string; leadId: string; quoteId: string }>
  /** The number of agent tasks spent or reserved. */
  tasksUsed(): Promise<number>
}

export async function openProAgentFixture(app: TestApp, n = 0): Promise<ProAgentFixture> {
  const pro = await quotingPro(app, n)
  await setPlan(app, pro.professionalId, 'business')
  const agentKey = await app.key(['mcp:read', 'mcp:write'], pro.email)
  const tool = (name: string, args: object = {}) => callTool(app, PRO_SERVER, agentKey, name, args)

  const createAcceptedJob = async (amount: number) => {
    const { rfqId, quoteId, token } = await sentQuote(app.deps, pro, { amount })
    const answer = await app.send(`/api/v1/quotes/${token}/accept`, { method: 'POST' })
    const { quote } = (await answer.json()) as { quote: Quote }
    return { jobId: quote.jobId ?? '', leadId: rfqId, quoteId }
  }
  return {
    ...pro,
    agentKey,
    tool,
    outcome: async (name, args) => {
      const { isError, problem } = await tool(name, args)
      return isError ? (problem?.code ?? '') : 'done'
    },
    rest: async (path) => (await (await app.send(`/api/v1${path}`, { key: pro.key })).json()) as object,
    lead: async (changes) => (await createRfq(ctxOf(app.deps, pro), newRfqInput(pro, changes))).rfq.id,
    createCompletedJob: async (quoted, paid = quoted) => {
      const { jobId } = await createAcceptedJob(quoted)
      const json = { action: 'complete', finalAmount: paid }
      await app.send(`/api/v1/pro/jobs/${jobId}`, { key: pro.key, json })
      return jobId
    },
    createAcceptedJob,
    tasksUsed: async () => {
      const { spent, reserved } = await getBalance(ctxOf(app.deps), { professionalId: pro.professionalId })
      return spent + reserved
    },
  }
}
