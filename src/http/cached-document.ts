// Documents that do not change while a process runs: made and compressed once.
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

const bytesOf = (content: string | Uint8Array<ArrayBuffer>) =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content
