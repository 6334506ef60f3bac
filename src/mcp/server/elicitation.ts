// Asks the person behind a client (elicitation) in rounds of one call: the result is a question, and the client calls again
// with the answer (protocol 2026-07-28). A client of the era of `initialize` is not asked, because a call has one response and
// no session; it reads the same in the result.
import {
  CLIENT_CAPABILITIES_META_KEY,
  type CallToolResult,
  type ClientCapabilities,
  type InputRequiredResult,
  type ServerContext,
  inputRequired,
  inputResponse,
} from '@modelcontextprotocol/server'

import { ctxOf } from '../../ctx.ts'
import { AppError } from '../../errors/app-error.ts'
import { acceptsInput } from './call-tool.ts'
import type { McpContext } from './context.ts'
import type { AnyCaller } from './definition.ts'
import type { PersonPage, Tool } from './tool.ts'

/** The names of the two rounds. */
const [BEFORE, AFTER] = ['before', 'after']

/** The client of one call, as far as it can ask its person. */
type Client = Pick<ServerContext, 'mcpReq'>

/**
 * The decision or the page that a person needs before the call: a round for the client, the refusal of a person who declined,
 * or undefined when the call can be made.
 */
export async function askBefore<C extends AnyCaller>(
  { deps, authorize }: McpContext<C>,
  tool: Tool<C>,
  args: Record<string, unknown>,
  client: Client,
): Promise<InputRequiredResult | CallToolResult | undefined> {
  const { form, url } = abilitiesOf(client)
  if (!tool.askBefore || !(form || url) || !acceptsInput(tool, args)) return undefined
  const asked = await unlessRefused(async () => await tool.askBefore?.(ctxOf(deps, await authorize()), args))
  if (!asked) return undefined
  const answer = inputResponse(client.mcpReq.inputResponses, BEFORE)
  if (typeof asked !== 'string')
    return url && answer.kind === 'missing' ? round(BEFORE, inputRequired.elicitUrl({ ...asked })) : undefined
  if (!form) return undefined
  if (answer.kind === 'missing')
    return round(BEFORE, inputRequired.elicit({ message: asked, requestedSchema: AGREEMENT }))
  const hasAgreed = answer.kind === 'elicit' && answer.action === 'accept' && answer.content?.['agree'] === true
  return hasAgreed ? undefined : DECLINED
}

/** A page that a person has to open after the call, as a round for the client; otherwise the result itself. */
export function askAfter<C>(
  tool: Tool<C>,
  args: Record<string, unknown>,
  result: CallToolResult,
  client: Client,
): InputRequiredResult | CallToolResult {
  // Without a key, the next round would be another call, not the same one.
  const isRepeatable = args['idempotencyKey'] !== undefined
  if (!tool.openAfter || result.isError || !isRepeatable || !abilitiesOf(client).url) return result
  if (inputResponse(client.mcpReq.inputResponses, AFTER).kind !== 'missing') return result
  const page = tool.openAfter(result.structuredContent ?? {})
  return page ? round(AFTER, inputRequired.elicitUrl({ ...page })) : result
}

const AGREEMENT = {
  type: 'object' as const,
  properties: { agree: { type: 'boolean' as const, title: 'I agree' } },
  required: ['agree'],
}

const DECLINED: CallToolResult = {
  isError: true,
  content: [{ type: 'text', text: 'declined: The person was asked and did not agree. Nothing was changed.' }],
}

const round = (name: string, request: ReturnType<typeof inputRequired.elicitUrl>): InputRequiredResult =>
  inputRequired({ inputRequests: { [name]: request } })

/** Clients that name neither form nor URL can show forms. */
function abilitiesOf({ mcpReq }: Client): { form: boolean; url: boolean } {
  const envelope: { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } = mcpReq.envelope ?? {}
  const { elicitation } = envelope[CLIENT_CAPABILITIES_META_KEY] ?? {}
  if (!elicitation) return { form: false, url: false }
  const url = elicitation.url !== undefined
  return { form: elicitation.form !== undefined || !url, url }
}

/** Errors are left to the call itself, which reports them. */
async function unlessRefused(ask: () => Promise<string | PersonPage | undefined>) {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return undefined
    throw error
  }
}
