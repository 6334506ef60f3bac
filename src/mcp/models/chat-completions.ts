// A language model behind the chat completions API of OpenAI, which most other providers and local servers implement.
import OpenAI, { APIConnectionError, APIError } from 'openai'
import type { ChatCompletion, ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions'

import type { AgentModelConfig } from '../../config.ts'
import { outsideFetch } from '../../platform/net/outside.ts'
import { type Conversation, type Message, type Model, ModelFailure, type ToolCall, type Turn } from './model.ts'

/** Per request; the client retries twice after 408, 429 and 5xx, and obeys `Retry-After`. */
const REQUEST_LIMIT_MS = 30_000
const RETRIES = 2
/** For providers that report no usage: English text has about four characters to a token. */
const CHARACTERS_PER_TOKEN = 4
const MAX_CALLS = 20
/** Leaves room for the remark within a stored answer of 5,000 characters. */
const MAX_CUT_OFF = 4900
const CUT_OFF = '(The answer was cut off at its limit of length.)'

/** Opens the configured model. */
export function openChatModel({ name, url, key }: AgentModelConfig): Model {
  const client = new OpenAI({
    baseURL: url,
    // Local servers need no key, but the client requires one.
    apiKey: key ?? 'none',
    timeout: REQUEST_LIMIT_MS,
    maxRetries: RETRIES,
    fetch: outsideFetch,
    // By default the client reads these from the environment.
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
        ...(conversation.tools.length > 0 ? { tools: conversation.tools.map(toProviderTool) } : {}),
      }
      try {
        return readTurn(await client.chat.completions.create(body, { signal }), JSON.stringify(body).length)
      } catch (error) {
        signal.throwIfAborted()
        throw failureOf(error)
      }
    },
  }
}

const toProviderTool = ({ name, description, parameters }: Conversation['tools'][number]): ChatCompletionTool => ({
  type: 'function',
  function: { name, description, parameters },
})

const messagesOf = ({ instructions, messages }: Conversation): ChatCompletionMessageParam[] => [
  { role: 'system', content: instructions },
  ...messages.map(toProviderMessage),
]

function toProviderMessage(message: Message): ChatCompletionMessageParam {
  if (message.role === 'person') return { role: 'user', content: message.text }
  if (message.role === 'result') return { role: 'tool', tool_call_id: message.callId, content: message.text }
  const calls = message.calls.map(({ id, tool, input }) => ({
    id,
    type: 'function' as const,
    function: { name: tool, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
  }))
  return { role: 'assistant', content: message.text, ...(calls.length > 0 ? { tool_calls: calls } : {}) }
}

/** Checks the response at run time: a provider may send anything. */
function readTurn(completion: DeepPartial<ChatCompletion> | string | null, requestCharacters: number): Turn {
  const choice = typeof completion === 'object' ? completion?.choices?.[0] : undefined
  const message = choice?.message
  if (!message) throw new ModelFailure('model_unusable', 'the response has no message')
  const { text, refusal } = readContent(message)
  const toolCalls: unknown = message.tool_calls ?? []
  if (!Array.isArray(toolCalls)) throw new ModelFailure('model_unusable', 'the response has no list of tool calls')
  const calls = toolCalls.slice(0, MAX_CALLS).map((call, n) => readCall(call as DeepPartial<ProviderCall>, n))
  const isCutOff = choice.finish_reason === 'length'
  // The input of the last call may be incomplete in a response that was cut off.
  if (isCutOff && (text === '' || calls.length > 0)) throw new ModelFailure('model_cut_off', 'finish_reason is length')
  if (calls.length === 0 && (refusal || choice.finish_reason === 'content_filter'))
    throw new ModelFailure('model_refused', refusal ? 'the message is a refusal' : 'finish_reason is content_filter')
  if (text === '' && calls.length === 0) throw new ModelFailure('model_unusable', 'the response is empty')
  const usage = typeof completion === 'object' ? completion?.usage : undefined
  const characters = text.length + JSON.stringify(calls).length
  return {
    text: (isCutOff ? `${text.slice(0, MAX_CUT_OFF)} … ${CUT_OFF}` : text) || null,
    calls,
    inputTokens: tokenCount(usage?.prompt_tokens) ?? Math.ceil(requestCharacters / CHARACTERS_PER_TOKEN),
    outputTokens: tokenCount(usage?.completion_tokens) ?? Math.ceil(characters / CHARACTERS_PER_TOKEN),
  }
}

/** The text and the refusal of a message. Some providers send the content as a list of parts. */
function readContent({ content, refusal }: { content?: unknown; refusal?: unknown }): {
  text: string
  refusal: boolean
} {
  const parts: unknown[] = Array.isArray(content) ? content : [content]
  const texts = parts.flatMap((part) => (typeof part === 'string' ? [part] : (textOf(part, 'text') ?? [])))
  const refusals = [refusal, ...parts.map((part) => textOf(part, 'refusal'))]
  return {
    text: storable(texts.join('')).trim(),
    refusal: refusals.some((each) => typeof each === 'string' && each !== ''),
  }
}

/** The text of a content part of this type. */
function textOf(part: unknown, type: 'text' | 'refusal'): string | undefined {
  if (typeof part !== 'object' || part === null || Reflect.get(part, 'type') !== type) return undefined
  const text: unknown = Reflect.get(part, type)
  return typeof text === 'string' ? text : undefined
}

interface ProviderCall {
  id: string
  function: { name: string; arguments: string }
}

type DeepPartial<T> = T extends object ? { [K in keyof T]?: DeepPartial<T[K]> | null } : T

function readCall(call: DeepPartial<ProviderCall> | null, n: number): ToolCall {
  const name = call?.function?.name
  if (typeof name !== 'string' || name === '') throw new ModelFailure('model_unusable', 'a tool call has no name')
  const id = typeof call?.id === 'string' && call.id !== '' ? storable(call.id) : `call_${n + 1}`
  return { id: id.slice(0, 200), tool: storable(name).slice(0, 100), input: readArguments(call?.function?.arguments) }
}

function readArguments(text: unknown): unknown {
  if (text === undefined || text === null || text === '') return {}
  if (typeof text !== 'string') return text
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}

const tokenCount = (tokens: unknown): number | undefined =>
  typeof tokens === 'number' && Number.isSafeInteger(tokens) && tokens >= 0 && tokens < 1e9 ? tokens : undefined

/** PostgreSQL stores neither NUL nor lone surrogates. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '')

/** Leaves out the provider's message, which may quote the key or the conversation. */
function failureOf(error: unknown): ModelFailure {
  if (error instanceof ModelFailure) return error
  if (error instanceof APIConnectionError) return new ModelFailure('model_unavailable', error.constructor.name)
  if (error instanceof APIError) return new ModelFailure('model_unavailable', `status ${String(error.status)}`)
  return new ModelFailure('model_unusable', error instanceof Error ? error.name : typeof error)
}
