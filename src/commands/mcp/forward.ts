// Forwards JSON-RPC messages between standard input and output and an MCP server over HTTP, one message per line.
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

export interface ForwardOptions {
  /** The URL of the MCP server. */
  url: string
  apiKey: string
  input: Readable
  output: Writable
}

interface Message {
  id?: unknown
  method?: unknown
  params?: { name?: unknown; uri?: unknown; _meta?: Record<string, unknown> }
}

/** The time limit of a request, longer than any takes. */
const TIMEOUT_MS = 60_000
const UNREACHABLE = -32_000
const PARSE_ERROR = -32_700

/** Forwards until the input ends and all requests are answered. Responses may be out of order. */
export async function forward({ input, output, ...server }: ForwardOptions): Promise<void> {
  const pending = new Set<Promise<boolean>>()
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    if (line.trim() === '') continue
    const answering = responseTo(server, line).then(
      (response) => response !== undefined && output.write(`${response}\n`),
    )
    pending.add(answering)
    void answering.finally(() => pending.delete(answering))
  }
  await Promise.all(pending)
}

/** The response as one line, or undefined when there is none. Never throws: a failure becomes an error response. */
async function responseTo({ url, apiKey }: Pick<ForwardOptions, 'url' | 'apiKey'>, line: string) {
  const message = parse(line)
  if (message === undefined) return failure(null, PARSE_ERROR, 'The line is not JSON.')
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headersFor(message), authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: line,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return oneLine(await response.text(), message, response.status)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return expectsResponse(message) ? failure(idOf(message), UNREACHABLE, `Cannot reach ${url}: ${reason}`) : undefined
  }
}

/** The extra headers of the stateless protocol (2026-07-28, Streamable HTTP); older clients need none. */
function headersFor(message: Message | unknown[]): Record<string, string> {
  if (Array.isArray(message)) return {}
  const { method, params } = message
  const version = params?.['_meta']?.['io.modelcontextprotocol/protocolVersion']
  if (typeof version !== 'string' || typeof method !== 'string') return {}
  const name = params?.name ?? params?.uri
  return {
    'mcp-protocol-version': version,
    'mcp-method': method,
    ...(typeof name === 'string' ? { 'mcp-name': headerValue(name) } : {}),
  }
}

/** Header values are ASCII; other text is sent as marked Base64 (SEP-2243). */
const headerValue = (text: string) =>
  /^[!-~]([ -~]*[!-~])?$/.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`

/** The response on one line. The server rejects some requests before it reads their id, so the id is added here. */
function oneLine(text: string, message: Message | unknown[], status: number): string | undefined {
  const response = parse(text)
  if (response === undefined)
    return expectsResponse(message)
      ? failure(idOf(message), UNREACHABLE, `The server returned status ${status} without JSON.`)
      : undefined
  if (!Array.isArray(response) && 'error' in response && (response.id ?? null) === null)
    return expectsResponse(message) ? JSON.stringify({ ...response, id: idOf(message) }) : undefined
  return JSON.stringify(response)
}

function parse(text: string): Message | unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const expectsResponse = (message: Message | unknown[]) => Array.isArray(message) || message.id !== undefined
const idOf = (message: Message | unknown[]) => (Array.isArray(message) ? null : (message.id ?? null))

const failure = (id: unknown, code: number, message: string) =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })
