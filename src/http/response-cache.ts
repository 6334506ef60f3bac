// Small public responses that change rarely, cached as bytes with their ETag until PostgreSQL notifies of a change.
import { createHash } from 'node:crypto'

import { LRUCache } from 'lru-cache'

import type { Notifications, Channel } from '../platform/postgres/notifications.ts'
import { isKnown } from './json.ts'
import { bodyOf } from './large-body.ts'
import { requestContextOf } from '../auth/request-context.ts'

interface CachedResponse {
  bytes: Uint8Array<ArrayBuffer>
  etag: string
  generation: number
  builtAtMs: number
}

/** A change shows after this long at most; many changes cost one rebuild per response and interval. */
const REBUILD_INTERVAL_MS = 500
/** Per process; the least recently used goes first. */
const MAX_RESPONSES = 5000
const MAX_BYTES = 64 * 1024 * 1024

/** The parameters that a response depends on. */
type KeyParts = readonly (string | number | undefined)[]

/** Caches responses by key; notifications of the `channels` make them stale. */
export class ResponseCache {
  #generation = 0
  readonly #responses = new LRUCache<string, CachedResponse>({
    max: MAX_RESPONSES,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ bytes }) => bytes.length + 200,
  })
  readonly #building = new Map<string, Promise<CachedResponse>>()

  constructor(notifications: Notifications, channels: readonly Channel[]) {
    for (const channel of channels) notifications.on(channel, () => this.#generation++)
  }

  /**
   * The response for `parts`: 304 when the request has its ETag. `build` makes the body when it is missing or stale; requests
   * that come meanwhile share one call.
   */
  respond(request: Request, parts: KeyParts, build: () => Promise<unknown>): Response | Promise<Response> {
    const key = keyOf(parts)
    const cached = this.#responses.get(key)
    if (cached && this.#isFresh(cached)) return respondWith(cached, request)
    return this.#build(key, build).then((built) => respondWith(built, request))
  }

  #isFresh({ generation, builtAtMs }: CachedResponse): boolean {
    return generation === this.#generation || performance.now() - builtAtMs < REBUILD_INTERVAL_MS
  }

  #build(key: string, build: () => Promise<unknown>): Promise<CachedResponse> {
    const running = this.#building.get(key)
    if (running) return running
    const generation = this.#generation
    const builtAtMs = performance.now()
    const building = build()
      .then((body) => {
        const bytes = new TextEncoder().encode(JSON.stringify(body))
        const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
        const response = { bytes, etag, generation, builtAtMs }
        this.#responses.set(key, response)
        return response
      })
      .finally(() => this.#building.delete(key))
    this.#building.set(key, building)
    return building
  }
}

/** Separated by NUL, which the guard refuses in every part. */
function keyOf(parts: KeyParts): string {
  let key = ''
  for (const part of parts) key += part === undefined ? '\0' : `=${part}\0`
  return key
}

function respondWith({ bytes, etag }: CachedResponse, request: Request): Response {
  if (isKnown(request, etag)) return new Response(null, { status: 304, headers: { etag } })
  const body = bodyOf(bytes, requestContextOf(request))
  return new Response(body, { headers: { 'content-type': 'application/json', etag } })
}
