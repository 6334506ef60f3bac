// Reads request bodies: bounded in size, time and depth, with text that PostgreSQL can store.
import { AppError, invalidField } from '../errors/app-error.ts'
import { withDeadline } from '../platform/clock/deadlines.ts'

export const MAX_BODY_BYTES = 256 * 1024
const MAX_DEPTH = 32
/** The largest body takes this long at 26 KB/s; slower clients would hold resources of others. */
const BODY_TIMEOUT_MS = 10_000

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

/** For routes that take no body: throws validation_failed for one with fields. `{}` has none. */
export async function refuseFields(request: Request): Promise<void> {
  const text = request.body === null ? '' : await readText(request)
  if (text.trim() === '') return
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new AppError('malformed_body', 'The body could not be read as JSON in UTF-8.', { cause })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidField('body', 'must be empty')
  const [field] = Object.keys(value)
  if (field !== undefined) throw invalidField(`body.${field}`, 'is not a known field')
}

/** The body as text, of whatever type: for forms, and for what is signed as it stands. Throws 413, 408 or 400. */
export async function readText(request: Request): Promise<string> {
  return new TextDecoder().decode(await readBounded(request))
}

async function readBounded(request: Request): Promise<ArrayBuffer | Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BODY_BYTES) throw tooLarge()
  // After the deadline the rest is cut off with the connection.
  return await withDeadline(readBytes(request).catch(clientLeft), BODY_TIMEOUT_MS, tooSlow)
}

/** A body without a declared length is read in chunks, so that no more than the limit is ever in memory. */
async function readBytes(request: Request): Promise<ArrayBuffer | Uint8Array> {
  if (request.headers.has('content-length') || !request.body) return await request.arrayBuffer()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body as ReadableStream<Uint8Array>) {
    size += chunk.byteLength
    if (size > MAX_BODY_BYTES) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** A client that disconnects before the end of the body gets no response, but that is not our fault. */
function clientLeft(cause: unknown): never {
  if (cause instanceof AppError) throw cause
  throw new AppError('malformed_body', 'The connection was closed before the whole body had arrived.', { cause })
}

const tooSlow = () => new AppError('request_timeout', `The body was not whole after ${BODY_TIMEOUT_MS / 1000} seconds.`)
const tooLarge = () => new AppError('body_too_large', `A body may have up to ${MAX_BODY_BYTES} bytes.`)

/**
 * Fields with a meaning in JavaScript: copying an object makes the first its prototype (Elysia copies before it validates);
 * the others break the conversion to a string (Elysia puts invalid values into messages).
 */
const RESERVED_FIELDS = new Set(['__proto__', 'toString', 'valueOf'])

/**
 * Throws validation_failed for text that PostgreSQL cannot store (NUL, lone surrogates) anywhere in `value`, for deep nesting,
 * and for fields with a meaning in JavaScript. `path` names the value in the error.
 */
export function refuseUnstorable(value: unknown, path: string, depth = 0): void {
  if (typeof value === 'string') {
    if (!isStorable(value)) throw invalidField(path, 'must be well-formed Unicode without NUL characters')
    return
  }
  if (typeof value !== 'object' || value === null) return
  if (depth === MAX_DEPTH) throw invalidField(path, `must not be nested deeper than ${MAX_DEPTH} levels`)
  for (const key of Object.keys(value)) {
    if (RESERVED_FIELDS.has(key)) throw invalidField(`${path}.${key}`, 'is not a known field')
    refuseUnstorable(key, path, depth)
    const item: unknown = value[key as keyof typeof value]
    // The path is built only for values that need it, because every query passes through here.
    if (typeof item === 'string' ? !isStorable(item) : typeof item === 'object')
      refuseUnstorable(item, `${path}.${key}`, depth + 1)
  }
}

const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed()
