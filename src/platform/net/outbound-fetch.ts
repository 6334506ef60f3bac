// Sends requests to URLs that users supply. Checks every address of the host and connects to a checked one only.
import { lookup } from 'node:dns/promises'

import { LRUCache } from 'lru-cache'

import { type TargetPolicy, targetUrlFault, hostOf, isAddress, isPublicAddress } from './addresses.ts'

/** Resolves all addresses of a name. */
export type Resolve = (host: string) => Promise<readonly string[]>

/** The result of a request: callers record each kind, nothing is thrown. */
export type Outcome =
  | { kind: 'answered'; status: number; snippet: string; retryAfter: string | undefined }
  /** The target is not allowed; nothing was sent. */
  | { kind: 'refused'; reason: string }
  /** No response. `reason` is for people and metrics, such as `timeout`. */
  | { kind: 'failed'; reason: string }

export interface Outbound {
  /** Sends exactly the bytes of `body`. Never follows redirects: they are responses like any other. */
  post(url: string, headers: Record<string, string>, body: Uint8Array | string): Promise<Outcome>
}

export interface OutboundOptions extends TargetPolicy {
  /** For the whole exchange, including DNS. */
  timeoutMs: number
  /** The part of a response that is read; a longer response closes the connection. */
  maxResponseBytes: number
  /** Set by tests, like the next two: they have no public address to listen on. */
  resolve?: Resolve | undefined
  isPublic?: ((address: string) => boolean) | undefined
  ca?: string | undefined
  /** How long resolved addresses are cached. */
  dnsCacheMs?: number | undefined
}

const DNS_CACHE_MS = 5000
const MAX_TRIED = 3

/** Connections come from Bun's own pool, keyed by address and TLS name. */
export function openOutbound(options: OutboundOptions): Outbound {
  const addressesOf = cachedResolver(options.resolve ?? systemResolve, options.dnsCacheMs ?? DNS_CACHE_MS)
  const isPublic = options.isPublic ?? isPublicAddress
  const targetOf = async (text: string): Promise<{ urls: URL[] } | { refusal: string }> => {
    const fault = targetUrlFault(text, options)
    if (fault) return { refusal: fault }
    const url = new URL(text)
    const host = hostOf(url)
    const addresses = isAddress(host) ? [host] : await addressesOf(host)
    if (addresses.length === 0) return { refusal: 'must have a name that can be resolved' }
    // An attacker may mix a private address with public ones: such a name is refused as a whole.
    if (!options.allowPrivate && !addresses.every(isPublic)) return { refusal: 'must not point to a private address' }
    return { urls: addresses.slice(0, MAX_TRIED).map((address) => pinned(url, address)) }
  }
  return {
    post: async (text, headers, body) => {
      const signal = AbortSignal.timeout(options.timeoutMs)
      try {
        const target = await orAborted(targetOf(text), signal)
        if ('refusal' in target) return { kind: 'refused', reason: target.refusal }
        return await firstOf(target.urls, (url) => exchange(new URL(text), url, { headers, body, signal }, options))
      } catch (error) {
        return { kind: 'failed', reason: signal.aborted ? 'timeout' : reasonOf(error) }
      }
    },
  }
}

/** Errors before a connection exists: nothing was sent, and another address may be tried. */
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL', 'FailedToOpenSocket'])

/** Tries the addresses of a name in turn until one accepts the connection: IPv6 or IPv4 may be unreachable. */
async function firstOf<T>(urls: readonly URL[], attempt: (url: URL) => Promise<T>): Promise<T> {
  let refused: unknown
  for (const url of urls) {
    try {
      return await attempt(url)
    } catch (error) {
      if (!NOT_CONNECTED.has(reasonOf(error))) throw error
      refused = error
    }
  }
  throw refused
}

interface Message {
  headers: Record<string, string>
  body: Uint8Array | string
  signal: AbortSignal
}

/**
 * Connects to the address, but uses the name for `Host`, the TLS server name and the certificate check
 * (test/platform/net/outbound-fetch.test.ts): no name is resolved between the check and the connection.
 */
async function exchange(named: URL, target: URL, { headers, body, signal }: Message, options: OutboundOptions) {
  const host = hostOf(named)
  const response = await fetch(target, {
    method: 'POST',
    headers: { ...headers, host: named.host },
    body,
    signal,
    redirect: 'manual',
    // A proxy would resolve names itself. A compressed response is limited before it is decompressed.
    proxy: false,
    decompress: false,
    ...(target.protocol === 'https:'
      ? { tls: { ...(isAddress(host) ? {} : { serverName: host }), ...(options.ca ? { ca: options.ca } : {}) } }
      : {}),
  })
  const retryAfter = response.headers.get('retry-after') ?? undefined
  const snippet = await readSnippet(response, options.maxResponseBytes)
  return { kind: 'answered' as const, status: response.status, snippet, retryAfter }
}

/** The first `limit` bytes of the response as text. A response that is read to its end keeps the connection. */
async function readSnippet(response: Response, limit: number): Promise<string> {
  const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader()
  if (!reader) return ''
  const pieces: Uint8Array[] = []
  let size = 0
  while (size < limit) {
    const { done, value } = await reader.read()
    if (done) return textOf(pieces, limit)
    pieces.push(value)
    size += value.byteLength
  }
  await reader.cancel()
  return textOf(pieces, limit)
}

/** PostgreSQL cannot store NUL. */
const textOf = (pieces: Uint8Array[], limit: number) =>
  Buffer.concat(pieces).subarray(0, limit).toString('utf8').toWellFormed().replaceAll('\0', '\uFFFD')

/** The URL with the address in place of the name, without the fragment. */
function pinned(url: URL, address: string): URL {
  const target = new URL(url)
  target.hostname = address.includes(':') ? `[${address}]` : address
  target.hash = ''
  return target
}

/** Resolves each name once at a time and caches the result. Failures are not cached. */
function cachedResolver(resolve: Resolve, ttl: number): Resolve {
  const cache = new LRUCache<string, Promise<readonly string[]>>({ max: 10_000, ttl })
  return (host) => {
    const cached = cache.get(host)
    if (cached) return cached
    const pending = resolve(host)
    cache.set(host, pending)
    pending.catch(() => cache.delete(host))
    return pending
  }
}

const systemResolve: Resolve = async (host) =>
  (await lookup(host, { all: true, order: 'ipv4first' })).map(({ address }) => address)

/** The result of `work`, or a rejection as soon as the signal aborts. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(signal.reason as Error)
  signal.addEventListener('abort', abort, { once: true })
  return await Promise.race([work, aborted.promise]).finally(() => signal.removeEventListener('abort', abort))
}

/** The error's code, never its message, which may contain the address. */
const reasonOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'failed'
