// Reading a request's body: JSON only, bounded in size and depth, text that PostgreSQL can hold.
import { AppError, invalidField } from '../errors/app-error.ts'

export const MAX_BODY_BYTES = 256 * 1024
const MAX_DEPTH = 32
/** A body of the largest size takes this long at 26 KB/s: slower clients hold what others could use. */
const BODY_DEADLINE_MS = 10_000

/** The parsed JSON body. Throws 415, 413, 408 or 400. */
export async function readJsonBody(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json')
    throw new AppError('unsupported_media_type', 'Send the body as JSON with `Content-Type: application/json`.')
  if ((request.headers.get('content-encoding') ?? 'identity') !== 'identity')
    throw new AppError('unsupported_media_type', 'Send the body without compression.')
  const bytes = await readBounded(request)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown
  } catch (cause) {
    throw new AppError('malformed_body', 'The body could not be read as JSON in UTF-8.', { cause })
  }
}

/** The body as text, of whatever type: for forms, and for what is signed as it stands. Throws 413, 408 or 400. */
export async function readText(request: Request): Promise<string> {
  return new TextDecoder().decode(await readBounded(request))
}

async function readBounded(request: Request): Promise<ArrayBuffer | Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BODY_BYTES) throw tooLarge()
  return await withinDeadline(readBytes(request).catch(clientLeft))
}

/** A body without a declared length is read piece by piece: never more of it is held than is allowed. */
async function readBytes(request: Request): Promise<ArrayBuffer | Uint8Array> {
  if (request.headers.has('content-length') || !request.body) return await request.arrayBuffer()
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of request.body as ReadableStream<Uint8Array>) {
    size += piece.byteLength
    if (size > MAX_BODY_BYTES) throw tooLarge()
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

/** Who hangs up before the body's end is told nothing, but it was no fault of ours. */
function clientLeft(cause: unknown): never {
  if (cause instanceof AppError) throw cause
  throw new AppError('malformed_body', 'The connection was closed before the whole body had arrived.', { cause })
}

/** Rejects with request_timeout when the body is not whole in time. What still comes is cut with the connection. */
async function withinDeadline<T>(reading: Promise<T>): Promise<T> {
  const deadline = Promise.withResolvers<never>()
  const timer = setTimeout(() => deadline.reject(tooSlow()), BODY_DEADLINE_MS)
  return await Promise.race([reading, deadline.promise]).finally(() => clearTimeout(timer))
}

const tooSlow = () =>
  new AppError('request_timeout', `The body was not whole after ${BODY_DEADLINE_MS / 1000} seconds.`)
const tooLarge = () => new AppError('body_too_large', `A body may have up to ${MAX_BODY_BYTES} bytes.`)

/**
 * Fields that JavaScript takes for its own: the first becomes an object's prototype as soon as someone copies it (Elysia does,
 * before it validates), with the others an object cannot be written into a message (Elysia does, of what does not validate).
 */
const TAKEN_FIELDS = new Set(['__proto__', 'toString', 'valueOf'])

/**
 * Refuses text that no store keeps faithfully (NUL, lone surrogates) anywhere in `value`, nesting without end, and fields that
 * JavaScript takes for its own.
 */
export function refuseUnstorable(value: unknown, path: string, depth = 0): void {
  if (typeof value === 'string') {
    if (!isStorable(value)) throw invalidField(path, 'must be well-formed Unicode without NUL characters')
    return
  }
  if (typeof value !== 'object' || value === null) return
  if (depth === MAX_DEPTH) throw invalidField(path, `must not be nested deeper than ${MAX_DEPTH} levels`)
  for (const key of Object.keys(value)) {
    if (TAKEN_FIELDS.has(key)) throw invalidField(`${path}.${key}`, 'is not a known field')
    refuseUnstorable(key, path, depth)
    const item: unknown = value[key as keyof typeof value]
    // Paths are put together where they are needed only: every query goes through here.
    if (typeof item === 'string' ? !isStorable(item) : typeof item === 'object')
      refuseUnstorable(item, `${path}.${key}`, depth + 1)
  }
}

const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed()
