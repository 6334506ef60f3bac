// Checks that hold for every response.
import { isRpcError, libraryTextsIn } from '../library-texts.ts'
import type { WireAnswer } from './wire.ts'

export interface VerdictRules {
  /** All problem codes with their status. */
  codes: ReadonlyMap<string, number>
}

/**
 * Words that reveal internals: stores, libraries, files, the runtime's errors. The patterns are so narrow that no text
 * of Hearth's and no fuzzing input matches one.
 */
const INTERNALS = [
  /\bpg_\w+|postgres|psql|sqlstate|plpgsql|postgis|\brelation "|\bcolumn "|syntax error at|violates .* constraint/i,
  /\bredis|\bbullmq|\belysia|\btypebox|\bmemoirist|\bpino\b|node_modules|\bnode:|\.(ts|tsx|js|mjs|sql)\b/i,
  // Not within a random token.
  /(?<![\w-])[Bb]un(?![\w-])/,
  /\b(Type|Range|Reference|Syntax|Eval|URI)Error\b|undefined is not|cannot read|is not a function|unexpected token|JSON parse/i,
  /\n\s+at \S+|\(native\)|\/(usr|home|root|tmp|var|work|src|opt)\/|\bE(CONN|NOENT|PIPE|ADDR)\w+/,
]

/** Checked in errors only, and not in the markup of pages: a review may well say that one can select a color from a catalog. */
const STATEMENTS =
  /(?<![</-])\bselect\b(?!=)[^]+\bfrom\b|\binsert into\b|\bdelete from\b|\bupdate \w+ set\b|\breturning \w+/i

/** Headers with random characters, which may spell anything. */
const RANDOM_FIELDS = /^(etag|x-request-id|set-cookie|location):.*$/gim

/** Agent servers answer 200 whatever happens: as the problem in a tool's text, or as an error of JSON-RPC. */
const INTERNAL_ERROR = /"code":-32603|\?"code\?":\?"internal\?"/

/** Documentation, and the pages of operators, may name internals. */
const DOCUMENTS = /^\/(openapi\.json|api-docs|assets\/|ops\b)/

/** A page names its styles and scripts. */
const ASSETS = /\/assets\/[\w.-]+\?v=[\w-]+/g

/** Faults of a response by the application. */
export function faultsOf(answer: WireAnswer, path: string, { codes }: VerdictRules, isHead: boolean): string[] {
  const { status, headers } = answer
  const body = Buffer.from(answer.body, 'latin1').toString('utf8')
  const faults: string[] = []
  if (status >= 500) faults.push(`answers ${status}`)
  if (INTERNAL_ERROR.test(body) && !DOCUMENTS.test(path)) faults.push('is an internal error of an agent server')
  for (const name of [
    'x-request-id',
    'x-content-type-options',
    'referrer-policy',
    'content-security-policy',
    'cache-control',
  ])
    if (!headers.has(name)) faults.push(`has no ${name}`)
  if (headers.has('x-injected')) faults.push('took a header from the request')
  if (!DOCUMENTS.test(path))
    faults.push(...leaks(answer.head.replace(RANDOM_FIELDS, ''), 'head'), ...leaks(body.replace(ASSETS, ''), 'body'))
  if (status >= 400 || isRpcError(body))
    faults.push(...libraryTextsIn(body).map((text) => `has the text of a package: ${text}`))
  if (status >= 400) {
    faults.push(...leaks(body, 'body', [STATEMENTS]))
    if (headers.get('cache-control') !== 'no-store') faults.push('is an error that may be cached')
    const form = formOfErrors(path, headers.get('content-type'))
    if (form === 'problem' && !isHead) faults.push(...problemFaults(body, answer, codes))
    if (form === 'rpc' && !isHead) faults.push(...rpcFaults(body, status, codes))
    if (form === undefined)
      faults.push(
        `is an error but no problem document: ${status}, ${headers.get('content-type')}, ${body.slice(0, 200)}`,
      )
  }
  return faults
}

const RPC = /^\/api\/mcp(\/(customer|public))?\/?$/
/** Paths for programs. Other paths are for people and may show errors as a page. */
const PROGRAMS = /^\/(api|openapi\.json|\.well-known)(\/|$)/

/** The format of an error: JSON-RPC, a page or a problem document; undefined for any other. */
function formOfErrors(target: string, type: string | null): 'problem' | 'rpc' | 'page' | undefined {
  // Normalized as the server does: `..` leads out of the API.
  const path = URL.parse(`http://any${target}`)?.pathname ?? target
  if (type === 'application/problem+json') return 'problem'
  if (type === 'application/json' && RPC.test(path)) return 'rpc'
  return type === 'text/html; charset=utf-8' && !PROGRAMS.test(path) ? 'page' : undefined
}

/** Faults of an error of JSON-RPC 2.0 §5.1, whose `data` is a problem. */
function rpcFaults(body: string, status: number, codes: VerdictRules['codes']): string[] {
  const { jsonrpc, id, error } = JSON.parse(body) as Record<string, unknown> & { error?: Record<string, unknown> }
  const problem = error?.['data'] as Record<string, unknown> | undefined
  return [
    ...(jsonrpc === '2.0' ? [] : ['is no JSON-RPC 2.0']),
    ...(id === undefined || id === null || ['string', 'number'].includes(typeof id) ? [] : ['has a bad id']),
    ...(Number.isInteger(error?.['code']) && typeof error?.['message'] === 'string' ? [] : ['has no code and message']),
    ...(codes.get(String(problem?.['code'])) === status
      ? []
      : [`has the problem ${String(problem?.['code'])} with ${status}`]),
  ]
}

/** The statuses that Bun returns itself: bad request, header fields too large, HTTP version not supported. */
const REFUSALS = new Set([400, 431, 505])

/** Faults of the runtime's response to an invalid request: only an error without body and further headers is fine. */
export function faultsOfRefusal({ status, head, headers, body }: WireAnswer, isWhole: boolean): string[] {
  const isBare = body === '' && [...headers.keys()].every((name) => name === 'connection')
  if (isWhole || !isBare || !REFUSALS.has(status)) return [`the runtime responds itself: ${head}\n\n${body}`]
  return []
}

const leaks = (text: string, where: string, patterns: readonly RegExp[] = INTERNALS): string[] =>
  patterns.flatMap((pattern) => {
    const found = pattern.exec(text)?.[0]
    return found ? [`reveals internals in its ${where}: ${JSON.stringify(found.slice(0, 80))}`] : []
  })

function problemFaults(body: string, { status, headers }: WireAnswer, codes: VerdictRules['codes']): string[] {
  let problem: Record<string, unknown>
  try {
    problem = JSON.parse(body) as Record<string, unknown>
  } catch {
    return ['is a problem document that is not JSON']
  }
  const code = String(problem['code'])
  return [
    ...(codes.get(code) === status ? [] : [`has the code ${code} with status ${status}`]),
    ...(problem['status'] === status ? [] : ['has another status in its body']),
    ...(String(problem['type']).endsWith(`/problems/${code}`) ? [] : ['has a type that is not its code’s']),
    ...(problem['requestId'] === headers.get('x-request-id') ? [] : ['has another request id in its body']),
    ...(status === 429 || status === 503 ? (headers.has('retry-after') ? [] : ['has no retry-after']) : []),
    ...(status === 405 && !headers.has('allow') ? ['has no allow'] : []),
    ...(status === 401 && !headers.has('www-authenticate') ? ['has no www-authenticate'] : []),
  ]
}
