// Reads request bodies: bounded in depth, with text that PostgreSQL can store.
import type { Static, TSchema } from '@sinclair/typebox'

import type { Deps } from '../deps.ts'
import { AppError, invalidField } from '../errors/app-error.ts'
import { checked } from './field-errors.ts'
import { receiveBody } from './receive-body.ts'

const MAX_DEPTH = 32
/** Far more than any request needs. Checking 80,000 values took 0.2 s. */
const MAX_VALUES = 20_000

/** The parsed JSON body. Throws 415, 413, 408 or 400. */
export async function readJsonBody(
  deps: Deps,
  request: Request,
  parse: (text: string) => unknown = JSON.parse,
): Promise<unknown> {
  if (!isJson(request))
    throw new AppError('unsupported_media_type', 'Send the body as JSON with `Content-Type: application/json`.')
  if ((request.headers.get('content-encoding') ?? 'identity') !== 'identity')
    throw new AppError('unsupported_media_type', 'Send the body without compression.')
  const bytes = await receiveBody(deps, request)
  try {
    return parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw new AppError('malformed_body', 'The body could not be read as JSON in UTF-8.', { cause })
  }
}

/** Whether the body is JSON, as its sender says. */
export const isJson = ({ headers }: Request): boolean =>
  headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() === 'application/json'

export const JSON_KEY = 'x-json'
/** In the detail of a route with `upload`: the JSON body that it takes instead. The handler reads it with {@link readJsonOf}. */
export const orJson = (schema: TSchema) => ({ [JSON_KEY]: schema })

/** The JSON body of a route that takes files as well, with the checks of any other route. */
export async function readJsonOf<S extends TSchema>(deps: Deps, request: Request, schema: S): Promise<Static<S>> {
  const body = await readJsonBody(deps, request)
  refuseManyValues(body)
  refuseUnstorable(body, 'body')
  return checked(schema, body, 'body')
}

/** Throws validation_failed for more values than {@link MAX_VALUES}: objects, lists and what they hold, at all depths. */
export function refuseManyValues(body: unknown): void {
  const rest = [body]
  for (let count = 1; rest.length > 0; count++) {
    if (count + rest.length > MAX_VALUES) throw invalidField('body', `must have at most ${MAX_VALUES} values`)
    const value = rest.pop()
    if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) rest.push(item)
  }
}

/** For routes that take no body: throws validation_failed for one with fields. `{}` has none. */
export async function refuseFields(deps: Deps, request: Request): Promise<void> {
  const text = request.body === null ? '' : await readText(deps, request)
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
export async function readText(deps: Deps, request: Request): Promise<string> {
  return new TextDecoder().decode(await receiveBody(deps, request))
}

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
