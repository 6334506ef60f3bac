// What is learned about a request on its way in and told in headers on its way out.
/** All fields are there from the start: an object that grows with each would be moved around. */
export class RequestContext {
  /** The id of its trace. */
  requestId: string | undefined = undefined
  /** When it came, by `performance.now()`. */
  startedMs: number | undefined = undefined
  /** It came as HEAD, and is answered as GET would be. */
  isHead = false
  /** A person asked for it in a browser: what goes wrong is told in a page. */
  isPage = false
  /** The address of the socket's other end: asked only where it matters, and gone once the client is. */
  peer: (() => string | undefined) | undefined = undefined
  /** The route speaks JSON-RPC: so do its errors. */
  isRpc = false
  /** The origin whose pages may read the answer; `*` for all. */
  allowOrigin: string | undefined = undefined
  /** An earlier request with the same `Idempotency-Key` produced the response. */
  isReplayed = false
  /** The key it came with, once that was known for good. The id, never the key. */
  keyId: string | undefined = undefined
  /** The request waited for a store before its handler ran. */
  hasWaited = false
  /** `RateLimit-Policy` and `RateLimit`, once the limits were asked. */
  rateLimit: { policy: string; state: string } | undefined = undefined
  /** What keeps a good answer of its route safe and says who may keep it. */
  safe: readonly (readonly [name: string, value: string])[] | undefined = undefined
  /** The answer that has all its headers already. */
  complete: Response | undefined = undefined
}

/** Where a request carries its facts: a WeakMap of them cost 0.4 µs more. */
const FACTS = Symbol('hearth.facts')

/** The facts about a request: the same object for everyone who asks. */
export const requestContextOf = (request: Request & { [FACTS]?: RequestContext }): RequestContext =>
  (request[FACTS] ??= new RequestContext())

/** Tells what is each request's own. */
export function setContextHeaders(headers: Headers, { requestId, rateLimit }: RequestContext): void {
  if (requestId !== undefined) headers.set('x-request-id', requestId)
  if (rateLimit) headers.set('ratelimit', rateLimit.state)
}
