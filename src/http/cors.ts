// Which pages may call: everyone reads in public, a widget's key works from its own origin, other keys from no page at all.
import { AppError } from '../errors/app-error.ts'
import type { Caller } from '../auth/caller.ts'

/** What scripts may read of an answer besides its body. */
const EXPOSED_HEADERS = 'ETag, Idempotent-Replayed, Location, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id'

/** For answers that pages of `origin` may read; `*` for all. Sent to everyone, because a cache may keep them for everyone. */
export const corsHeaders = (origin: string): [name: string, value: string][] => [
  ['access-control-allow-origin', origin],
  ['access-control-expose-headers', EXPOSED_HEADERS],
]

const ALLOWED_HEADERS = [
  'Authorization, Content-Type, Idempotency-Key, If-None-Match, Traceparent',
  // What clients of the agent servers send.
  'Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Mcp-Session-Id',
].join(', ')

/**
 * The answer to a browser that asks first (Fetch standard §3.2.2). It does not know the key yet, so it says what the path
 * takes from anyone; the gate judges the request itself.
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
 * The origin whose pages may read the answer: `*` without a key, the key's own for a widget's, none otherwise. Throws
 * origin_not_allowed for a widget's key from elsewhere, and for a key with more power in a page at all (our own reference
 * page excepted): whoever opens the page could take it.
 */
export function allowedOrigin(caller: Caller | undefined, headers: Headers, ownOrigin: string): string | undefined {
  if (!caller) return '*'
  const origin = headers.get('origin')
  if (caller.origin !== null) {
    if (origin === caller.origin) return caller.origin
    throw new AppError(
      'origin_not_allowed',
      `This key works in pages of ${caller.origin} only, not of ${origin ?? 'none'}.`,
    )
  }
  if (origin === null || origin === ownOrigin) return undefined
  throw new AppError(
    'origin_not_allowed',
    'This key came from a web page. Anyone who opens the page can take it: use a widget key there, this one on a server.',
  )
}
