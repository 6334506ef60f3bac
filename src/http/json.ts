// Responses whose body is JSON text already, or becomes it here.
import { bodyOf } from './large-body.ts'
import { requestContextOf } from '../auth/request-context.ts'

interface Init {
  status?: number
  headers?: Record<string, string>
}

/** What the database was asked for comes after a wait. */
const AFTER_A_WAIT = { hasWaited: true, isHead: false }

/** JSON that the database made, passed through. */
export const jsonText = (text: string, init: Init = {}): Response =>
  new Response(bodyOf(text, AFTER_A_WAIT), {
    ...init,
    headers: { 'content-type': 'application/json', ...init.headers },
  })

/** A value as JSON. */
export const json = (value: unknown, init: Init = {}): Response => jsonText(JSON.stringify(value), init)

/** JSON that is the same for everyone: with an ETag, or 304 when the request has it already. */
export const publicJson = (request: Request, text: string): Response =>
  publicText(request, text, { 'content-type': 'application/json' })

/**
 * Text that is the same for everyone: with an ETag of its bytes, or 304 when the request has it already. Hashing 13 KB takes
 * 1 µs.
 */
export function publicText(request: Request, text: string, headers: Record<string, string>): Response {
  const etag = `"${Bun.hash.xxHash3(text).toString(36)}"`
  if (isKnown(request, etag)) return new Response(null, { status: 304, headers: { etag } })
  const body = bodyOf(text, { ...AFTER_A_WAIT, isHead: requestContextOf(request).isHead })
  return new Response(body, { headers: { ...headers, etag } })
}

/** Whether `If-None-Match` names the tag; it may list several, each perhaps marked weak, or any (RFC 9110 §13.1.2). */
export function isKnown(request: Request, etag: string): boolean {
  const known = request.headers.get('if-none-match')
  return known !== null && (known.includes(etag) || known.trim() === '*')
}
