// JSON-RPC 2.0 messages as they come in. Whatever is none is refused here, by name.
import { AppError, invalidField } from '../../errors/app-error.ts'
import { refuseUnstorable } from '../../http/body.ts'

export type MessageId = string | number

export interface RpcRequest {
  readonly jsonrpc: '2.0'
  readonly id: MessageId
  readonly method: string
  readonly params?: Record<string, unknown>
}

export interface RpcResponse {
  readonly jsonrpc: '2.0'
  readonly id: MessageId | null
  readonly result?: unknown
  readonly error?: { code: number; message: string; data?: unknown }
}

/** How many messages one batch may carry. */
export const MAX_BATCH = 20

/** Throws invalid_message for a batch of none, or of more than 20. */
export function checkBatch(batch: readonly unknown[]): void {
  if (batch.length === 0) throw invalid('A batch needs at least one message.')
  if (batch.length > MAX_BATCH)
    throw invalid(`A batch may have up to ${MAX_BATCH} messages; this one has ${batch.length}.`)
}

/** The request, or undefined for a notification or a response: nothing is answered to those. Throws invalid_message. */
export function readMessage(value: unknown): RpcRequest | undefined {
  if (!isObject(value)) throw invalid('A message is an object.')
  const { jsonrpc, id, method, params } = value
  if (jsonrpc !== '2.0') throw invalid('`jsonrpc` must be "2.0".')
  if (method === undefined && ('result' in value || 'error' in value)) return undefined
  if (typeof method !== 'string' || method === '') throw invalid('`method` must be text.')
  if (params !== undefined && !isObject(params)) throw invalid('`params` must be an object: parameters go by name.')
  if (id === undefined && !('id' in value)) return undefined
  const known = idOf(value)
  if (known === null) throw invalid('`id` must be text or a number.')
  refuseUnstorable(params, 'params')
  if (method === 'tools/call') checkCall(params)
  // What else it carries means nothing, and the SDK refuses some of it.
  return { jsonrpc, id: known, method, ...(params && { params }) }
}

/** The SDK refuses these too, but calls them a fault of its own. */
function checkCall(params: Record<string, unknown> = {}): void {
  if (typeof params['name'] !== 'string') throw invalidField('params.name', 'must be the name of a tool')
  if (params['arguments'] !== undefined && !isObject(params['arguments']))
    throw invalidField('params.arguments', 'must be an object')
}

/** The id to answer under; null where the message has none that could be one. */
export function idOf(value: unknown): MessageId | null {
  if (!isObject(value)) return null
  const { id } = value
  return (typeof id === 'string' && id.isWellFormed()) || typeof id === 'number' ? id : null
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const invalid = (detail: string) => new AppError('invalid_message', detail)
