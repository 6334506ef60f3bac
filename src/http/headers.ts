// Headers that keep an answer safe and say who may keep it: decided here, from what routes declare, for all of them.
import type { Config } from '../config.ts'
import type { Access } from '../auth/access.ts'

/**
 * `asset`: named with what it holds, so that it is never asked for again. `public`: the same for everyone, and kept by anyone who asks again before each use; with an ETag that costs a 304 and
 * never shows what has changed. `personal`: kept by nobody.
 */
export type Caching = 'asset' | 'public' | 'personal'

/** The member of a route's `detail` in which it declares its caching; routes with a gate may leave it to their access. */
export const CACHING_KEY = 'x-caching'

/** For routes that are documents and no operations: pages, assets, descriptions. */
export const DOCUMENT = { detail: { hide: true, [CACHING_KEY]: 'public' as Caching } }

/**
 * For what pages load: its address changes with its content. It is not counted, so that whoever used up what their address
 * may is told so on a page that can be read.
 */
export const ASSET = {
  detail: {
    hide: true,
    [CACHING_KEY]: 'asset' as Caching,
    'x-access': { key: 'none', scopes: [], limit: 'none' } as Access,
  },
}

/** RFC 9111 §5.2.2, RFC 8246. */
export const CACHE_CONTROL: Record<Caching, string> = {
  asset: 'public, max-age=31536000, immutable',
  public: 'public, no-cache',
  personal: 'no-store',
}

/** As much of a route as says how its answers may be kept. */
export interface CacheableRoute {
  readonly method: string
  readonly hooks: { detail?: { 'x-access'?: Access; [CACHING_KEY]?: Caching } }
}

/** What a route declares, or what follows from its method and access; undefined when nothing does. */
export function cachingOf({ method, hooks }: CacheableRoute): Caching | undefined {
  const { 'x-access': access, [CACHING_KEY]: declared } = hooks.detail ?? {}
  if (declared) return declared
  if (method !== 'GET' || access?.key === 'required' || access?.session) return 'personal'
  return access?.key === 'optional' ? 'public' : undefined
}

/** Two years, as browsers' preload list wants it. Its subdomains are their owner's business. */
const STRICT_TRANSPORT = 'max-age=63072000'

/** An answer that is no page needs nothing and belongs in no frame (OWASP's REST security advice). */
const NO_PAGE = "default-src 'none'; frame-ancestors 'none'"

export type HeaderList = readonly (readonly [name: string, value: string])[]
type Environment = Config['environment']

const listFor = (caching: Caching, environment: Environment): HeaderList => [
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
  ['cache-control', CACHE_CONTROL[caching]],
  ['content-security-policy', NO_PAGE],
  ...(environment === 'production' ? ([['strict-transport-security', STRICT_TRANSPORT]] satisfies HeaderList) : []),
]
const listsFor = (environment: Environment): Record<Caching, HeaderList> => ({
  asset: listFor('asset', environment),
  public: listFor('public', environment),
  personal: listFor('personal', environment),
})
const LISTS = { development: listsFor('development'), production: listsFor('production') }

/** What an answer carries that is no page: the same list each time. */
export const safeHeaders = (caching: Caching, environment: Environment): HeaderList => LISTS[environment][caching]

/** What a page may say for itself. */
const PAGES_OWN = new Set(['content-security-policy', 'referrer-policy'])

/** Sets these on an answer. */
export function setSafeHeaders({ headers }: Response, safe: HeaderList): void {
  for (const [name, value] of safe) if (!PAGES_OWN.has(name) || !headers.has(name)) headers.set(name, value)
}

/** What a page may load besides styles from here, by directive of its Content-Security-Policy. */
export type PageSources = Partial<
  Record<'script-src' | 'img-src' | 'connect-src' | 'frame-src' | 'form-action' | 'base-uri', string>
>

/** The headers of a page: nothing from elsewhere, nothing inline, in nobody's frame, and no use of the visitor's devices. */
export function pageHeaders(sources: PageSources = {}): Record<string, string> {
  const policy = {
    'default-src': "'none'",
    'style-src': "'self'",
    'img-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    ...sources,
  }
  return {
    'content-security-policy': Object.entries(policy)
      .map(([directive, source]) => `${directive} ${source}`)
      .join('; '),
    'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
  }
}
