// Headers of all responses: security, caching, and what the request context adds.
import { type Access, linkOnly, probe } from '../auth/access.ts'
import type { Caching, RequestContext } from '../auth/request-context.ts'
import type { Config } from '../config.ts'
import { setCorsHeaders } from './cors.ts'

export type { Caching }

/** The member of a route's `detail` that holds its caching. */
export const CACHING_KEY = 'x-caching'

/**
 * The declarations of routes that are documents instead of operations: pages, assets, descriptions. A new object each time,
 * because Elysia puts the hooks of macros into it.
 */
export const documentRoute = () => ({ access: linkOnly, caching: 'public' as Caching, detail: { hide: true } })

/** For files that pages load. They are not rate limited, so that a page about a limit is still readable. */
export const assetRoute = () => ({ access: probe, caching: 'asset' as Caching, detail: { hide: true } })

/** RFC 9111 §5.2.2, RFC 8246. */
export const CACHE_CONTROL: Record<Caching, string> = {
  asset: 'public, max-age=31536000, immutable',
  public: 'public, no-cache',
  private: 'private, no-cache',
  personal: 'no-store',
}

/** A route's declarations that decide its caching. */
interface CacheableRoute {
  readonly method: string
  readonly hooks: { detail?: { 'x-access'?: Access; [CACHING_KEY]?: Caching } }
}

/** The caching that a route declares, or that follows from its method and access. */
export function cachingOf({ method, hooks }: CacheableRoute): Caching {
  const { 'x-access': access, [CACHING_KEY]: declared } = hooks.detail ?? {}
  return declared ?? (method === 'GET' && access?.key === 'optional' ? 'public' : 'personal')
}

/** Two years, as the browsers' preload list requires. Subdomains are left to their owner. */
const STRICT_TRANSPORT = 'max-age=63072000'

/** A response that is not a page loads nothing and belongs in no frame (OWASP REST Security Cheat Sheet). */
const NO_PAGE = "default-src 'none'; frame-ancestors 'none'"

type HeaderList = readonly (readonly [name: string, value: string])[]

/** Headers that are the same for all responses of one caching. */
const constantHeaders = (caching: Caching, { environment }: Pick<Config, 'environment'>): HeaderList => [
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
  ['cache-control', CACHE_CONTROL[caching]],
  ['content-security-policy', NO_PAGE],
  ...(environment === 'production' ? ([['strict-transport-security', STRICT_TRANSPORT]] satisfies HeaderList) : []),
]

/** Headers that a page sets for itself. */
const PAGES_OWN = new Set(['content-security-policy', 'referrer-policy'])

/** Sets the headers that every response carries, and those that the guard learned on the request's way in. */
export function headerCompleter(config: Pick<Config, 'environment'>) {
  const constant = {
    asset: constantHeaders('asset', config),
    public: constantHeaders('public', config),
    private: constantHeaders('private', config),
    personal: constantHeaders('personal', config),
  }
  return ({ headers, status }: Response, requestContext: RequestContext): void => {
    const { caching, allowOrigin, rateLimit, requestId, idempotency, isReplayed } = requestContext
    for (const [name, value] of constant[status < 400 ? caching : 'personal'])
      if (!PAGES_OWN.has(name) || !headers.has(name)) headers.set(name, value)
    if (allowOrigin !== undefined) setCorsHeaders(headers, allowOrigin)
    if (rateLimit) {
      headers.set('ratelimit-policy', rateLimit.policy)
      headers.set('ratelimit', rateLimit.state)
    }
    if (requestId !== undefined) headers.set('x-request-id', requestId)
    if (isReplayed || idempotency?.isReplay) headers.set('idempotent-replayed', 'true')
  }
}

/** Additional sources of a page, by directive of its Content-Security-Policy. */
export type PageSources = Partial<
  Record<'script-src' | 'img-src' | 'connect-src' | 'frame-src' | 'form-action' | 'base-uri', string>
>

/**
 * The headers of a page: nothing from other hosts, nothing inline, no frames, no access to devices, except to the location if
 * the page `usesLocation`.
 */
export function pageHeaders(sources: PageSources = {}, { usesLocation = false } = {}): Record<string, string> {
  const policy = {
    'default-src': "'none'",
    'style-src': "'self'",
    'img-src': "'self'",
    'font-src': "'self'",
    'manifest-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    ...sources,
  }
  return {
    'content-security-policy': Object.entries(policy)
      .map(([directive, source]) => `${directive} ${source}`)
      .join('; '),
    'permissions-policy': `camera=(), display-capture=(), geolocation=(${usesLocation ? 'self' : ''}), microphone=(), payment=(), usb=()`,
  }
}
