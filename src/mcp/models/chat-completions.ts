// A language model behind the chat completions API, which OpenAI, most other providers and local servers speak.
import OpenAI, { APIConnectionError, APIError } from 'openai'
import type { ChatCompletion, ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions'

import type { AgentModelConfig } from '../../config.ts'
import { type Call, type Conversation, type Model, ModelFailure, type Said, type Turn } from './model.ts'

/** One request; the client asks again twice after 408, 429 and 5xx, waiting as long as `Retry-After` says. */
const REQUEST_LIMIT_MS = 30_000
const RETRIES = 2
/** Where a provider does not count: English text has about four characters to a token. */
const CHARACTERS_PER_TOKEN = 4
const MAX_CALLS = 20

/** Opens the model that is configured. */
export function openChatModel({ name, url, key }: AgentModelConfig): Model {
  const client = new OpenAI({
    baseURL: url,
    // Local servers want none, the client does.
    apiKey: key ?? 'none',
    timeout: REQUEST_LIMIT_MS,
    maxRetries: RETRIES,
    // The client would look all of these up in the environment.
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: 'off',
  })
  return {
    name,
    next: async (conversation, signal) => {
      const body = {
        model: name,
        messages: messagesOf(conversation),
        max_completion_tokens: conversation.maxOutputTokens,
        ...(conversation.offers.length > 0 ? { tools: conversation.offers.map(toolOf) } : {}),
      }
      try {
        return turnOf(await client.chat.completions.create(body, { signal }), JSON.stringify(body).length)
      } catch (error) {
        signal.throwIfAborted()
        throw failureOf(error)
      }
    },
  }
}

const toolOf = ({ name, description, parameters }: Conversation['offers'][number]): ChatCompletionTool => ({
  type: 'function',
  function: { name, description, parameters },
})

const messagesOf = ({ instructions, said }: Conversation): ChatCompletionMessageParam[] => [
  { role: 'system', content: instructions },
  ...said.map(messageOf),
]

function messageOf(said: Said): ChatCompletionMessageParam {
  if (said.role === 'person') return { role: 'user', content: said.text }
  if (said.role === 'result') return { role: 'tool', tool_call_id: said.callId, content: said.text }
  const calls = said.calls.map(({ id, tool, input }) => ({
    id,
    type: 'function' as const,
    function: { name: tool, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
  }))
  return { role: 'assistant', content: said.text, ...(calls.length > 0 ? { tool_calls: calls } : {}) }
}

/** What came may be anything: the types say what it should be. */
function turnOf(completion: DeepPartial<ChatCompletion> | string | null, sentCharacters: number): Turn {
  const message = typeof completion === 'object' ? completion?.choices?.[0]?.message : undefined
  if (!message) throw new ModelFailure('model_unusable', 'the answer has no message')
  const text = typeof message.content === 'string' ? clean(message.content).trim() : ''
  const wanted: unknown = message.tool_calls ?? []
  if (!Array.isArray(wanted)) throw new ModelFailure('model_unusable', 'the answer has no list of calls')
  const calls = wanted.slice(0, MAX_CALLS).map((call, n) => callOf(call as DeepPartial<ToolCall>, n))
  if (text === '' && calls.length === 0) throw new ModelFailure('model_unusable', 'the answer is empty')
  const usage = typeof completion === 'object' ? completion?.usage : undefined
  const said = text.length + JSON.stringify(calls).length
  return {
    text: text || null,
    calls,
    inputTokens: count(usage?.prompt_tokens) ?? Math.ceil(sentCharacters / CHARACTERS_PER_TOKEN),
    outputTokens: count(usage?.completion_tokens) ?? Math.ceil(said / CHARACTERS_PER_TOKEN),
  }
}

interface ToolCall {
  id: string
  function: { name: string; arguments: string }
}

type DeepPartial<T> = T extends object ? { [K in keyof T]?: DeepPartial<T[K]> | null } : T

function callOf(call: DeepPartial<ToolCall> | null, n: number): Call {
  const name = call?.function?.name
  if (typeof name !== 'string' || name === '') throw new ModelFailure('model_unusable', 'a call names no tool')
  const id = typeof call?.id === 'string' && call.id !== '' ? clean(call.id) : `call_${n + 1}`
  return { id: id.slice(0, 200), tool: clean(name).slice(0, 100), input: inputOf(call?.function?.arguments) }
}

function inputOf(text: unknown): unknown {
  if (text === undefined || text === null || text === '') return {}
  if (typeof text !== 'string') return text
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}

const count = (tokens: unknown): number | undefined =>
  typeof tokens === 'number' && Number.isSafeInteger(tokens) && tokens >= 0 && tokens < 1e9 ? tokens : undefined

/** PostgreSQL stores neither NUL nor half a character. */
const clean = (text: string): string => text.toWellFormed().replaceAll('\0', '')

/** Messages of the provider stay out: they may quote the key or what was said. */
function failureOf(error: unknown): ModelFailure {
  if (error instanceof ModelFailure) return error
  if (error instanceof APIConnectionError) return new ModelFailure('model_unavailable', error.constructor.name)
  if (error instanceof APIError) return new ModelFailure('model_unavailable', `status ${String(error.status)}`)
  return new ModelFailure('model_unusable', error instanceof Error ? error.name : typeof error)
}
