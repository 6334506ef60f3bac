// The one way out to addresses that strangers name: every address checked, the connection pinned to a checked one.
import { lookup } from 'node:dns/promises'

import { LRUCache } from 'lru-cache'

import { type TargetPolicy, faultOfUrl, hostOf, isAddress, isPublicAddress } from './addresses.ts'

/** All addresses of a name. */
export type Resolve = (host: string) => Promise<readonly string[]>

/** What came of a request. Nothing throws: whoever delivers notes each of these. */
export type Outcome =
  | { kind: 'answered'; status: number; snippet: string; retryAfter: string | undefined }
  /** Nothing was sent: the target may not be called. */
  | { kind: 'refused'; reason: string }
  /** No answer: `reason` is a word for people and metrics, such as `timeout`. */
  | { kind: 'failed'; reason: string }

export interface Outbound {
  /** Sends `body`, exactly these bytes. Redirects are answers like any other: they are never followed. */
  post(url: string, headers: Record<string, string>, body: Uint8Array | string): Promise<Outcome>
}

export interface OutboundOptions extends TargetPolicy {
  /** For the whole exchange, name look-up included. */
  timeoutMs: number
  /** How much of an answer is read; the rest is cut off with the connection. */
  answerBytes: number
  /** Injected by tests, like the next two: they have no public address to listen on. */
  resolve?: Resolve | undefined
  isPublic?: ((address: string) => boolean) | undefined
  ca?: string | undefined
  /** How long a name's addresses are kept; seconds unless given. */
  keepAddressesMs?: number | undefined
}

/** Names are looked up anew after this long. What is kept was checked, and is what the connection is pinned to. */
const KEEP_ADDRESSES_MS = 5000
const MAX_TRIED = 3

/** Opens the client. Bun's own connection pool serves it, keyed by address and TLS name. */
export function openOutbound(options: OutboundOptions): Outbound {
  const addressesOf = lookUp(options.resolve ?? systemResolve, options.keepAddressesMs ?? KEEP_ADDRESSES_MS)
  const isPublic = options.isPublic ?? isPublicAddress
  const targetOf = async (text: string): Promise<{ urls: URL[] } | { refusal: string }> => {
    const fault = faultOfUrl(text, options)
    if (fault) return { refusal: fault }
    const url = new URL(text)
    const host = hostOf(url)
    const addresses = isAddress(host) ? [host] : await addressesOf(host)
    if (addresses.length === 0) return { refusal: 'must have a name that can be resolved' }
    // One private address among public ones is how a name is aimed at the inside: the whole name is refused.
    if (!options.allowPrivate && !addresses.every(isPublic)) return { refusal: 'must not lead to a private address' }
    return { urls: addresses.slice(0, MAX_TRIED).map((address) => pinned(url, address)) }
  }
  return {
    post: async (text, headers, body) => {
      const signal = AbortSignal.timeout(options.timeoutMs)
      try {
        const target = await raceAbort(targetOf(text), signal)
        if ('refusal' in target) return { kind: 'refused', reason: target.refusal }
        return await firstOf(target.urls, (url) => exchange(new URL(text), url, { headers, body, signal }, options))
      } catch (error) {
        return { kind: 'failed', reason: signal.aborted ? 'timeout' : reasonOf(error) }
      }
    },
  }
}

/** What says that a connection was never there, so that nothing was sent and another address may be tried. */
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL', 'FailedToOpenSocket'])

/** Tries the addresses of a name in turn until one takes the connection: of two families perhaps one leads nowhere. */
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
 * The request goes to the address, under the name: `Host`, TLS server name and the certificate's check are all of the
 * name (test/platform/net/outbound-fetch.test.ts), so nothing is looked up between the check and the connection.
 */
async function exchange(named: URL, target: URL, { headers, body, signal }: Message, options: OutboundOptions) {
  const host = hostOf(named)
  const response = await fetch(target, {
    method: 'POST',
    headers: { ...headers, host: named.host },
    body,
    signal,
    redirect: 'manual',
    // A proxy of the environment would look names up by itself; a compressed answer is cut before it is unpacked.
    proxy: false,
    decompress: false,
    ...(target.protocol === 'https:'
      ? { tls: { ...(isAddress(host) ? {} : { serverName: host }), ...(options.ca ? { ca: options.ca } : {}) } }
      : {}),
  })
  const retryAfter = response.headers.get('retry-after') ?? undefined
  const snippet = await readSnippet(response, options.answerBytes)
  return { kind: 'answered' as const, status: response.status, snippet, retryAfter }
}

/** The beginning of the answer as text. Reading to the end keeps the connection; more than that is cut off. */
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

/** PostgreSQL stores no NUL. */
const textOf = (pieces: Uint8Array[], limit: number) =>
  Buffer.concat(pieces).subarray(0, limit).toString('utf8').toWellFormed().replaceAll('\0', '\uFFFD')

/** The URL with the address in place of the name, and without the fragment, which is never sent. */
function pinned(url: URL, address: string): URL {
  const target = new URL(url)
  target.hostname = address.includes(':') ? `[${address}]` : address
  target.hash = ''
  return target
}

/** One look-up at a time per name, its result kept for seconds. A failed one is not kept. */
function lookUp(resolve: Resolve, ttl: number): Resolve {
  const known = new LRUCache<string, Promise<readonly string[]>>({ max: 10_000, ttl })
  return (host) => {
    const found = known.get(host)
    if (found) return found
    const asked = resolve(host)
    known.set(host, asked)
    asked.catch(() => known.delete(host))
    return asked
  }
}

const systemResolve: Resolve = async (host) =>
  (await lookup(host, { all: true, order: 'ipv4first' })).map(({ address }) => address)

async function raceAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(signal.reason as Error)
  signal.addEventListener('abort', abort, { once: true })
  return await Promise.race([work, aborted.promise]).finally(() => signal.removeEventListener('abort', abort))
}

/** The error's code, never its message: that may quote the address. */
const reasonOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'failed'
