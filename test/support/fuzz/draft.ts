// Valid requests for the operations of the document, before mutation.
import type { Random } from '../../../src/local/seed/random.ts'
import type { GoodValues, Schema } from './values.ts'

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  schema: Schema
  /** The name under which real values are listed, when it differs from the parameter's. */
  knownAs?: string
}

/** An operation of /openapi.json, or another path of the server. */
export interface Target {
  method: string
  template: string
  parameters: readonly Parameter[]
  body: Schema | undefined
  /** The parts of a multipart body. */
  form?: Schema | undefined
  /** True for an operation of the document, whose responses must be as documented. */
  isOperation: boolean
  /** Keys that the operation accepts. */
  goodKeys: readonly string[]
}

export interface Draft {
  method: string
  /** The percent-encoded path. */
  path: string
  query: [name: string, value: string][]
  /** The raw query string, when it replaces `query`. */
  rawQuery: string | undefined
  headers: [name: string, value: string][]
  json: unknown
  /** The fields of a form, when it is the body instead of `json`. */
  form?: [name: string, value: string][] | undefined
  /** The raw body, when it replaces `json` and `form`. */
  bytes: Uint8Array | undefined
  /** True while method and path are still those of the operation, so that its documented responses apply. */
  isOperation: boolean
}

export interface Credentials {
  keys: readonly string[]
  /** Each key with the origin that it works from. */
  widgetKeys: readonly { key: string; origin: string }[]
  /** The e-mail addresses of users of the console. */
  users: readonly string[]
  /** Ids of the keys and users, which the run must not end. */
  spared: readonly string[]
}

/** A request that the document allows. */
export function validDraft(random: Random, target: Target, values: GoodValues, credentials: Credentials): Draft {
  const inPath: Record<string, string> = {}
  const query: Draft['query'] = []
  const headers = identityHeaders(random, target, credentials)
  for (const { name, in: location, required, schema, knownAs } of target.parameters) {
    if (!required && random.chance(0.6)) continue
    const value = asText(values.make(random, schema, knownAs ?? name))
    if (location === 'path') inPath[name] = value
    else if (location === 'query') query.push([name, value])
    else headers.push([name, headerText(value)])
  }
  // Some take either.
  const parts = target.body && random.chance(0.5) ? undefined : target.form
  const json = target.body && !parts ? values.make(random, target.body, 'body') : undefined
  const form = parts && multipartOf(random, values.make(random, parts, 'body'))
  if (form) headers.push(['Content-Type', `multipart/form-data; boundary=${form.boundary}`])
  return {
    method: target.method,
    path: target.template.replace(/\{(\w+)\}/g, (_, name: string) => escapePart(inPath[name] ?? '1') || '1'),
    query,
    rawQuery: undefined,
    headers,
    json,
    bytes: form?.bytes,
    isOperation: target.isOperation,
  }
}

export const randomAddress = (random: Random): string =>
  `10.${random.integer(0, 255)}.${random.integer(0, 255)}.${random.integer(1, 254)}`

/** Usually a key, and always a unique IP address, so that rate limits do not hide the routes behind them. */
function identityHeaders(random: Random, { goodKeys }: Target, { keys, widgetKeys }: Credentials): Draft['headers'] {
  const headers: Draft['headers'] = [['X-Forwarded-For', randomAddress(random)]]
  const widget = random.pick(widgetKeys)
  const authorization = (key: string): [string, string] => ['Authorization', `Bearer ${key}`]
  const identity = random.weighted<Draft['headers']>([
    [goodKeys.length > 0 ? [authorization(random.pick(goodKeys))] : [], 65],
    [[authorization(random.pick(keys))], 10],
    [[authorization(widget.key), ['Origin', widget.origin]], 5],
    [[], 20],
  ])
  return [...headers, ...identity]
}

export const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** Percent-encodes text. Unpaired surrogates become U+FFFD, as in a browser. */
export const escapePart = (text: string): string => encodeURIComponent(text.toWellFormed())

/** Text with only the characters that a header allows. */
const headerText = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?')

/** Path and query for the request line. */
export function targetOf({ path, query, rawQuery }: Draft): string {
  const search = rawQuery ?? query.map(([name, value]) => `${escapePart(name)}=${escapePart(value)}`).join('&')
  return search ? `${path}?${search}` : path
}

/** The body as bytes, and the headers with its content type added. */
export function bodyOf(draft: Draft): { bytes: Uint8Array | undefined; headers: Draft['headers'] } {
  const { json, form, bytes, headers } = draft
  if (bytes) return { bytes, headers }
  if (json === undefined && form === undefined) return { bytes: undefined, headers }
  const hasContentType = headers.some(([name]) => name.toLowerCase() === 'content-type')
  const text = form ? new URLSearchParams(form).toString() : JSON.stringify(json)
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json'
  return {
    bytes: new TextEncoder().encode(text),
    headers: hasContentType ? headers : [...headers, ['Content-Type', type]],
  }
}

/** The signatures of what may be sent as a file, and of what may not. */
const BEGINNINGS = ['\x89PNG\r\n\x1a\n', '\xff\xd8\xff\xe0', 'RIFF\x10\0\0\0WEBPVP8 ', '%PDF-1.7\n', '<svg ', '']

/** The parts of a body as a client sends them, sometimes without their end. */
function multipartOf(random: Random, parts: unknown): { bytes: Uint8Array; boundary: string } {
  const boundary = `b${random.integer(0, 1e9)}`
  const fields = Object.entries(typeof parts === 'object' && parts !== null ? parts : {})
  const part = ([name, value]: [string, unknown]) => {
    const isFile = name === 'file'
    const content = isFile ? random.pick(BEGINNINGS) + asText(value) : asText(value)
    const more = isFile ? '; filename="../a.jpg"\r\nContent-Type: image/svg+xml' : ''
    return `--${boundary}\r\nContent-Disposition: form-data; name="${headerText(name)}"${more}\r\n\r\n${content}\r\n`
  }
  const text = fields.map(part).join('') + (random.chance(0.95) ? `--${boundary}--\r\n` : '')
  return { bytes: Buffer.from(text, 'latin1'), boundary }
}
