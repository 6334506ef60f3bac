// Incoming JSON-RPC 2.0 messages: reading them, and refusing malformed ones with the reason.
import { AppError, invalidField } from '../../errors/app-error.ts'
import { refuseUnstorable } from '../../http/body.ts'
import { type MessageId, messageIdOf } from '../../platform/net/message-id.ts'

export interface RpcRequest {
  readonly jsonrpc: '2.0'
  readonly id: MessageId
  readonly method: string
  readonly params?: Record<string, unknown>
}

/** Messages per batch. */
export const MAX_BATCH = 20

/** Throws invalid_message for an empty batch and for one of more than 20 messages. */
export function checkBatch(batch: readonly unknown[]): void {
  if (batch.length === 0) throw invalid('The batch is empty. Send at least one message.')
  if (batch.length > MAX_BATCH)
    throw invalid(`The batch has ${batch.length} messages. Send at most ${MAX_BATCH} at a time.`)
}

/** Returns the request, or undefined for a notification or a response, which get no response. Throws invalid_message. */
export function readMessage(value: unknown): RpcRequest | undefined {
  if (!isObject(value)) throw invalid('A message must be an object.')
  const { jsonrpc, method, params } = value
  if (jsonrpc !== '2.0') throw invalid('`jsonrpc` must be "2.0".')
  if (method === undefined && ('result' in value || 'error' in value)) return undefined
  if (typeof method !== 'string' || method === '') throw invalid('`method` must be text.')
  if (params !== undefined && !isObject(params)) throw invalid('`params` must be an object.')
  if (!('id' in value) || value['id'] === undefined) return undefined
  const id = messageIdOf(value)
  if (id === null) throw invalid('`id` must be text or a number.')
  refuseUnstorable(params, 'params')
  if (method === 'tools/call') checkCall(params)
  if (typeof params?.['cursor'] === 'string')
    throw invalidField('params.cursor', 'is unknown: each list of this server has one page, which needs no cursor')
  // Other members have no meaning, and the SDK refuses some of them.
  return { jsonrpc, id, method, ...((params || method === 'initialize') && { params: params ?? {} }) }
}

/** The SDK refuses these too, but as its own internal error. */
function checkCall(params: Record<string, unknown> = {}): void {
  if (typeof params['name'] !== 'string') throw invalidField('params.name', 'must be the name of a tool')
  if (params['arguments'] !== undefined && !isObject(params['arguments']))
    throw invalidField('params.arguments', 'must be an object')
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const invalid = (detail: string) => new AppError('invalid_message', detail)
