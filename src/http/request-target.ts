// The request's method, URL and Host, checked and completed before Elysia reads them.
import { requestContextOf } from '../auth/request-context.ts'
import { AppError, invalidField } from '../errors/app-error.ts'

/** RFC 9110 §4.1 requires at least 8,000. */
const MAX_TARGET_LENGTH = 8192
/** Five times what any route knows; each parameter costs a decoding. */
const MAX_PARAMETERS = 100

/** A name or an address, with or without a port (RFC 3986 §3.2.2); container names may have an underscore. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::(\d{1,5}))?$/i
const MAX_PORT = 65_535

/** Throws uri_too_long, or validation_failed for too many query parameters, malformed percent-encoding or a bad Host. */
export function checkTarget(request: Request, baseUrl: string): void {
  checkLength(request.url)
  checkEncoding(request.url)
  checkHost(request, baseUrl)
  if (request.method === 'HEAD') serveAsGet(request)
}

function checkLength(url: string): void {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  if (url.length - start > MAX_TARGET_LENGTH)
    throw new AppError('uri_too_long', `Path and query may have up to ${MAX_TARGET_LENGTH} characters.`)
  let parameters = 0
  for (let at = url.indexOf('?', start); at !== -1; at = url.indexOf('&', at + 1))
    if (++parameters > MAX_PARAMETERS)
      throw new AppError('validation_failed', `A query may have up to ${MAX_PARAMETERS} parameters.`, {
        errors: [{ path: 'query', message: `must have at most ${MAX_PARAMETERS} parameters` }],
      })
}

/** Decoders of paths throw for malformed percent-encoding (RFC 3986 §2.1) and those of queries keep it, so it stops here. */
function checkEncoding(url: string): void {
  if (!url.includes('%') || isDecodable(url)) return
  const part = isDecodable(pathOf(url)) ? 'query' : 'path'
  throw new AppError('validation_failed', `The ${part} is not percent-encoded UTF-8. Write a percent sign as %25.`, {
    errors: [{ path: part, message: 'must be percent-encoded UTF-8' }],
  })
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/**
 * Refuses a Host that is malformed or a list (RFC 9112 §3.2). HTTP/1.0 needs no Host, and load balancers still check health
 * that way: Bun gives such a request a bare path as its URL, which is completed here.
 */
function checkHost(request: Request, baseUrl: string): void {
  const host = request.headers.get('host')
  if (host === null) {
    if (request.url.startsWith('/')) Object.defineProperty(request, 'url', { value: baseUrl + request.url })
  } else if (!isHost(host)) throw invalidField('header.Host', 'must be one host, with or without a port')
}

/**
 * HEAD runs the GET route; Bun omits the body and keeps its length (RFC 9110 §9.3.2). Elysia's own HEAD reads the whole body
 * to measure it. The request stays the same object, because Bun knows the peer's address only for the one it handed out.
 */
function serveAsGet(request: Request): void {
  requestContextOf(request).isHead = true
  Object.defineProperty(request, 'method', { value: 'GET' })
}

/** The path of a URL, without its query. Without a Host, Bun gives a URL that is a path alone. */
export function pathOf(url: string): string {
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('//') + 2)
  const end = url.indexOf('?', start)
  return url.slice(start, end === -1 ? undefined : end)
}

/** The query of a URL. Bun passes on hosts that `URL` refuses, such as one with port 99999. */
export function queryOf(url: string): URLSearchParams {
  const start = url.indexOf('?')
  return new URLSearchParams(start === -1 ? '' : url.slice(start))
}

/** The path of a URL, with its query if it has one. */
export function pathWithQuery(url: string): string {
  const query = queryOf(url).toString()
  return query === '' ? pathOf(url) : `${pathOf(url)}?${query}`
}

function isHost(text: string): boolean {
  const match = HOST.exec(text)
  return match !== null && Number(match[1] ?? 0) <= MAX_PORT
}
