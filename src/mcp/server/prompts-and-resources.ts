// Prompts, which a person chooses in their client, and resources, which a client attaches to a conversation. Both are adapters of tools.
import {
  type GetPromptResult,
  type McpServer,
  ProtocolError,
  type ReadResourceResult,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server'

import { invalidField } from '../../errors/app-error.ts'
import { logFault, rpcError, toAppError } from '../../http/problem.ts'
import { requestContextOf } from '../../auth/request-context.ts'
import type { Marketplace } from '../../features/upkeep/marketplace/schemas.ts'
import { localizedValue, regionOf } from '../../platform/text/region.ts'
import { callTool } from './call-tool.ts'
import type { McpContext } from './context.ts'
import { type Prompt, type Resource, findTool, hasOneOf } from './definition.ts'

const MIME_TYPE = 'application/json'
const MAX_ARGUMENT = 500

export function servePromptsAndResources(
  { server: sdk }: McpServer,
  context: McpContext & { site: Marketplace },
): void {
  const { server, caller, site } = context
  const answer = <T>(work: () => T | Promise<T>) => asProtocolErrors(context, work)
  const resources = hasOneOf(caller, server.scopes.read) ? server.resources : []
  sdk.setRequestHandler('prompts/list', () => ({
    prompts: localizedValue(
      regionOf(site),
      server.prompts.map(({ name, title, description, arguments: fields }) => ({
        name,
        title,
        description,
        arguments: [...fields],
      })),
    ),
  }))
  sdk.setRequestHandler('prompts/get', ({ params }) =>
    answer(() => getPrompt(server.prompts, params.name, params.arguments ?? {})),
  )
  sdk.setRequestHandler('resources/list', () => ({
    resources: localizedValue(
      regionOf(site),
      resources.filter(isFixed).map((resource) => ({ uri: resource.uri, ...described(resource) })),
    ),
  }))
  sdk.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: localizedValue(
      regionOf(site),
      resources
        .filter((resource) => !isFixed(resource))
        .map((resource) => ({ uriTemplate: resource.uri, ...described(resource) })),
    ),
  }))
  sdk.setRequestHandler('resources/read', ({ params }) => answer(() => readResource(context, params.uri)))
}

const described = ({ name, title, description }: Resource) => ({ name, title, description, mimeType: MIME_TYPE })

const isFixed = ({ uri }: Resource) => !uri.endsWith('{id}')

function getPrompt(prompts: readonly Prompt[], name: string, args: Record<string, string>): GetPromptResult {
  const prompt = prompts.find((it) => it.name === name)
  if (!prompt) throw invalidField('params.name', `must be one of ${prompts.map((it) => it.name).join(', ')}`)
  for (const { name, required } of prompt.arguments) {
    const value = args[name]?.trim() ?? ''
    if (required && value === '') throw invalidField(`params.arguments.${name}`, 'is required')
    if (value.length > MAX_ARGUMENT)
      throw invalidField(`params.arguments.${name}`, `must be text of at most ${MAX_ARGUMENT} characters`)
  }
  return {
    description: prompt.description,
    messages: [{ role: 'user', content: { type: 'text', text: prompt.text(args) } }],
  }
}

async function readResource(context: McpContext, uri: string): Promise<ReadResourceResult> {
  for (const resource of context.server.resources) {
    const id = isFixed(resource) ? (uri === resource.uri ? '' : undefined) : idIn(uri, resource.uri.slice(0, -4))
    if (id === undefined) continue
    const text = await resource.read((tool, args) => callForResource(context, tool, args, uri), context, id)
    return { contents: [{ uri, mimeType: MIME_TYPE, text }] }
  }
  throw notFound(uri)
}

const notFound = (uri: string) =>
  new ResourceNotFoundError(uri, 'There is no such resource. resources/list and resources/templates/list name all.')

const idIn = (uri: string, start: string): string | undefined =>
  uri.startsWith(start) && /^[\w-]{1,200}$/.test(uri.slice(start.length)) ? uri.slice(start.length) : undefined

async function callForResource(
  context: McpContext,
  name: string,
  args: Record<string, unknown>,
  uri: string,
): Promise<string> {
  const tool = findTool(context.deps, context.server, context.caller, name)
  if (!tool) throw notFound(uri)
  const { isError, structuredContent } = await callTool(context, tool, args)
  if (isError) throw notFound(uri)
  return JSON.stringify(structuredContent)
}

/** Errors of verbs become errors of the protocol. */
async function asProtocolErrors<T>({ deps, request }: McpContext, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    if (ProtocolError.isInstance(thrown)) throw thrown
    const error = toAppError(thrown)
    logFault(deps, error)
    const { code, message, data } = rpcError(deps, error, requestContextOf(request))
    throw new ProtocolError(code, message, data)
  }
}
