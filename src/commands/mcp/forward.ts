// Standard input and output on one side, an agent server over HTTP on the other: one JSON-RPC message a line.
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

export interface ForwardOptions {
  /** The address of the agent server. */
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

/** Longer than anything the server takes. */
const TIMEOUT_MS = 60_000
const UNREACHABLE = -32_000
const PARSE_ERROR = -32_700

/** Forwards until the input ends and what was asked is answered. Messages are answered as they are ready. */
export async function forward({ input, output, ...server }: ForwardOptions): Promise<void> {
  const underWay = new Set<Promise<boolean>>()
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    if (line.trim() === '') continue
    const answering = answerTo(server, line).then((answer) => answer !== undefined && output.write(`${answer}\n`))
    underWay.add(answering)
    void answering.finally(() => underWay.delete(answering))
  }
  await Promise.all(underWay)
}

/** The answer as one line, or undefined when there is none. Never throws: what goes wrong is an answer as well. */
async function answerTo({ url, apiKey }: Pick<ForwardOptions, 'url' | 'apiKey'>, line: string) {
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
    return wantsAnswer(message) ? failure(idOf(message), UNREACHABLE, `${url} cannot be reached: ${reason}`) : undefined
  }
}

/** What the protocol's stateless era says in headers besides (2026-07-28, Streamable HTTP); older clients need none. */
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

/** Header values are ASCII: anything else travels in Base64, marked as such (SEP-2243). */
const headerValue = (text: string) =>
  /^[!-~]([ -~]*[!-~])?$/.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`

/** The gate refuses without having read the id: it is put in, so that the client knows what was refused. */
function oneLine(text: string, message: Message | unknown[], status: number): string | undefined {
  const answer = parse(text)
  if (answer === undefined)
    return wantsAnswer(message)
      ? failure(idOf(message), UNREACHABLE, `The server answered ${status}, and no JSON.`)
      : undefined
  if (!Array.isArray(answer) && 'error' in answer && answer.id === null)
    return wantsAnswer(message) ? JSON.stringify({ ...answer, id: idOf(message) }) : undefined
  return JSON.stringify(answer)
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

const wantsAnswer = (message: Message | unknown[]) => Array.isArray(message) || message.id !== undefined
const idOf = (message: Message | unknown[]) => (Array.isArray(message) ? null : (message.id ?? null))

const failure = (id: unknown, code: number, message: string) =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })
