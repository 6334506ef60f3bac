// The two eras of the Model Context Protocol: sessions that begin with `initialize`, and stateless requests (2026-07-28 and later).
import { LATEST_PROTOCOL_VERSION, PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server'

/**
 * Returns whether a message belongs to the stateless era: its envelope says so, or a header names a version after the last one
 * with `initialize`. Versions are dates. Before the body is read, only the header can tell.
 */
export function isStateless({ headers }: Request, message?: unknown): boolean {
  const version = headers.get('mcp-protocol-version')
  return (version !== null && version > LATEST_PROTOCOL_VERSION) || hasEnvelope(message)
}

const hasEnvelope = (message: unknown): boolean => {
  const params = memberOf(message, 'params')
  return memberOf(memberOf(params, '_meta'), PROTOCOL_VERSION_META_KEY) !== undefined
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
