// Responses with JSON text, and with ETags.
import { requestContextOf } from '../auth/request-context.ts'
import type { Deps } from '../deps.ts'
import { type Coding, VARY_BY_CODING, codingFor, compressQuickly, etagOf } from './content-coding.ts'
import { bodyOf } from './large-body.ts'

interface Init {
  status?: number
  headers?: Record<string, string>
}

/** For handlers that awaited the database; see large-body.ts. */
const AFTER_A_WAIT = { hasWaited: true, isHead: false }

/** JSON text from the database, passed through. */
export const jsonText = (text: string, init: Init = {}): Response =>
  new Response(bodyOf(text, AFTER_A_WAIT), {
    ...init,
    headers: { 'content-type': 'application/json', ...init.headers },
  })

/** A value as JSON. */
export const json = (value: unknown, init: Init = {}): Response => jsonText(JSON.stringify(value), init)

/** Public JSON text: with an ETag, or 304 when the request has the same. Compressed if COMPRESS_SEARCH says so. */
export const publicJson = ({ config }: Deps, request: Request, text: string): Response =>
  publicText(request, text, {
    headers: { 'content-type': 'application/json' },
    compress: config.compressSearch ? compressQuickly : undefined,
  })

interface PublicText {
  headers: Record<string, string>
  /** How the text is compressed for clients that accept it; undefined for not at all. */
  compress: ((text: string, coding: Coding) => Uint8Array<ArrayBuffer>) | undefined
}

/** Public text: with an ETag of its content, or 304 when the request has the same. Hashing 13 KB takes 1 µs. */
export function publicText(request: Request, text: string, { headers, compress }: PublicText): Response {
  const coding = compress && codingFor(request, text.length)
  const etag = etagOf(Bun.hash.xxHash3(text).toString(36), coding)
  const sent = { ...headers, etag, ...(compress ? { vary: VARY_BY_CODING } : {}) }
  if (isKnown(request, etag)) {
    const { 'content-type': _, ...unchanged } = sent as Record<string, string>
    return new Response(null, { status: 304, headers: unchanged })
  }
  const content = compress && coding ? compress(text, coding) : text
  const body = bodyOf(content, { ...AFTER_A_WAIT, isHead: requestContextOf(request).isHead })
  return new Response(body, { headers: coding ? { ...sent, 'content-encoding': coding } : sent })
}

/** Whether `If-None-Match` contains the tag: it may be a list, with weak tags, or `*` (RFC 9110 §13.1.2). */
export function isKnown(request: Request, etag: string): boolean {
  const known = request.headers.get('if-none-match')
  return known !== null && (known.includes(etag) || known.trim() === '*')
}
