// A client for tests that validates every response against the live /openapi.json, so that production need not.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

import {
  type ContractDocument,
  type DocumentedOperation,
  type DocumentedResponse,
  findOperation,
  matchTemplate,
  withClosedObjects,
} from './contract-document.ts'
import { recordEmitted } from './emitted.ts'
import { isRpcError, libraryTextsIn } from './library-texts.ts'

/** Sends a request to the application: `app.handle`, or `fetch` for a listening server. */
type Send = (request: Request) => Promise<Response>

export interface ContractClient {
  /** Sends the request. Throws {@link ContractViolation} when the response is not as documented. */
  send(request: Request): Promise<Response>
  /** Like {@link send}, with the parameters of `fetch` and a path. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** `METHOD /template status` of every response so far, for tests of coverage. */
  readonly seen: ReadonlySet<string>
}

/** The response differs from the document. The message names the operation, the status and the place in the body. */
export class ContractViolation extends Error {
  override readonly name = 'ContractViolation'
}

/** Reads the document from the application and returns a client that checks against it. */
export async function openContract(send: Send, baseUrl = 'http://localhost'): Promise<ContractClient> {
  const response = await send(new Request(`${baseUrl}/openapi.json`))
  if (response.status !== 200) throw new ContractViolation(`GET /openapi.json answers ${response.status}`)
  const document = (await response.json()) as ContractDocument
  const validate = validatorFor(document)
  const seen = new Set<string>()
  const checkedTypes = new Set<string>()
  const record = recordEmitted('problems')
  /** The page of an error's `type` must exist (RFC 9457 §3.1.1). Each is requested once. */
  const checkProblem = async (answer: Response, body: string): Promise<string[]> => {
    if (mediaType(answer) !== 'application/problem+json') return []
    record(`${body}\n`)
    const parsed = parse(body)
    const type = parsed.ok ? (parsed.value as { type?: unknown }).type : undefined
    if (typeof type !== 'string' || checkedTypes.has(type)) return []
    checkedTypes.add(type)
    const { status } = await send(new Request(type))
    return status === 200 ? [] : [`${type} answers ${status}`]
  }
  const sendChecked = async (request: Request): Promise<Response> => {
    const sentBody = await request.clone().text()
    const answer = await send(request)
    const body = await answer.text()
    const { pathname } = new URL(request.url)
    const operation = findOperation(document, request.method, pathname)
    const name = `${request.method} ${operation?.template ?? pathname} ${answer.status}`
    seen.add(name)
    const faults = operation
      ? [
          ...checkResponse(validate, operation, answer, body),
          ...(operation.takesParts && mediaType(request) === 'multipart/form-data'
            ? []
            : checkRequest(validate, operation, answer, sentBody)),
        ]
      : checkUndocumented(validate, document, pathname, answer, body)
    faults.push(...(await checkProblem(answer, body)))
    if (answer.status >= 400 || isRpcError(body))
      faults.push(...libraryTextsIn(body).map((text) => `has the text of a package: ${text}`))
    if (faults.length > 0) throw new ContractViolation([name, ...faults, excerpt(body)].join('\n  '))
    return new Response(body === '' ? null : body, answer)
  }
  return {
    seen,
    send: sendChecked,
    fetch: (path, init) => sendChecked(new Request(new URL(path, baseUrl).href, init)),
  }
}

/** Validates `value` against the schema at a JSON pointer of the document. Returns the violations. */
type Validate = (pointer: string, value: unknown) => string[]

function validatorFor(document: ContractDocument): Validate {
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateSchema: false })
  addFormats.default(ajv)
  // OpenAPI 3.1 schemas are JSON Schema 2020-12, and each `$ref` resolves within the document.
  ajv.addSchema(withClosedObjects(document), 'openapi')
  const compiled = new Map<string, ValidateFunction>()
  return (pointer, value) => {
    const check = compiled.get(pointer) ?? ajv.compile({ $ref: `openapi#${encodeURI(pointer)}` })
    compiled.set(pointer, check)
    if (check(value)) return []
    return (check.errors ?? []).map(
      ({ instancePath, message, params }) => `at ${instancePath || '/'}: ${message} ${JSON.stringify(params)}`,
    )
  }
}

function checkResponse(validate: Validate, operation: DocumentedOperation, answer: Response, body: string): string[] {
  const documented = operation.response(answer.status)
  if (!documented) return [`status ${answer.status} is not documented`]
  const faults = documented.requiredHeaders
    .filter((header) => !answer.headers.has(header))
    .map((header) => `the documented header ${header} is missing`)
  const type = mediaType(answer)
  if (isBodiless(answer.status, documented)) return body === '' ? faults : [...faults, 'has a body']
  const pointer = documented.schemaPointers[type]
  if (pointer === undefined) return [...faults, `content type "${type}" is not documented`]
  if (!isJson(type)) return faults
  const parsed = parse(body)
  return parsed.ok ? [...faults, ...validate(pointer, parsed.value)] : [...faults, 'the body is not JSON']
}

/** The server must accept only bodies that the document allows. */
function checkRequest(
  validate: Validate,
  operation: DocumentedOperation,
  answer: Response,
  sentBody: string,
): string[] {
  if (!answer.ok || !operation.bodyPointer) return []
  const parsed = parse(sentBody)
  if (!parsed.ok) return ['the server accepted a body that is not JSON']
  return validate(operation.bodyPointer, parsed.value).map(
    (fault) => `the server accepted a body that is not as documented: ${fault}`,
  )
}

/** A path or method that is not documented must not exist. */
function checkUndocumented(
  validate: Validate,
  document: ContractDocument,
  path: string,
  answer: Response,
  body: string,
): string[] {
  const pathExists = Object.keys(document.paths).some((template) => matchTemplate(template, path))
  const expected = pathExists ? 405 : 404
  if (answer.status !== expected) return [`answers ${answer.status}, but is not documented (${expected} expected)`]
  if (expected === 405 && !answer.headers.has('allow')) return ['the header Allow is missing (RFC 9110 §15.5.6)']
  const parsed = parse(body)
  if (!parsed.ok) return ['the body is not JSON']
  // An agent server whose flag is off stands in no document, and still answers its clients in their protocol.
  const problem = isRpcError(body) ? (parsed.value as { error: { data: unknown } }).error.data : parsed.value
  return validate('/components/schemas/Problem', problem)
}

const mediaType = ({ headers }: Request | Response) => headers.get('content-type')?.split(';')[0]?.trim() ?? ''
const isJson = (type: string) => type === 'application/json' || type.endsWith('+json')
/** The agent servers accept notifications without an answer. */
const isBodiless = (status: number, { schemaPointers }: DocumentedResponse) =>
  status === 204 || status === 304 || (status === 202 && Object.keys(schemaPointers).length === 0)
const excerpt = (body: string) => (body.length > 600 ? `${body.slice(0, 600)}…` : body)

function parse(text: string): { ok: true; value: unknown } | { ok: false } {
  try {
    return { ok: true, value: JSON.parse(text) as unknown }
  } catch {
    return { ok: false }
  }
}
