// Receives request bodies: bounded in size and time, with a minimum rate and a limit on the slow ones of each client address.
import { type Deps, oncePerDeps } from '../deps.ts'
import { requestContextOf } from '../auth/request-context.ts'
import { AppError } from '../errors/app-error.ts'
import { startTimer } from '../platform/clock/deadlines.ts'
import { NetworkCounts } from '../platform/net/network-counts.ts'
import { requestLimitsOf } from '../rate-limit/request-limits.ts'
import { trafficOf } from './traffic.ts'

export const MAX_BODY_BYTES = 256 * 1024
/** The largest body takes this long at 26 KB/s; slower clients would hold resources of others. */
const BODY_TIMEOUT_MS = 10_000
/** The largest file takes this long at 52 KB/s. */
const FILE_TIMEOUT_MS = 300_000
/**
 * Of all files that this process receives at once, by their declared sizes. Bun reads a body ahead of who reads it, so that with a
 * slow storage all of it is in memory.
 */
const MAX_FILES_BYTES = 256 * 1024 * 1024
/** Of those that come without an account: however many there are, pros and programs can send theirs. */
const MAX_VISITOR_FILES_BYTES = 192 * 1024 * 1024
/** The minimum rate holds from here on: a connection may take this long to get up to speed. */
const START_MS = 1000
/** A body in progress for this long is slow. Those that arrive with their headers never are, however many there are. */
const SLOW_AFTER_MS = 500
/** Smaller declared bodies are read in one piece, which costs 9 µs less; their rate is checked by their length. */
const SMALL_BYTES = 4096

type Bytes = ArrayBuffer | Uint8Array

class BodyReceiver {
  readonly #deps: Deps
  /** The slow bodies in progress, by client address and its networks. */
  readonly #slow: NetworkCounts
  #slowInTotal = 0
  #filesBytes = 0
  #visitorFilesBytes = 0

  constructor(deps: Deps) {
    this.#deps = deps
    this.#slow = new NetworkCounts(deps.config.maxSlowBodiesPerAddress)
  }

  async receive(request: Request): Promise<Bytes> {
    const declared = request.headers.get('content-length')
    if (Number(declared ?? 0) > MAX_BODY_BYTES) throw tooLarge(MAX_BODY_BYTES)
    const refusal = Promise.withResolvers<never>()
    const watch = this.#watch(request, BODY_TIMEOUT_MS, refusal.reject)
    try {
      return await Promise.race([readBody(request, declared, watch.credit).catch(clientLeft), refusal.promise])
    } finally {
      watch.stop()
    }
  }

  /** Takes a part of the memory for files. Returns the function that frees it. Throws overloaded. */
  enterFile(request: Request, { maxBytes, isVisitor }: { maxBytes: number; isVisitor: boolean }): () => void {
    const bytes = Math.min(Number(request.headers.get('content-length') ?? maxBytes), maxBytes)
    const ofVisitors = isVisitor ? bytes : 0
    if (this.#filesBytes + bytes > MAX_FILES_BYTES || this.#visitorFilesBytes + ofVisitors > MAX_VISITOR_FILES_BYTES)
      throw new AppError('overloaded', 'The server receives too many files. Try again in a few seconds.', {
        retryAfterSeconds: 5,
      })
    this.#filesBytes += bytes
    this.#visitorFilesBytes += ofVisitors
    return () => {
      this.#filesBytes -= bytes
      this.#visitorFilesBytes -= ofVisitors
    }
  }

  /** The body as it arrives, of up to `maxBytes`. */
  async *receiveStream(request: Request, maxBytes: number): AsyncGenerator<Uint8Array> {
    if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes)
    const reader = (request.body as ReadableStream<Uint8Array> | null)?.getReader()
    if (!reader) return
    let refusal: Error | undefined
    // Each chunk in a race with one promise would be kept by that promise until the end of the body.
    const watch = this.#watch(request, FILE_TIMEOUT_MS, (error) => {
      refusal = error
      void stop(reader)
    })
    let size = 0
    try {
      for (;;) {
        const { done, value } = await reader.read().catch(clientLeft)
        if (refusal) throw refusal
        if (done) return
        size += value.byteLength
        if (size > maxBytes) throw tooLarge(maxBytes)
        watch.credit(value.byteLength)
        yield value
      }
    } finally {
      watch.stop()
      await stop(reader)
    }
  }

  /** Calls `refuse` when the body is too slow. `credit` counts bytes that have arrived. */
  #watch(request: Request, timeoutMs: number, refuse: (error: Error) => void) {
    const { minBodyBytesPerSecond } = this.#deps.config
    const startedMs = performance.now()
    let bytes = 0
    let leaveSlow: (() => void) | undefined
    const check = () => {
      try {
        leaveSlow ??= this.#enterSlow(request)
        const dueMs = Math.min(timeoutMs, START_MS + (bytes / minBodyBytesPerSecond) * 1000)
        const leftMs = startedMs + dueMs - performance.now()
        if (leftMs <= 0) throw tooSlow(`The body was not whole after ${Math.round(dueMs / 1000)} seconds.`)
        stopTimer = startTimer(leftMs, check)
      } catch (error) {
        refuse(error instanceof Error ? error : new Error(String(error)))
      }
    }
    let stopTimer = startTimer(SLOW_AFTER_MS, check)
    return {
      credit: (count: number) => void (bytes += count),
      stop: () => {
        stopTimer()
        leaveSlow?.()
      },
    }
  }

  /** Takes a place among the slow bodies. Returns the function that frees it. */
  #enterSlow(request: Request): () => void {
    if (this.#slowInTotal >= this.#deps.config.maxInFlight)
      throw tooSlow('There are too many slow bodies. Send the body without a pause.')
    const leave = this.#slow.enter(requestLimitsOf(this.#deps).addressOf(request))
    if (!leave) throw tooSlow('Your network has too many slow bodies in progress. Send the body without a pause.')
    this.#slowInTotal++
    return () => {
      leave()
      this.#slowInTotal--
    }
  }
}

const receiverOf = oncePerDeps((deps) => new BodyReceiver(deps))

/**
 * The request's body. Throws body_too_large, request_timeout, and malformed_body for a client that disconnects.
 */
export async function receiveBody(deps: Deps, request: Request): Promise<Bytes> {
  const traffic = trafficOf(deps)
  const context = requestContextOf(request)
  // The guard has requests wait until their body has arrived; other routes read it later.
  const isInHandler = traffic.startWaiting(context)
  let bytes: Bytes
  traffic.receiving++
  try {
    bytes = await receiverOf(deps).receive(request)
  } finally {
    traffic.receiving--
  }
  if (isInHandler) {
    traffic.checkLoad()
    traffic.stopWaiting(context)
  }
  return bytes
}

/**
 * Reads the body as it arrives while `read` does something with it: up to `maxBytes`, more slowly than other bodies may come. The
 * request counts as waiting meanwhile. Throws like {@link receiveBody}.
 */
export async function whileReceiving<T>(
  deps: Deps,
  request: Request,
  {
    maxBytes,
    isVisitor = false,
    read,
  }: { maxBytes: number; isVisitor?: boolean; read: (body: AsyncIterable<Uint8Array>) => Promise<T> },
): Promise<T> {
  const traffic = trafficOf(deps)
  const leave = receiverOf(deps).enterFile(request, { maxBytes, isVisitor })
  const goOn = traffic.pause(requestContextOf(request))
  traffic.receiving++
  try {
    const result = await read(receiverOf(deps).receiveStream(request, maxBytes))
    goOn()
    return result
  } finally {
    traffic.receiving--
    leave()
  }
}

/** Large and undeclared bodies are read in chunks: their rate is known, and no more than the limit is ever in memory. */
async function readBody(request: Request, declared: string | null, credit: (bytes: number) => void): Promise<Bytes> {
  if ((declared !== null && Number(declared) <= SMALL_BYTES) || !request.body) {
    credit(Number(declared ?? 0))
    return await request.arrayBuffer()
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body as ReadableStream<Uint8Array>) {
    size += chunk.byteLength
    if (size > MAX_BODY_BYTES) throw tooLarge(MAX_BODY_BYTES)
    credit(chunk.byteLength)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Ends a body. One that has failed already says so again, and its reader has been told. */
const stop = (reader: { cancel(): Promise<void> }) => Promise.allSettled([reader.cancel()])

/** A client that disconnects before the end of the body gets no response, but that is not our fault. */
function clientLeft(cause: unknown): never {
  if (cause instanceof AppError) throw cause
  throw new AppError('malformed_body', 'The connection was closed before the whole body had arrived.', { cause })
}

const tooSlow = (detail: string) => new AppError('request_timeout', detail)
/** Says how many bytes this body may have. */
export const tooLarge = (maxBytes: number) => new AppError('body_too_large', `A body may have up to ${maxBytes} bytes.`)
