// An HTTP server with the parts of the chat completions API that Hearth uses. Tests decide each response.

export const MODEL_KEY = 'sk-fake-model-key'

/** The body of a request. */
export interface ModelRequest {
  model: string
  messages: { role: string; content: string | null; tool_call_id?: string; tool_calls?: WireCall[] }[]
  tools?: { type: string; function: { name: string; description: string; parameters: Record<string, unknown> } }[]
  max_completion_tokens?: number
}

interface WireCall {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}

/** A response as tests write it: the parts of the message, a whole body, or a Response. */
export type ModelReply =
  | { say?: string; calls?: [tool: string, input: unknown][] }
  | { body: string | object }
  | Response

export class FakeModel {
  readonly #server: ReturnType<typeof Bun.serve>
  readonly requests: ModelRequest[] = []
  readonly headers: Headers[] = []
  /** Returns each response. `n` counts requests from 0, `turn` the turns of the conversation with tool calls. */
  respond: (request: ModelRequest, at: { n: number; turn: number }) => ModelReply | Promise<ModelReply> = () => ({
    say: 'Done.',
  })

  constructor() {
    this.#server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => this.#answer(request) })
  }

  get url(): string {
    return `${this.#server.url.origin}/v1`
  }

  /** The variables of a worker that uses this model. */
  get env(): Record<string, string> {
    return { AGENT_MODEL: 'fake-1', AGENT_MODEL_URL: this.url, AGENT_MODEL_KEY: MODEL_KEY }
  }

  clear(): void {
    this.requests.length = 0
    this.headers.length = 0
  }

  async close(): Promise<void> {
    await this.#server.stop(true)
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (pathname !== '/v1/chat/completions')
      return Response.json({ error: { message: 'Unknown request URL' } }, { status: 404 })
    if (request.headers.get('authorization') !== `Bearer ${MODEL_KEY}`)
      return Response.json({ error: { message: `Incorrect API key provided: ${MODEL_KEY}` } }, { status: 401 })
    const parsed = (await request.json()) as ModelRequest
    const n = this.requests.push(parsed) - 1
    this.headers.push(request.headers)
    const turn = parsed.messages.filter(({ tool_calls: calls }) => calls !== undefined).length
    const reply = await this.respond(parsed, { n, turn })
    if (reply instanceof Response) return reply
    if ('body' in reply)
      return new Response(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body), {
        headers: { 'content-type': 'application/json' },
      })
    return Response.json(completion(parsed.model, reply, n))
  }
}

function completion(model: string, { say, calls = [] }: { say?: string; calls?: [string, unknown][] }, n: number) {
  const toolCalls = calls.map(([name, input], at): WireCall => ({
    id: `call_${n}_${at}`,
    type: 'function',
    function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
  }))
  return {
    id: `chatcmpl-${n}`,
    object: 'chat.completion',
    created: 1_780_000_000,
    model,
    choices: [
      {
        index: 0,
        finish_reason: toolCalls.length > 0 ? 'tool_calls' : 'stop',
        message: {
          role: 'assistant',
          content: say ?? null,
          ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
        },
      },
    ],
    usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
  }
}
