// The Host header: what a request without a good one means for its address.
import { invalidField } from '../errors/app-error.ts'

/** A name or an address, with or without a port (RFC 3986 §3.2.2); names of containers may have an underscore. */
const HOST = /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i

/**
 * Throws validation_failed for a Host that is none, or several (RFC 9112 §3.2). HTTP/1.0 needs none, and load balancers
 * still ask for health that way: Bun gives such a request a bare path for a URL, which becomes a whole one here.
 */
export function checkHost(request: Request, baseUrl: string): void {
  const host = request.headers.get('host')
  if (host === null) {
    if (request.url.startsWith('/')) Object.defineProperty(request, 'url', { value: baseUrl + request.url })
  } else if (!HOST.test(host)) throw invalidField('header.Host', 'must be one host, with or without a port')
}
