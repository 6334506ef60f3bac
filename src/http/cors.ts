// CORS: pages of any origin read in public; a widget key works from its own origin, other keys from no page.
import type { Caller } from '../auth/caller.ts'
import { AppError } from '../errors/app-error.ts'

/** Response headers that scripts may read. */
const EXPOSED_HEADERS = 'ETag, Idempotent-Replayed, Location, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id'

/**
 * The header for pages of `origin`, or `*` for all pages. `*` is sent even without an Origin, because a cache may serve the
 * response to a page.
 */
export function setCorsHeaders(headers: Headers, origin: string): void {
  headers.set('access-control-allow-origin', origin)
  headers.set('access-control-expose-headers', EXPOSED_HEADERS)
  if (origin !== '*') headers.append('vary', 'Origin')
}

const ALLOWED_HEADERS = [
  'Authorization, Content-Type, Idempotency-Key, If-None-Match, Traceparent',
  // Sent by clients of the agent servers.
  'Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Mcp-Session-Id',
].join(', ')

/**
 * The response to a CORS preflight (Fetch standard §3.2.2). The preflight carries no key, so the response says what the path
 * takes from any caller; the guard checks the request itself.
 */
export const preflight = (allow: readonly string[]): Response =>
  new Response(null, {
    status: 204,
    headers: {
      allow: allow.join(', '),
      'access-control-allow-origin': '*',
      'access-control-allow-methods': allow.join(', '),
      'access-control-allow-headers': ALLOWED_HEADERS,
      'access-control-max-age': '600',
    },
  })

/**
 * The origin whose pages may read the response: `*` without a key, a widget key's own origin, otherwise none. Throws
 * origin_not_allowed for a widget key from another origin, and for any other key from a page (except our own reference
 * page), because everyone who opens the page could copy it.
 */
export function allowedOrigin(caller: Caller | undefined, headers: Headers, ownOrigin: string): string | undefined {
  if (!caller) return '*'
  const origin = headers.get('origin')
  if (caller.origin !== null) {
    if (origin === caller.origin) return caller.origin
    throw new AppError(
      'origin_not_allowed',
      `This key works in pages of ${caller.origin} only; the request came from ${origin ?? 'no page'}.`,
    )
  }
  if (origin === null || origin === ownOrigin) return undefined
  throw new AppError(
    'origin_not_allowed',
    'This key was sent by a web page, where every visitor can copy it. Use a widget key in pages, and this key on a server.',
  )
}

/** Throws origin_not_allowed for a page of another origin (MCP, Streamable HTTP: a page may have been led to this address by DNS). */
export function refuseOtherPages(headers: Headers, ownOrigin: string): void {
  const origin = headers.get('origin')
  if (origin !== null && origin !== ownOrigin)
    throw new AppError('origin_not_allowed', 'Pages of other sites cannot call this server. Call it from a program.')
}
