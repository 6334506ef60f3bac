// A plain client of the MCP servers: two headers and JSON-RPC.
import { randomUUID } from 'node:crypto'

import { PRESETS, type Scope } from '../../src/auth/scopes.ts'
import type { PlanId } from '../../src/features/business/plans/schemas.ts'
import type { TestApp } from './app.ts'
import { type SeededPro, findPros } from './reviews.ts'

export const CUSTOMER_SERVER = '/api/mcp/customer'
export const PUBLIC_SERVER = '/api/mcp/public'
export const PRO_SERVER = '/api/mcp'

export interface RpcReply {
  id: string | number | null
  result?: Record<string, unknown>
  error?: { code: number; message: string; data?: { code?: string; [member: string]: unknown } }
}

/** The result of a tool. `problem` is the machine-readable part of an error. */
export interface ToolReply {
  isError: boolean
  structured: Record<string, unknown>
  texts: string[]
  problem: { code?: string; errors?: { path: string; message: string }[]; [member: string]: unknown } | undefined
}

/** Sends one request to an MCP server and returns the status and body of the response. */
export async function rpc(
  app: TestApp,
  server: string,
  key: string,
  method: string,
  params?: object,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Headers; reply: RpcReply }> {
  const json = { jsonrpc: '2.0', id: 1, method, ...(params ? { params } : {}) }
  const answer = await app.send(server, { key, json, headers })
  return { status: answer.status, headers: answer.headers, reply: (await answer.json()) as RpcReply }
}

/** Calls a tool. Throws on an error of the protocol, but not on an error of the tool. */
export async function callTool(
  app: TestApp,
  server: string,
  key: string,
  name: string,
  args: object = {},
): Promise<ToolReply> {
  const { reply } = await rpc(app, server, key, 'tools/call', { name, arguments: args })
  if (!reply.result) throw new Error(`${name}: ${JSON.stringify(reply.error)}`)
  return readResult(reply.result)
}

/** Parses a result of tools/call. */
export function readResult(result: Record<string, unknown>): ToolReply {
  const {
    isError = false,
    structuredContent,
    content,
  } = result as {
    isError?: boolean
    structuredContent?: Record<string, unknown>
    content: { text: string }[]
  }
  const texts = content.map(({ text }) => text)
  return {
    isError,
    structured: structuredContent ?? {},
    texts,
    problem: isError ? (JSON.parse(texts[1] ?? '{}') as ToolReply['problem']) : undefined,
  }
}

/** The tool names of tools/list, in its order. */
export async function listedTools(app: TestApp, server: string, key: string): Promise<string[]> {
  const { reply } = await rpc(app, server, key, 'tools/list')
  return ((reply.result?.['tools'] ?? []) as { name: string }[]).map(({ name }) => name)
}

export interface AgentPro extends SeededPro {
  key: string
}

/** A seeded pro on a plan, with a key for their own agent. */
export async function agentPro(
  app: TestApp,
  {
    plan = 'business',
    scopes = PRESETS['agent-tools'],
    skip = 0,
  }: { plan?: PlanId; scopes?: readonly Scope[]; skip?: number } = {},
): Promise<AgentPro> {
  const [pro] = await findPros(app, 1, skip)
  if (!pro) throw new Error('The seed has no such pro.')
  await setPlan(app, pro.id, plan)
  return { ...pro, key: await app.key(scopes, pro.email) }
}

export const setPlan = ({ deps }: TestApp, professionalId: string, plan: PlanId) =>
  deps.write.run('setPlan', (sql) => sql`update professionals set plan = ${plan} where id = ${professionalId}`)

/** A key of the customer server. */
export const agentKey = (app: TestApp, scopes: readonly Scope[] = PRESETS['agent-tools']): Promise<string> =>
  app.key(scopes, `agent-${randomUUID()}@test.example`)
