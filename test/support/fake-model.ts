// A real HTTP server that speaks the chat completions API as far as we use it. What it answers, tests say request by request.

export const MODEL_KEY = 'sk-fake-model-key'

/** What was asked of it. */
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

/** An answer as tests say it: the message's parts, a whole body, or a response. */
export type ModelReply =
  | { say?: string; calls?: [tool: string, input: unknown][] }
  | { body: string | object }
  | Response

export class FakeModel {
  readonly #server: ReturnType<typeof Bun.serve>
  readonly requests: ModelRequest[] = []
  readonly headers: Headers[] = []
  /** Decides each answer; `n` counts requests from 0, `turn` the turns of the conversation that had calls. */
  respond: (asked: ModelRequest, at: { n: number; turn: number }) => ModelReply | Promise<ModelReply> = () => ({
    say: 'Done.',
  })

  constructor() {
    this.#server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => this.#answer(request) })
  }

  get url(): string {
    return `${this.#server.url.origin}/v1`
  }

  /** What a worker that uses this as its model is started with. */
  get env(): Record<string, string> {
    return { AGENT_MODEL: 'fake-1', AGENT_MODEL_URL: this.url, AGENT_MODEL_KEY: MODEL_KEY }
  }

  forget(): void {
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
    const asked = (await request.json()) as ModelRequest
    const n = this.requests.push(asked) - 1
    this.headers.push(request.headers)
    const turn = asked.messages.filter(({ tool_calls: calls }) => calls !== undefined).length
    const told = await this.respond(asked, { n, turn })
    if (told instanceof Response) return told
    if ('body' in told)
      return new Response(typeof told.body === 'string' ? told.body : JSON.stringify(told.body), {
        headers: { 'content-type': 'application/json' },
      })
    return Response.json(completion(asked.model, told, n))
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
