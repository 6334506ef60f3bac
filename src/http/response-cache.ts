// Small public answers that change rarely, kept as bytes with their ETag until the database says they changed.
import { createHash } from 'node:crypto'

import { LRUCache } from 'lru-cache'

import type { Notifications, Channel } from '../platform/postgres/notifications.ts'
import { corsHeaders } from './cors.ts'
import type { HeaderList } from './headers.ts'
import { isKnown } from './json.ts'
import { bodyOf } from './large-body.ts'
import { type RequestContext, requestContextOf, setContextHeaders } from '../auth/request-context.ts'

interface Answer {
  bytes: Uint8Array<ArrayBuffer>
  etag: string
  headers: Headers
  ready?: ReadyHeaders
  generation: number
  builtAtMs: number
}

/** Headers made once and copied for each answer, which costs 1 µs less than setting them: by policy of rate limits. */
interface ReadyHeaders {
  safe: HeaderList
  /** For answers that pages of any origin may read, and for those that none may. */
  open: Map<string, Headers>
  closed: Map<string, Headers>
}

/** Nearly all keys have the same limits. */
const MAX_POLICIES = 20

/** A change shows after at most this long; many changes in a row cost one rebuild per answer and interval. */
const REBUILD_INTERVAL_MS = 500
/** Different answers kept per process; the least used goes first. */
const MAX_ANSWERS = 5000
const MAX_BYTES = 64 * 1024 * 1024

/** What tells an answer from others. */
type KeyParts = readonly (string | number | undefined)[]

/** Keeps answers by key; `channels` are the notifications that make them stale. */
export class ReadyAnswers {
  #generation = 0
  readonly #answers = new LRUCache<string, Answer>({
    max: MAX_ANSWERS,
    maxSize: MAX_BYTES,
    sizeCalculation: (answer) => answer.bytes.length + 200,
  })
  readonly #building = new Map<string, Promise<Answer>>()

  constructor(changes: Notifications, channels: readonly Channel[]) {
    for (const channel of channels) changes.on(channel, () => this.#generation++)
  }

  /**
   * The answer for what `parts` name, as a response: 304 when the request has its ETag, else its bytes. `build` makes the body when
   * there is none yet or it is stale; callers that ask meanwhile share one call.
   */
  respond(request: Request, parts: KeyParts, build: () => Promise<unknown>): Response | Promise<Response> {
    const key = keyOf(parts)
    const kept = this.#answers.get(key)
    if (kept && this.#isFresh(kept)) return respondWith(kept, request)
    return this.#build(key, build).then((answer) => respondWith(answer, request))
  }

  #isFresh(answer: Answer): boolean {
    return answer.generation === this.#generation || performance.now() - answer.builtAtMs < REBUILD_INTERVAL_MS
  }

  #build(key: string, build: () => Promise<unknown>): Promise<Answer> {
    const running = this.#building.get(key)
    if (running) return running
    const generation = this.#generation
    const builtAtMs = performance.now()
    const building = build()
      .then((body) => {
        const bytes = new TextEncoder().encode(JSON.stringify(body))
        const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
        const headers = new Headers({ 'content-type': 'application/json', etag })
        const answer = { bytes, etag, headers, generation, builtAtMs }
        this.#answers.set(key, answer)
        return answer
      })
      .finally(() => this.#building.delete(key))
    this.#building.set(key, building)
    return building
  }
}

/** No part has a NUL in it: the gate refuses them. */
function keyOf(parts: KeyParts): string {
  let key = ''
  for (const part of parts) key += part === undefined ? '\0' : `=${part}\0`
  return key
}

const respondWith = (answer: Answer, request: Request): Response =>
  isKnown(request, answer.etag)
    ? new Response(null, { status: 304, headers: { etag: answer.etag } })
    : responseWith(answer, requestContextOf(request))

/**
 * With all its headers, where that is known; the edge sets what is missing. The ready ones are filled in and copied: to set
 * them on the answer itself costs 1 µs more.
 */
function responseWith(answer: Answer, facts: RequestContext): Response {
  const body = bodyOf(answer.bytes, facts)
  const headers = readyHeaders(answer, facts)
  if (!headers) return new Response(body, { headers: answer.headers })
  setContextHeaders(headers, facts)
  return (facts.complete = new Response(body, { headers }))
}

function readyHeaders(answer: Answer, { safe, allowOrigin, rateLimit }: RequestContext): Headers | undefined {
  const isOpen = allowOrigin === '*'
  if (!safe || !(isOpen || allowOrigin === undefined)) return undefined
  const policy = rateLimit?.policy ?? ''
  if (answer.ready?.safe !== safe) answer.ready = { safe, open: new Map(), closed: new Map() }
  const ready = isOpen ? answer.ready.open : answer.ready.closed
  const known = ready.get(policy)
  if (known) return known
  const headers = new Headers(answer.headers)
  for (const [name, value] of [...safe, ...(isOpen ? corsHeaders('*') : [])]) headers.set(name, value)
  if (rateLimit) headers.set('ratelimit-policy', policy)
  if (ready.size >= MAX_POLICIES) ready.clear()
  ready.set(policy, headers)
  return headers
}
