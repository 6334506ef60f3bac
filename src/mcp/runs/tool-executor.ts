// The hands of an agent in a run: the pro server's tools that it may call, called as that server calls them.
import type { Deps } from '../../deps.ts'
import type { TakenRun } from '../../features/threads/verbs/run-execution.ts'
import type { ProCaller } from '../../auth/pro-caller.ts'
import { StoreUnavailable } from '../../platform/postgres/store-error.ts'
import type { Offer } from '../models/model.ts'
import { proSide } from '../pro/definition.ts'
import { publish } from '../server/published-tools.ts'
import { callTool } from '../server/calls.ts'
import { toolsFor } from '../server/definition.ts'
import type { Tool } from '../server/tool.ts'
import { summaryOf } from './summary.ts'

/** What a tool answered, as the model gets to see it. */
export interface Answered {
  text: string
  isError: boolean
  /** The result in a line, for people. */
  summary: string
}

export interface Hands {
  readonly offers: readonly Offer[]
  /** Whether a call of this tool leaves something behind. */
  writes(tool: string): boolean
  /**
   * Calls a tool on the pro's behalf. What is wrong with the call is an answer that says so. Under one idempotency key
   * the tool's effect comes about once, however often it is called.
   */
  call(tool: string, input: unknown, idempotencyKey: string): Promise<Answered>
}

/**
 * All that an agent may do by itself: look, prepare, propose. Whatever a lead or a message talks it into, it cannot
 * confirm, begin further runs, or read other threads: a tool that is not named here is not there for it.
 */
export const ALLOWED: ReadonlySet<string> = new Set([
  'list_leads',
  'get_lead',
  'list_quotes',
  'get_quote',
  'list_jobs',
  'get_job',
  'get_assessment',
  'list_job_media',
  'list_bookings',
  'list_services',
  'get_availability',
  'view_analytics',
  'get_proposal_status',
  'prepare_quote_draft',
  'prepare_assessment_notes',
  'prepare_day_brief',
  'update_quote_content',
  'prepare_job_spec',
  'prepare_customer_message',
  'update_service_pricing',
  'update_business_profile',
  'update_public_profile',
  'update_business_entity',
  'update_site_config',
  'update_service_content',
])

/** The hands for one run. */
export function handsOf(deps: Deps, run: TakenRun): Hands {
  const caller = callerOf(run)
  const tools = toolsFor(proSide, deps, caller).filter(({ name }) => ALLOWED.has(name))
  const find = (name: string) => tools.find((tool) => tool.name === name)
  return {
    offers: tools.map(offerOf),
    writes: (name) => find(name)?.does === 'write',
    call: async (name, input, idempotencyKey) => {
      const tool = find(name)
      if (!tool) return refused(`unknown_tool: there is no tool ${JSON.stringify(name)} for you.`)
      if (typeof input !== 'object' || input === null || Array.isArray(input))
        return refused('validation_failed: what a tool is called with must be one JSON object.')
      const { idempotencyKey: _ignored, ...args } = input as Record<string, unknown>
      return await call(deps, run, tool, tool.idempotent ? { ...args, idempotencyKey } : args)
    },
  }
}

/** The pro, as their own agent: both scopes, no key. */
const callerOf = ({ professionalId, accountId, runId }: TakenRun): ProCaller => ({
  keyId: runId,
  accountId,
  professionalId,
  ownerKind: 'pro',
  scopes: new Set(['mcp:read', 'mcp:write']),
  origin: null,
  rateMultiplier: 1,
})

async function call(
  deps: Deps,
  run: TakenRun,
  tool: Tool<ProCaller>,
  args: Record<string, unknown>,
): Promise<Answered> {
  const { runId, threadId } = run
  const calling = { deps, side: proSide, entered: () => Promise.resolve(callerOf(run)), run: { runId, threadId } }
  try {
    const { content, structuredContent = {}, isError = false } = await callTool(calling, tool, args)
    const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
    if (isError) return refused(texts[0] ?? 'It was refused.')
    return { text: texts.join('\n'), isError, summary: summaryOf(structuredContent as object) }
  } catch (error) {
    // The tool's adapter makes an answer of a store that is away; the run has to wait for it.
    if (error instanceof Error && error.cause instanceof StoreUnavailable) throw error.cause
    throw error
  }
}

const refused = (text: string): Answered => ({
  text,
  isError: true,
  summary: text.split('\n', 1)[0]?.slice(0, 500) ?? '',
})

/** The key that keeps a write from happening twice is the run's to give. */
function offerOf(tool: Tool<ProCaller>): Offer {
  const { name, description = '', inputSchema } = publish(tool)
  const { idempotencyKey: _ignored, ...properties } = inputSchema.properties ?? {}
  return { name, description, parameters: { ...inputSchema, properties } }
}
