// Small public responses that change rarely, cached as bytes with their ETags until PostgreSQL notifies of a change.
import { LRUCache } from 'lru-cache'

import type { CacheTracking, Notifications, ReadMark, TrackedCache } from '../platform/postgres/notifications.ts'
import { PublicBody } from './public-body.ts'

interface CachedResponse {
  body: PublicBody
  read: ReadMark
}

/** A change shows after this long at most; many changes cost one rebuild per response and interval. */
const REBUILD_INTERVAL_MS = 500
/** A response is never older, also when the process that changed its data died before it notified. */
const MAX_AGE_MS = 1000
/** Per process; the least recently used goes first. */
const MAX_RESPONSES = 5000
const MAX_BYTES = 64 * 1024 * 1024

/** The parameters that a response depends on. */
type KeyParts = readonly (string | number | undefined)[]

/** Caches responses by key; notifications of the channels make them stale. */
export class ResponseCache {
  readonly #tracking: CacheTracking
  readonly #responses = new LRUCache<string, CachedResponse>({
    max: MAX_RESPONSES,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ body }) => body.size + 200,
  })
  readonly #building = new Map<string, Promise<CachedResponse>>()

  constructor(notifications: Notifications, cache: Pick<TrackedCache, 'name' | 'channels'>) {
    this.#tracking = notifications.track({ ...cache, maxAgeMs: MAX_AGE_MS })
  }

  /**
   * The response for `parts`: 304 when the request has its ETag. `build` makes the body when it is missing or stale; requests
   * that come meanwhile share one call.
   */
  respond(request: Request, parts: KeyParts, build: () => Promise<unknown>): Response | Promise<Response> {
    const key = keyOf(parts)
    const cached = this.#responses.get(key)
    if (cached && this.#isFresh(cached)) return this.#send(key, cached, request)
    return this.#build(key, build).then((built) => this.#send(key, built, request))
  }

  #send(key: string, response: CachedResponse, request: Request): Response {
    const { body } = response
    const sizeBefore = body.size
    const sent = body.respond(request)
    // The response now also holds a compressed body. Setting it again updates the size that the cache counts.
    if (body.size !== sizeBefore && this.#responses.peek(key) === response) this.#responses.set(key, response)
    return sent
  }

  #isFresh({ read }: CachedResponse): boolean {
    return this.#tracking.isCurrent(read) || performance.now() - read.atMs < REBUILD_INTERVAL_MS
  }

  #build(key: string, build: () => Promise<unknown>): Promise<CachedResponse> {
    const running = this.#building.get(key)
    if (running) return running
    const read = this.#tracking.mark()
    const building = build()
      .then((body) => {
        const bytes = new TextEncoder().encode(JSON.stringify(body))
        const response = { body: new PublicBody(bytes, 'application/json'), read }
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
