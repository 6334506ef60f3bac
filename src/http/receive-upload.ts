// Receives a file as a part of a multipart body (RFC 7578), without holding it in memory.
import { once } from 'node:events'

import Busboy, { type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'

import type { Deps } from '../deps.ts'
import { AppError, invalidField } from '../errors/app-error.ts'
import { MAX_FILE_BYTES } from '../platform/storage/storage.ts'
import { tooLarge, whileReceiving } from './receive-body.ts'

/** For boundaries, the names of the parts and what clients add to them. */
const FORM_BYTES = 16 * 1024
const MAX_PARTS = 8

export interface ReceivedUpload {
  /** The text parts that came before the file. */
  readonly fields: ReadonlyMap<string, string>
  /** Throws what the sender did wrong: an incomplete body, one that is too large or too slow. */
  readonly content: AsyncIterable<Uint8Array>
}

/**
 * Passes the file of a multipart body to `take` while it arrives, with the text parts before it. What a sender calls the file, and
 * the type that it says, are not read. Throws 400, 408, 413 and 415.
 */
export async function receiveUpload<T>(
  deps: Deps,
  request: Request,
  take: (upload: ReceivedUpload) => Promise<T>,
): Promise<T> {
  const contentType = request.headers.get('content-type') ?? ''
  if (!/^multipart\/form-data\s*;/i.test(contentType))
    throw new AppError('unsupported_media_type', 'Send the file as a part of a `multipart/form-data` body.')
  return await whileReceiving(deps, request, {
    maxBytes: MAX_FILE_BYTES + FORM_BYTES,
    read: (body) => parse(contentType, body, take),
  })
}

/** Without an error, the body is as it must be. */
export interface Verdict {
  readonly error?: Error
}

/** What failed, as an error. */
export const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error('The body could not be received.', { cause: thrown })

async function parse<T>(
  contentType: string,
  body: AsyncIterable<Uint8Array>,
  take: (upload: ReceivedUpload) => Promise<T>,
): Promise<T> {
  const form = multipartParser(contentType, { parts: MAX_PARTS, fieldBytes: 1000, fileBytes: MAX_FILE_BYTES })
  const fields = new Map<string, string>()
  // Known once the whole body was read, or something is wrong with it. The content of the file ends with it, and fails with it.
  const verdict = Promise.withResolvers<Verdict>()
  let file: BusboyFileStream | undefined
  let taken: Promise<T> | undefined
  const fail = (thrown: unknown) => {
    const error = asError(thrown)
    verdict.resolve({ error })
    file?.destroy(error)
  }
  form.on('field', (name, value, isNameCut, isValueCut) => {
    if (isNameCut || isValueCut || fields.has(name)) fail(invalidField(`body.${name}`, 'is too long, or there twice'))
    else if (file) fail(invalidField(`body.${name}`, 'must come before the file'))
    else fields.set(name, value)
  })
  form.on('file', (name, stream) => {
    // An error of the body ends the stream, and its reader throws it.
    stream.on('error', () => undefined)
    if (name === 'file' && !file) {
      file = stream
      taken = take({ fields, content: contentOf(stream, verdict.promise) })
      taken.catch(fail)
    } else {
      stream.resume()
      fail(invalidField(`body.${name}`, name === 'file' ? 'must be one file' : 'is not a known field'))
    }
  })
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
    form.on(limit, () => fail(invalidField('body', 'must have `purpose` and one `file`')))
  form.on('error', (cause) => {
    fail(new AppError('malformed_body', 'The parts of the body are not complete or not well-formed.', { cause }))
  })
  feed(form, body, verdict.promise).then(() => verdict.resolve({}), fail)
  const { error } = await verdict.promise
  if (!taken && error) throw error
  if (!taken) throw invalidField('body.file', 'is required')
  return await taken
}

/** A parser of a body with so many parts, whose text parts and files have so many bytes each. Throws malformed_body. */
export function multipartParser(
  contentType: string,
  { parts, fieldBytes, fileBytes }: { parts: number; fieldBytes: number; fileBytes: number },
): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: {
        fieldNameSize: 100,
        fieldSize: fieldBytes,
        fileSize: fileBytes,
        fields: parts,
        parts,
        headerPairs: 20,
        headerSize: 4096,
      },
    })
  } catch (cause) {
    throw new AppError('malformed_body', 'The `Content-Type` must name the boundary of the parts.', { cause })
  }
}

/** Writes the body into the form, until something is wrong with it. */
export async function feed(
  form: BusboyInstance,
  body: AsyncIterable<Uint8Array>,
  verdict: Promise<Verdict>,
): Promise<void> {
  const ended = Promise.withResolvers<void>()
  form.on('finish', () => ended.resolve())
  let hasFailed = false
  const failed = verdict.then(() => void (hasFailed = true))
  for await (const chunk of body) {
    if (hasFailed) return
    if (!form.write(chunk)) await Promise.race([once(form, 'drain'), failed])
  }
  form.end()
  await Promise.race([ended.promise, failed])
}

async function* contentOf(stream: BusboyFileStream, verdict: Promise<Verdict>): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) yield chunk as Uint8Array
  if (stream.truncated) throw tooLarge(MAX_FILE_BYTES)
  const { error } = await verdict
  if (error) throw error
}
