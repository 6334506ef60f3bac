// Documents that do not change while a process runs: made once, cached as bytes with their ETag.
import { createHash } from 'node:crypto'

import { isKnown } from './json.ts'
import { bodyOf } from './large-body.ts'
import { requestContextOf } from '../auth/request-context.ts'

/** Responds to requests for one document; `make` runs at the first. */
export function cachedDocument(
  type: string,
  make: () => string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): (request: Request) => Response {
  let ready: { bytes: Uint8Array<ArrayBuffer>; headers: { etag: string } } | undefined
  return (request) => {
    ready ??= prepare(type, make(), headers)
    return isKnown(request, ready.headers.etag)
      ? new Response(null, { status: 304, headers: ready.headers })
      : new Response(bodyOf(ready.bytes, requestContextOf(request)), { headers: ready.headers })
  }
}

function prepare(type: string, content: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>) {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
  return {
    bytes,
    headers: { 'content-type': type, etag, ...headers },
  }
}
