// The ids of JSON-RPC messages, which their responses repeat as they came.

/** A number as it stands in the message, where JavaScript's numbers would change it: 12345678901234567890. */
interface RawNumber {
  readonly rawJSON: string
}

export type MessageId = string | number | RawNumber

/** In every engine that Hearth runs on, but not yet in TypeScript's library (TC39: JSON.parse source text access). */
const json = JSON as unknown as {
  rawJSON(text: string): RawNumber
  isRawJSON(value: unknown): value is RawNumber
  parse(
    text: string,
    reviver: (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown
}

/** An id that may not fit a number: long, or with an exponent. */
const LONG_ID = /"id"\s*:\s*-?\d[\d.]*(?:e|E|(?<=[\d.]{16}))/

/** Parses one message or a batch. JSON.stringify writes its ids as they came. */
export function parseMessages(text: string): unknown {
  if (!LONG_ID.test(text)) return JSON.parse(text)
  return json.parse(text, function keepId(key, value, { source }) {
    const isId = key === 'id' && typeof value === 'number' && typeof this === 'object' && this && 'jsonrpc' in this
    return isId && source !== undefined && String(value) !== source ? json.rawJSON(source) : value
  })
}

/** The id of a JSON-RPC message; null when it has no valid one. */
export function messageIdOf(message: unknown): MessageId | null {
  if (typeof message !== 'object' || message === null || !('id' in message)) return null
  const { id } = message
  const isValid = typeof id === 'string' ? id.isWellFormed() : typeof id === 'number' || json.isRawJSON(id)
  return isValid ? (id as MessageId) : null
}
