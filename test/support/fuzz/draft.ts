// A request in the making: what an operation of the document takes, before anyone spoils it.
import type { Random } from '../../../src/local/seed/random.ts'
import type { GoodValues, Schema } from './values.ts'

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  schema: Schema
  /** By what name real values for it are known, when that is not its own. */
  knownAs?: string
}

/** One operation of /openapi.json, or a path that is no part of it. */
export interface Target {
  method: string
  template: string
  parameters: readonly Parameter[]
  body: Schema | undefined
  /** One of the document's: its documented answers hold. */
  isOperation: boolean
  /** Keys that get past the gate. */
  goodKeys: readonly string[]
}

export interface Draft {
  method: string
  /** With its escapes. */
  path: string
  query: [name: string, value: string][]
  /** The whole query as it is sent, when it is not made from `query`. */
  rawQuery: string | undefined
  headers: [name: string, value: string][]
  json: unknown
  /** The body as it is sent, when it is not `json`. */
  bytes: Uint8Array | undefined
  /** Whether method and path are still those of the operation, so that its documented answers hold. */
  isOperation: boolean
}

/** Keys by what they may, and further values for headers. */
export interface Credentials {
  keys: readonly string[]
  /** With the origin each works from. */
  widgetKeys: readonly { key: string; origin: string }[]
}

/** A request as the document allows it. */
export function validDraft(random: Random, target: Target, values: GoodValues, credentials: Credentials): Draft {
  const inPath: Record<string, string> = {}
  const query: Draft['query'] = []
  const headers = identityHeaders(random, target, credentials)
  for (const { name, in: place, required, schema, knownAs } of target.parameters) {
    if (!required && random.chance(0.6)) continue
    const value = asText(values.make(random, schema, knownAs ?? name))
    if (place === 'path') inPath[name] = value
    else if (place === 'query') query.push([name, value])
    else headers.push([name, headerText(value)])
  }
  const json = target.body ? values.make(random, target.body, 'body') : undefined
  return {
    method: target.method,
    path: target.template.replace(/\{(\w+)\}/g, (_, name: string) => escapePart(inPath[name] ?? '1') || '1'),
    query,
    rawQuery: undefined,
    headers,
    json,
    bytes: undefined,
    isOperation: target.isOperation,
  }
}

/** A key more often than not, and an address of one's own, so that no rate limit hides what lies behind it. */
function identityHeaders(random: Random, { goodKeys }: Target, { keys, widgetKeys }: Credentials): Draft['headers'] {
  const address = `10.${random.integer(0, 255)}.${random.integer(0, 255)}.${random.integer(1, 254)}`
  const headers: Draft['headers'] = [['X-Forwarded-For', address]]
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

/** Percent-encoded; what has no encoding becomes U+FFFD, as in a browser. */
export const escapePart = (text: string): string => encodeURIComponent(text.toWellFormed())

/** Text as it may stand in a header. */
const headerText = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?')

/** Path and query as they stand in the request line. */
export function targetOf({ path, query, rawQuery }: Draft): string {
  const search = rawQuery ?? query.map(([name, value]) => `${escapePart(name)}=${escapePart(value)}`).join('&')
  return search ? `${path}?${search}` : path
}

/** The body as bytes, and the header that goes with JSON. */
export function bodyOf({ json, bytes, headers }: Draft): { bytes: Uint8Array | undefined; headers: Draft['headers'] } {
  if (bytes) return { bytes, headers }
  if (json === undefined) return { bytes: undefined, headers }
  const announced = headers.some(([name]) => name.toLowerCase() === 'content-type')
  return {
    bytes: new TextEncoder().encode(JSON.stringify(json)),
    headers: announced ? headers : [...headers, ['Content-Type', 'application/json']],
  }
}
