// A public body that is sent many times, with its ETags and its compressed forms.
import { createHash } from 'node:crypto'

import { requestContextOf } from '../auth/request-context.ts'
import { type Coding, VARY_BY_CODING, codingFor, compressThoroughly, etagOf } from './content-coding.ts'
import { isKnown } from './json.ts'
import { bodyOf } from './large-body.ts'

/** The body in one coding, as it is sent. */
interface Representation {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly etag: string
  readonly headers: Record<string, string>
  /** The headers of a 304: those of the body, without what describes its bytes. */
  readonly unchangedHeaders: Record<string, string>
}

/** Formats that another compression makes no smaller. */
const IS_COMPRESSED = /^(image\/(jpeg|png|x-icon)|font\/woff2)$/

export class PublicBody {
  readonly #digest: string
  readonly #bytes: Uint8Array<ArrayBuffer>
  readonly #type: string
  readonly #headers: Record<string, string>
  readonly #representations = new Map<Coding | undefined, Representation>()

  constructor(bytes: Uint8Array<ArrayBuffer>, type: string, { vary, ...headers }: Record<string, string> = {}) {
    this.#digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
    this.#bytes = bytes
    this.#type = type
    this.#headers = { ...headers, vary: vary === undefined ? VARY_BY_CODING : `${vary}, ${VARY_BY_CODING}` }
  }

  /** The bytes held, in all codings that were asked for. */
  get size(): number {
    return this.#representations.values().reduce((sum, { bytes }) => sum + bytes.length, this.#bytes.length)
  }

  /** The body in the coding that the request prefers, or 304 when the request has its ETag. */
  respond(request: Request): Response {
    const coding = IS_COMPRESSED.test(this.#type) ? undefined : codingFor(request, this.#bytes.length)
    let representation = this.#representations.get(coding)
    if (!representation) this.#representations.set(coding, (representation = this.#represent(coding)))
    const { bytes, etag, headers, unchangedHeaders } = representation
    return isKnown(request, etag)
      ? new Response(null, { status: 304, headers: unchangedHeaders })
      : new Response(bodyOf(bytes, requestContextOf(request)), { headers })
  }

  #represent(coding: Coding | undefined): Representation {
    const etag = etagOf(this.#digest, coding)
    const unchangedHeaders = { ...this.#headers, etag }
    const headers = { 'content-type': this.#type, ...unchangedHeaders }
    return coding
      ? {
          bytes: compressThoroughly(this.#bytes, coding),
          etag,
          headers: { ...headers, 'content-encoding': coding },
          unchangedHeaders,
        }
      : { bytes: this.#bytes, etag, headers, unchangedHeaders }
  }
}
