// JSON-RPC 2.0 in OpenAPI. The servers validate message by message and answer with JSON-RPC errors.
import { Type } from '@sinclair/typebox'

const id = { type: ['string', 'number'], description: 'The response has the same' }

const message = {
  type: 'object',
  required: ['jsonrpc', 'method'],
  properties: {
    jsonrpc: { const: '2.0' },
    id: { ...id, description: 'Text or a number; a message without it gets no response' },
    method: { type: 'string', examples: ['tools/list', 'tools/call'] },
    params: { type: 'object', additionalProperties: true },
  },
  additionalProperties: true,
}

/** Responses of clients are accepted and ignored: these servers send no requests. */
const response = {
  type: 'object',
  required: ['jsonrpc'],
  properties: { jsonrpc: { const: '2.0' } },
  additionalProperties: true,
}

const error = {
  type: 'object',
  required: ['code', 'message'],
  properties: {
    code: { type: 'integer' },
    message: { type: 'string' },
    data: { type: 'object', description: 'The problem: `code` is for programs', additionalProperties: true },
  },
}

const reply = {
  type: 'object',
  required: ['jsonrpc', 'id'],
  properties: {
    jsonrpc: { const: '2.0' },
    id: { type: ['string', 'number', 'null'] },
    result: { type: 'object', additionalProperties: true },
    error,
  },
}

export const RpcBody = Type.Unknown({
  $id: 'RpcBody',
  description: 'A JSON-RPC 2.0 message, or a batch of up to 20',
  anyOf: [
    message,
    response,
    {
      type: 'array',
      minItems: 1,
      maxItems: 20,
      items: { description: 'A message; an invalid one gets an error of its own' },
    },
  ],
  examples: [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }],
})

export const RpcReply = Type.Unknown({ $id: 'RpcReply', anyOf: [reply, { type: 'array', items: reply }] })

export const RpcFailure = Type.Unknown({
  $id: 'RpcFailure',
  type: 'object',
  required: ['jsonrpc', 'error'],
  properties: {
    jsonrpc: { const: '2.0' },
    id: {
      type: ['string', 'number', 'null'],
      description:
        'The message’s id; null when it has none, absent when the request was refused before its body was read',
    },
    error,
  },
})
