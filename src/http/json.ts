// Responses with JSON text, and with ETags.
import { bodyOf } from './large-body.ts'
import { requestContextOf } from '../auth/request-context.ts'

interface Init {
  status?: number
  headers?: Record<string, string>
}

/** The state of a handler that waited for the database. */
const AFTER_A_WAIT = { hasWaited: true, isHead: false }

/** JSON text from the database, passed through. */
export const jsonText = (text: string, init: Init = {}): Response =>
  new Response(bodyOf(text, AFTER_A_WAIT), {
    ...init,
    headers: { 'content-type': 'application/json', ...init.headers },
  })

/** A value as JSON. */
export const json = (value: unknown, init: Init = {}): Response => jsonText(JSON.stringify(value), init)

/** Public JSON text: with an ETag, or 304 when the request has the same. */
export const publicJson = (request: Request, text: string): Response =>
  publicText(request, text, { 'content-type': 'application/json' })

/** Public text: with an ETag of its content, or 304 when the request has the same. Hashing 13 KB takes 1 µs. */
export function publicText(request: Request, text: string, headers: Record<string, string>): Response {
  const etag = `"${Bun.hash.xxHash3(text).toString(36)}"`
  if (isKnown(request, etag)) return new Response(null, { status: 304, headers: { etag } })
  const body = bodyOf(text, { ...AFTER_A_WAIT, isHead: requestContextOf(request).isHead })
  return new Response(body, { headers: { ...headers, etag } })
}

/** Whether `If-None-Match` contains the tag: it may be a list, with weak tags, or `*` (RFC 9110 §13.1.2). */
export function isKnown(request: Request, etag: string): boolean {
  const known = request.headers.get('if-none-match')
  return known !== null && (known.includes(etag) || known.trim() === '*')
}
