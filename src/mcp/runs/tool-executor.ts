// The tool executor of a run: calls the pro server's tools for the pro's agent, in the way that the server calls them.
import type { Deps } from '../../deps.ts'
import type { ClaimedRun } from '../../features/agents/threads/verbs/run-execution.ts'
import type { ProCaller } from '../../auth/caller.ts'
import { StoreUnavailable } from '../../platform/store-error.ts'
import { firstCharacters } from '../../platform/text/plain.ts'
import type { ModelTool } from '../models/model.ts'
import { proServer } from '../pro/definition.ts'
import { callTool } from '../server/call-tool.ts'
import { toolsFor } from '../server/definition.ts'
import { toListedTool } from '../server/published-tools.ts'
import type { Tool } from '../server/tool.ts'
import { summarizeResult } from './summary.ts'

/** The result of a call. */
export interface ToolOutcome {
  /** For the model. */
  text: string
  isError: boolean
  /** One line for people. */
  summary: string
}

export interface ToolExecutor {
  readonly tools: readonly ModelTool[]
  /** Returns whether a call of this tool has an effect. */
  writes(tool: string): boolean
  /**
   * Calls a tool for the pro. An incorrect call returns an error for the model. Calls with the same idempotency key have
   * one effect.
   */
  call(tool: string, input: unknown, idempotencyKey: string): Promise<ToolOutcome>
}

/**
 * The tools that an agent may call by itself: it reads, drafts and proposes. Text in a lead or a message cannot make it
 * confirm a proposal, start further runs or read other threads, because those tools do not exist for it.
 */
export const AGENT_TOOLS: ReadonlySet<string> = new Set([
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
  'list_reviews',
  'view_analytics',
  'get_tasks',
  'get_proposal_status',
  'prepare_quote_draft',
  'prepare_assessment_notes',
  'prepare_day_brief',
  'update_quote_content',
  'prepare_job_spec',
  'prepare_customer_message',
  'update_service_pricing',
  'update_availability',
  'update_business_profile',
  'update_public_profile',
  'update_business_entity',
  'update_site_config',
  'update_service_content',
])

/** The tool executor for one run. */
export function toolExecutorFor(deps: Deps, run: ClaimedRun): ToolExecutor {
  const caller = callerOf(run)
  const tools = toolsFor(deps, proServer, caller).filter(({ name }) => AGENT_TOOLS.has(name))
  const find = (name: string) => tools.find((tool) => tool.name === name)
  return {
    tools: tools.map(toModelTool),
    writes: (name) => find(name)?.access === 'write',
    call: async (name, input, idempotencyKey) => {
      const tool = find(name)
      if (!tool) return refused(`unknown_tool: there is no tool ${JSON.stringify(name)} for you.`)
      if (typeof input !== 'object' || input === null || Array.isArray(input))
        return refused('validation_failed: the input of a tool must be one JSON object.')
      const { idempotencyKey: _ignored, ...args } = input as Record<string, unknown>
      return await call(deps, run, tool, tool.idempotent ? { ...args, idempotencyKey } : args)
    },
  }
}

/** The pro as the caller, with both scopes and without a key. */
const callerOf = ({ professionalId, accountId, runId }: ClaimedRun): ProCaller => ({
  keyId: runId,
  mode: 'live',
  accountId,
  professionalId,
  ownerKind: 'pro',
  operator: null,
  scopes: new Set(['mcp:read', 'mcp:write']),
  origin: null,
  rateMultiplier: 1,
  accountMultiplier: 1,
  audience: null,
  customer: null,
})

async function call(
  deps: Deps,
  run: ClaimedRun,
  tool: Tool<ProCaller>,
  args: Record<string, unknown>,
): Promise<ToolOutcome> {
  const { runId, threadId } = run
  const authorize = () => Promise.resolve(callerOf(run))
  try {
    const result = await callTool({ deps, server: proServer, authorize, run: { runId, threadId } }, tool, args)
    const { content, structuredContent = {}, isError = false } = result
    const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
    if (isError) return refused(texts[0] ?? 'The call was refused.')
    return { text: texts.join('\n'), isError, summary: summarizeResult(structuredContent as object) }
  } catch (error) {
    // callTool translates an unavailable store for clients; a run waits for the store instead.
    if (error instanceof Error && error.cause instanceof StoreUnavailable) throw error.cause
    throw error
  }
}

const refused = (text: string): ToolOutcome => ({
  text,
  isError: true,
  summary: firstCharacters(text.split('\n', 1)[0] ?? '', 500),
})

/** Leaves out the idempotency key, which the run provides. */
function toModelTool(tool: Tool<ProCaller>): ModelTool {
  const { name, description = '', inputSchema } = toListedTool(tool)
  const { idempotencyKey: _ignored, ...properties } = inputSchema.properties ?? {}
  return { name, description, parameters: { ...inputSchema, properties } }
}
