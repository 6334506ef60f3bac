// Documents that rarely change: made and compressed once for many requests.
import { PublicBody } from './public-body.ts'

/** Responds to requests for one document; `make` runs at the first. */
export function cachedDocument(
  type: string,
  make: () => string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): (request: Request) => Response {
  let body: PublicBody | undefined
  return (request) => {
    body ??= new PublicBody(bytesOf(make()), type, headers)
    return body.respond(request)
  }
}

/** The same for a document made from what `source` returns: made again when that is another object. */
export function derivedDocument<Source extends object>(
  type: string,
  source: () => Promise<Source>,
  make: (source: Source) => string,
  headers: Record<string, string> = {},
): (request: Request) => Promise<Response> {
  let from: Source | undefined
  let body: PublicBody | undefined
  return async (request) => {
    const current = await source()
    if (!body || from !== current) {
      body = new PublicBody(bytesOf(make(current)), type, headers)
      from = current
    }
    return body.respond(request)
  }
}

const bytesOf = (content: string | Uint8Array<ArrayBuffer>) =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content
