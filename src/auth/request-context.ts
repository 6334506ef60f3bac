// The request context: what guard, limits and handlers record about a request, and what the response headers are made of.
import type { IdempotencyContext } from '../ctx.ts'
import type { AppError } from '../errors/app-error.ts'
import { type MessageId, messageIdOf } from '../platform/net/message-id.ts'
import { isStateless } from '../platform/net/protocol-era.ts'

/**
 * `asset`: its address changes with its content, so it is never requested again. `public`: the same for all, and kept by
 * any cache that revalidates before each use, which costs a 304 with an ETag. `personal`: kept by no cache.
 */
export type Caching = 'asset' | 'public' | 'private' | 'personal'

/** All fields exist from the start, because an object that grows is moved in memory with each new field. */
export class RequestContext {
  /** The id of the request's trace. */
  requestId: string | undefined = undefined
  /** When the request arrived, by `performance.now()`. */
  startedMs = performance.now()
  /** The pattern of the route that matched. */
  route: string | undefined = undefined
  /** The caching of the route's successful responses. */
  caching: Caching = 'personal'
  /** The request is a HEAD that runs the GET route. */
  isHead = false
  /** The route is a page: its errors are pages too. */
  isPage = false
  /** Reads the address of the socket's other end, which Bun knows only while the client is connected. */
  peer: (() => string | undefined) | undefined = undefined
  /** The route speaks JSON-RPC, and so do its errors. */
  isRpc = false
  /** The id of its JSON-RPC message: null when the body holds none, undefined until the body is read. */
  messageId: MessageId | null | undefined = undefined
  /** The message belongs to the stateless era of the agent protocol. */
  isStateless = false
  /** The origin whose pages may read the response; `*` for all. */
  allowOrigin: string | undefined = undefined
  /** Of the request's `Idempotency-Key`, on routes that take one: whether the response is a replay. */
  idempotency: IdempotencyContext | undefined = undefined
  /** A message of a JSON-RPC request is a replay. */
  isReplayed = false
  /** The id of the verified key, never the key itself. */
  keyId: string | undefined = undefined
  /** What the response says went wrong. */
  error: AppError | undefined = undefined
  /** The encrypted form of a person whose session has ended. */
  keptForm: string | undefined = undefined
  /** The request waits for its admission, for its body or for another server. */
  isWaiting = false
  /** Ends the counting of this request for the networks of its client. */
  endWork: (() => void) | undefined = undefined
  /** The request waited for a store before its handler ran. */
  hasWaited = false
  /** `RateLimit-Policy` and `RateLimit`, once the limits were checked. */
  rateLimit: { policy: string; state: string } | undefined = undefined
}

/** The property that holds a request's context: a WeakMap cost 0.4 µs more. */
const CONTEXT = Symbol('hearth.request-context')

/** The context of a request: the same object for all callers. */
export const requestContextOf = (request: Request & { [CONTEXT]?: RequestContext }): RequestContext =>
  (request[CONTEXT] ??= new RequestContext())

/** Notes the era of a JSON-RPC request, and the id of its message once its body is read. */
export function noteMessage(request: Request, message?: unknown): void {
  const context = requestContextOf(request)
  context.isStateless = isStateless(request, message)
  if (message !== undefined) context.messageId = messageIdOf(message)
}
