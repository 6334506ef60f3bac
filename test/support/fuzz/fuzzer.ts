// Fuzzes a running server: its operations and tools as documented, its pages as their links and forms show them. What the
// server answers is used in later requests, so the same seed repeats a run only roughly; a fault comes with its request.
import { Random } from '../../../src/local/seed/random.ts'
import { ContractViolation, openContract } from '../contract.ts'
import { type Credentials, type Draft, bodyOf, targetOf, validDraft } from './draft.ts'
import { mutate } from './mutations.ts'
import { type Document, findTargets } from './targets.ts'
import { GoodValues, type KnownValues } from './values.ts'
import { learnValues } from './known-values.ts'
import { Walker } from './pages.ts'
import { RimValues } from './rims.ts'
import { sendSlowly } from './slow-clients.ts'
import { faultsOf, faultsOfRefusal } from './verdict.ts'
import {
  type WireRequest,
  type WireResult,
  breakRequest,
  isForApplication,
  requestLine,
  sendBytes,
  serialize,
  wholeRequest,
} from './wire.ts'

/** The time limit of a response. A slower request counts as hanging. */
const ANSWER_LIMIT_MS = 10_000
/** The time to wait for a response to a broken request, which may get none. */
const BROKEN_LIMIT_MS = 100
/** The share of requests whose bytes are broken. */
const BROKEN_SHARE = 0.12
/** The share of requests for pages. */
const PAGE_SHARE = 0.25

export interface FuzzOptions {
  url: string
  seed: number
  credentials: Credentials
  known: KnownValues
}

export interface Fuzzer {
  /**
   * Sends request `number`: valid, or if `isHostile` often mutated or broken. Returns the faults of the response, each with
   * a shell command that repeats the request.
   */
  attempt(number: number, isHostile: boolean): Promise<string[]>
  /** Sends a request in small pieces, and often not to its end. Returns the faults of the response. */
  attemptSlowly(number: number): Promise<string[]>
  /** The browsers whose pages are fuzzed: one without a session, one of each user. */
  readonly walkers: readonly Walker[]
  /** The number of responses by status; `none` counts connections without a response. */
  readonly statuses: ReadonlyMap<string, number>
}

/** Reads the document and returns the fuzzer. */
export async function openFuzzer(options: FuzzOptions): Promise<Fuzzer> {
  const { url, seed, credentials, known } = options
  const contract = await openContract((request) => fetch(request), url)
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as Document
  const { problems } = (await (await fetch(`${url}/problems`, { headers: { accept: 'application/json' } })).json()) as {
    problems: { code: string; status: number }[]
  }
  const rules = { codes: new Map(problems.map(({ code, status }) => [code, status])) }
  const schemas = document.components.schemas ?? {}
  const [values, hostileValues] = [new GoodValues(known, schemas), new RimValues(known, schemas)]
  const targets = await findTargets(url, document, known, credentials)
  const statuses = new Map<string, number>()
  const count = (status: number | 'none') => statuses.set(String(status), (statuses.get(String(status)) ?? 0) + 1)
  const { host, port } = new URL(url)
  const walkers = [undefined, ...credentials.users].map((email) => new Walker(url, email, credentials.spared))

  const overWire = async (request: WireRequest): Promise<string[]> => {
    const result = await sendBytes(Number(port), request, request.requestCount > 0 ? ANSWER_LIMIT_MS : BROKEN_LIMIT_MS)
    if (result.answers.length === 0) count('none')
    for (const { status } of result.answers) count(status)
    return [
      ...(request.requestCount > 0 ? missingAnswers(request, result) : []),
      ...result.answers.flatMap((answer, index) => {
        const { method, target } = request.lines[index] ?? requestLine(request.bytes)
        // Only the application adds request ids: a response without an id comes from the runtime.
        return answer.headers.has('x-request-id')
          ? faultsOf(answer, target, rules, method === 'HEAD')
          : faultsOfRefusal(answer, request.requestCount > index)
      }),
    ]
  }

  return {
    statuses,
    walkers,
    attempt: async (number, isHostile) => {
      const random = new Random(seed, 1, number)
      const walker = random.chance(PAGE_SHARE) ? random.pick(walkers) : undefined
      const valid = await draftOf(random, walker, isHostile ? hostileValues : values)
      const draft = isHostile ? mutate(random, valid) : valid
      const { bytes: body, headers } = bodyOf(draft)
      const target = targetOf(draft)
      const parts = { method: draft.method, target, host, headers, body }
      const isBroken = isHostile && random.chance(BROKEN_SHARE)
      if (!isBroken && isForApplication(parts) && isFetchable(url, draft, target, headers)) {
        const init = { method: draft.method, headers, redirect: 'manual' as const, ...(body ? { body } : {}) }
        const request = new Request(url + target, { ...init, signal: AbortSignal.timeout(ANSWER_LIMIT_MS) })
        const faults = await overFetch(random, request, draft, walker)
        return faults.map((fault) => `${fault}\n${asCurl(url + target, draft.method, headers, body)}`)
      }
      const request = isBroken ? breakRequest(random, parts) : wholeRequest(parts)
      const faults = await overWire(request)
      return faults.map((fault) => `${fault}\n${asPrintf(request.bytes, host)}`)
    },
    attemptSlowly: async (number) => {
      const random = new Random(seed, 2, number)
      const draft = mutate(random, await draftOf(random, undefined, hostileValues))
      const { bytes: body, headers } = bodyOf(draft)
      const bytes = serialize({ method: draft.method, target: targetOf(draft), host, headers, body })
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(await sendSlowly(url, random, bytes))?.[1] ?? 0)
      count(status || 'none')
      return status === 500 || status === 503 ? [`answers ${status}, sent slowly\n${asPrintf(bytes, host)}`] : []
    },
  }

  async function draftOf(random: Random, walker: Walker | undefined, from: GoodValues): Promise<Draft> {
    return (await walker?.draft(random, from)) ?? validDraft(random, random.pick(targets), from, credentials)
  }

  async function overFetch(random: Random, request: Request, draft: Draft, walker?: Walker): Promise<string[]> {
    const { pathname } = new URL(request.url)
    try {
      const response = await (draft.isOperation ? contract.send(request) : fetch(request))
      count(response.status)
      const text = await response.text()
      walker?.learn(request, response, text)
      if (response.ok && text.startsWith('{')) learnValues(known, random, JSON.parse(text))
      const head = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
      const answer = { status: response.status, headers: response.headers, head, body: latin1(text) }
      return faultsOf(answer, pathname, rules, request.method === 'HEAD')
    } catch (error) {
      if (error instanceof ContractViolation) return [`is not as documented: ${error.message}`]
      return [`got no response: ${String(error)}`]
    }
  }
}

const latin1 = (text: string) => Buffer.from(text).toString('latin1')

const FETCHABLE = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const FORBIDDEN =
  /^(host|connection|content-length|transfer-encoding|expect|upgrade|accept-encoding|content-encoding)$/i

/** True when `fetch` sends exactly this request. It normalizes paths and refuses or joins some headers. */
function isFetchable(
  url: string,
  { method, bytes, json, form }: Draft,
  target: string,
  headers: Draft['headers'],
): boolean {
  if (!FETCHABLE.has(method) || !target.startsWith('/')) return false
  const hasBody = bytes !== undefined || json !== undefined || form !== undefined
  if (hasBody && (method === 'GET' || method === 'HEAD')) return false
  const names = headers.map(([name]) => name.toLowerCase())
  if (new Set(names).size < names.length || headers.some(([name]) => FORBIDDEN.test(name))) return false
  if (headers.some(([, value]) => !/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value))) return false
  const parsed = new URL(url + target)
  return parsed.pathname + parsed.search === target
}

const LARGE_BODY_BYTES = 262_144
const MAX_HEAD_BYTES = 16_384
/** A connection that is to be closed is closed at once: what the runtime has not read by then may be this much. */
const LARGE_BODY_BYTES_BEFORE_CLOSE = 65_536

const largeBodyOf = ({ bytes }: WireRequest): number =>
  /\r\nconnection: close\r\n/i.test(Buffer.from(bytes).toString('latin1', 0, MAX_HEAD_BYTES))
    ? LARGE_BODY_BYTES_BEFORE_CLOSE
    : LARGE_BODY_BYTES

function missingAnswers(request: WireRequest, { answers, isOpen, rest }: WireResult): string[] {
  // An error response may end the connection, and the requests behind it are not read.
  if (answers.length >= request.requestCount || answers.some(({ status }) => status >= 400)) return []
  // The runtime closes after the response, though a body that no route reads is still coming: TCP may then drop the response's end.
  if (!isOpen && request.bytes.length >= largeBodyOf(request) && rest.startsWith('HTTP/1.1 2')) return []
  const seen = `${answers.length} of ${request.requestCount} responses arrived`
  return [isOpen ? `hangs: ${seen}` : `closes the connection: ${seen}; left: ${JSON.stringify(rest.slice(0, 100))}`]
}

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

function asCurl(url: string, method: string, headers: Draft['headers'], body: Uint8Array | undefined): string {
  const parts = [`curl -i -g --path-as-is -X ${method} ${quote(url)}`]
  for (const [name, value] of headers) parts.push(`-H ${quote(`${name}: ${value}`)}`)
  if (body) parts.push(`--data-binary ${quote(shorten(new TextDecoder().decode(body)))}`)
  return parts.join(' ')
}

const asPrintf = (bytes: Uint8Array, host: string) =>
  `printf '%b' ${quote(shorten(JSON.stringify(Buffer.from(bytes).toString('latin1')).slice(1, -1)))} | nc ${host.replace(':', ' ')}`

const shorten = (text: string) => (text.length > 3000 ? `${text.slice(0, 3000)}…(${text.length} characters)` : text)
