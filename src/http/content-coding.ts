// Compression by `Accept-Encoding` (RFC 9110 §12.5.3).
//
// What is the same for everyone is compressed. The length of a compressed body tells which of its parts are alike: where
// a secret, such as a form's CSRF token, stands beside text of an attacker's choice, it can be guessed piece by piece (BREACH).
// So a page of one person is compressed only where the browser says that no other site caused the request. Responses to keys
// and everything else that caches do not keep stay uncompressed.
import { createHash } from 'node:crypto'
import { brotliCompressSync, constants } from 'node:zlib'

import { LRUCache } from 'lru-cache'
import Negotiator from 'negotiator'

/** The codings on offer. The first wins where a client has no preference. */
export const CODINGS = ['zstd', 'br', 'gzip'] as const
export type Coding = (typeof CODINGS)[number]

/** A smaller body fits into one packet as it is. */
const MIN_LENGTH = 1000

/** Response headers of every resource that may be compressed. */
export const VARY_BY_CODING = 'accept-encoding'

/** Parsing a header takes 3 µs, and clients send few different ones. Longer headers are parsed anew. */
const MAX_CACHED_LENGTH = 100
const known = new LRUCache<string, { coding: Coding | undefined }>({ max: 500 })

/**
 * The coding for a body of `length` bytes; undefined for none. A client that refuses both every coding and `identity` gets
 * the body uncompressed, as RFC 9110 §12.5.3 allows.
 */
export function codingFor({ headers }: Request, length: number): Coding | undefined {
  const accepted = headers.get('accept-encoding')
  if (accepted === null || length < MIN_LENGTH) return undefined
  const cached = known.get(accepted)
  if (cached) return cached.coding
  const coding = preferredOf(accepted)
  if (accepted.length <= MAX_CACHED_LENGTH) known.set(accepted, { coding })
  return coding
}

/** The method with the option that its types do not have. */
interface WithPreference {
  encodings(available: string[], options: { preferred: string[] }): string[]
}

function preferredOf(accepted: string): Coding | undefined {
  const negotiator: WithPreference = new Negotiator({ headers: { 'accept-encoding': accepted } })
  const [first] = negotiator.encodings([...CODINGS, 'identity'], { preferred: [...CODINGS] })
  return CODINGS.find((coding) => coding === first)
}

/** The ETag of a representation: each coding has its own, because its bytes differ (RFC 9110 §8.8.3.3). */
export const etagOf = (digest: string, coding: Coding | undefined): string =>
  coding ? `"${digest}-${coding}"` : `"${digest}"`

type Compress = (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>

const brotli =
  (quality: number): Compress =>
  (bytes) =>
    brotliCompressSync(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    })

/** For bodies that are sent many times. Brotli's highest level takes 60 times as long or more for 10 to 18% fewer bytes. */
const THOROUGH: Record<Coding, Compress> = {
  zstd: (bytes) => Bun.zstdCompressSync(bytes, { level: 9 }) as Uint8Array<ArrayBuffer>,
  br: brotli(5),
  gzip: (bytes) => Bun.gzipSync(bytes, { level: 6 }),
}

/** For bodies that are sent once. */
const QUICK: Record<Coding, Compress> = {
  zstd: (bytes) => Bun.zstdCompressSync(bytes, { level: 1 }) as Uint8Array<ArrayBuffer>,
  br: brotli(1),
  gzip: (bytes) => Bun.gzipSync(bytes, { level: 1 }),
}

/** Compresses a body that is sent many times, and kept by the caller. */
export const compressThoroughly = (bytes: Uint8Array<ArrayBuffer>, coding: Coding) => THOROUGH[coding](bytes)

/** Compresses a text that is sent once. */
export const compressQuickly = (text: string, coding: Coding) => QUICK[coding](new TextEncoder().encode(text))

const MAX_KEPT_BYTES = 16 * 1024 * 1024
const kept = new LRUCache<string, Uint8Array<ArrayBuffer>>({
  maxSize: MAX_KEPT_BYTES,
  sizeCalculation: (bytes) => bytes.length + 200,
})

/** Compresses a text that is rendered for each request but rarely changes: equal texts are compressed once. */
export function compressOnce(text: string, coding: Coding): Uint8Array<ArrayBuffer> {
  const key = `${coding} ${createHash('sha256').update(text).digest('base64url')}`
  const cached = kept.get(key)
  if (cached) return cached
  const bytes = compressThoroughly(new TextEncoder().encode(text), coding)
  kept.set(key, bytes)
  return bytes
}
