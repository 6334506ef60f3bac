// Sends requests to URLs that users supply. Checks every address of the host and connects to a checked one only.
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

import { dns } from 'bun'
import { LRUCache } from 'lru-cache'

import { type TargetPolicy, targetUrlFault, hostOf, isAddress, isPublicAddress } from './addresses.ts'
import { outsideFetch, waitOutside } from './outside.ts'

/** Resolves all addresses of a name. */
export type Resolve = (host: string) => Promise<readonly string[]>

/** The result of a request: callers record each kind, nothing is thrown. */
export type Outcome =
  | { kind: 'answered'; status: number; snippet: string; retryAfter: string | undefined }
  /** The target is not allowed; nothing was sent. */
  | { kind: 'refused'; reason: string }
  /** No response. `reason` is for people and metrics, such as `timeout`. */
  | { kind: 'failed'; reason: string }

export type Download = { kind: 'answered'; status: number; headers: Headers; body: Uint8Array } | Unanswered
type Unanswered = Exclude<Outcome, { kind: 'answered' }>

export interface Outbound {
  /** Sends exactly the bytes of `body`. Never follows redirects: they are responses like any other. */
  post(url: string, headers: Record<string, string>, body: Uint8Array | string): Promise<Outcome>
  /**
   * Reads a document of at most `maxResponseBytes`; a longer one has failed with `too_large`. Follows redirects: each
   * target is checked like the first.
   */
  get(url: string, headers: Record<string, string>): Promise<Download>
}

export interface OutboundOptions extends TargetPolicy {
  /** For the whole exchange, including DNS. */
  timeoutMs: number
  /** The part of a response that is read; a longer response closes the connection. */
  maxResponseBytes: number
  /** Redirects that `get` follows; 5 by default. */
  maxRedirects?: number | undefined
  /** Set by tests, like the next two: they have no public address to listen on. */
  resolve?: Resolve | undefined
  isPublic?: ((address: string) => boolean) | undefined
  ca?: string | undefined
  /** How long resolved addresses are cached. */
  dnsCacheMs?: number | undefined
}

const DNS_CACHE_MS = 5000
const MAX_TRIED = 3

/** The refusal of a host without an address. */
export const UNRESOLVED = 'must have a name that can be resolved'

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
    if (addresses.length === 0) return { refusal: UNRESOLVED }
    // An attacker may mix a private address with public ones: such a name is refused as a whole.
    if (!options.allowPrivate && !addresses.every(isPublic)) return { refusal: 'must not point to a private address' }
    return { urls: addresses.slice(0, MAX_TRIED).map((address) => pinned(url, address)) }
  }
  const maxRedirects = options.maxRedirects ?? MAX_REDIRECTS
  const exchange = async <T extends { kind: string }>(
    text: string,
    message: Omit<Message, 'signal'>,
    read: (response: Response) => Promise<T>,
  ): Promise<T | Unanswered> => {
    const signal = AbortSignal.timeout(options.timeoutMs)
    const exchanged = async (): Promise<T | Unanswered> => {
      for (let named = text, hops = 0; ; hops++) {
        const target = await orAborted(targetOf(named), signal)
        if ('refusal' in target) return { kind: 'refused', reason: target.refusal }
        const from = new URL(named)
        const response = await firstOf(target.urls, (url) => request(from, url, { ...message, signal }, options))
        const location = message.method === 'GET' && REDIRECTS.has(response.status) && response.headers.get('location')
        if (!location) return await read(response)
        await response.body?.cancel()
        if (hops === maxRedirects) return { kind: 'failed', reason: 'too_many_redirects' }
        named = URL.parse(location, named)?.href ?? ''
      }
    }
    try {
      return await waitOutside(exchanged)
    } catch (error) {
      return { kind: 'failed', reason: signal.aborted ? 'timeout' : reasonOf(error) }
    }
  }
  return {
    post: (text, headers, body) =>
      exchange(text, { method: 'POST', headers, body }, async (response) => ({
        kind: 'answered' as const,
        status: response.status,
        snippet: textOf((await readUpTo(response, options.maxResponseBytes)).pieces, options.maxResponseBytes),
        retryAfter: response.headers.get('retry-after') ?? undefined,
      })),
    get: (text, headers) =>
      exchange(text, { method: 'GET', headers: { ...headers, 'accept-encoding': 'gzip' } }, (response) =>
        readDocument(response, options.maxResponseBytes),
      ),
  }
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])
const MAX_REDIRECTS = 5

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
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: Uint8Array | string
  signal: AbortSignal
}

/**
 * Connects to the address, but uses the name for `Host`, the TLS server name and the certificate check
 * (test/platform/net/outbound-fetch.test.ts): no name is resolved between the check and the connection.
 */
async function request(named: URL, target: URL, message: Message, options: OutboundOptions): Promise<Response> {
  const host = hostOf(named)
  return await outsideFetch(target, {
    ...message,
    headers: { ...message.headers, host: named.host },
    redirect: 'manual',
    // A proxy would resolve names itself. A compressed response is limited before it is decompressed.
    proxy: false,
    decompress: false,
    ...(target.protocol === 'https:'
      ? { tls: { ...(isAddress(host) ? {} : { serverName: host }), ...(options.ca ? { ca: options.ca } : {}) } }
      : {}),
  })
}

/** The first `limit` bytes of a response, or a little more. A response that is read to its end keeps the connection. */
async function readUpTo(response: Response, limit: number): Promise<{ pieces: Uint8Array[]; isWhole: boolean }> {
  const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader()
  const pieces: Uint8Array[] = []
  if (!reader) return { pieces, isWhole: true }
  let size = 0
  while (size < limit) {
    const { done, value } = await reader.read()
    if (done) return { pieces, isWhole: true }
    pieces.push(value)
    size += value.byteLength
  }
  await reader.cancel()
  return { pieces, isWhole: false }
}

const decompressed = promisify(gunzip)

async function readDocument(response: Response, limit: number): Promise<Download> {
  const { pieces, isWhole } = await readUpTo(response, limit + 1)
  if (!isWhole) return { kind: 'failed', reason: 'too_large' }
  const { status, headers } = response
  const coding = headers.get('content-encoding')?.toLowerCase() ?? 'identity'
  const bytes = Buffer.concat(pieces)
  if (bytes.length === 0 || coding === 'identity') return { kind: 'answered', status, headers, body: bytes }
  if (coding !== 'gzip') return { kind: 'failed', reason: 'unknown_coding' }
  try {
    return { kind: 'answered', status, headers, body: await decompressed(bytes, { maxOutputLength: limit }) }
  } catch (error) {
    return { kind: 'failed', reason: reasonOf(error) === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : 'broken_coding' }
  }
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

/**
 * Resolves with c-ares, IPv4 first. The system’s resolver blocks a thread per name: 50 names whose name server does not
 * answer delayed all other names and all file access for a minute. c-ares does not block threads, and also reads /etc/hosts.
 */
const systemResolve: Resolve = async (host) =>
  (await dns.lookup(host, { backend: 'c-ares' })).toSorted((a, b) => a.family - b.family).map(({ address }) => address)

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

const LONGEST_RETRY_MS = 86_400_000

/** `Retry-After` in seconds or as a date (RFC 9110 §10.2.3), at most a day; 0 when it is absent or invalid. */
export function retryAfterMs(text: string | null | undefined, now: Date): number {
  if (text === undefined || text === null) return 0
  const ms = /^\d{1,9}$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - now.getTime()
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), LONGEST_RETRY_MS)
}
