// Finds the operation of a request in an OpenAPI document, and the JSON pointers of its schemas.

type Json = Record<string, unknown>

export interface ContractDocument extends Json {
  paths: Record<string, Record<string, Json>>
}

export interface DocumentedOperation {
  template: string
  /** The JSON pointer of the body's schema; undefined for an operation without a body. */
  bodyPointer: string | undefined
  /** A multipart body is taken, too. */
  takesParts: boolean
  response(status: number): DocumentedResponse | undefined
}

export interface DocumentedResponse {
  /** JSON pointers of the schemas, by media type. */
  schemaPointers: Record<string, string>
  requiredHeaders: string[]
}

/** The operation of a request. A template with fewer parameters takes precedence. */
export function findOperation(
  document: ContractDocument,
  method: string,
  path: string,
): DocumentedOperation | undefined {
  const template = Object.keys(document.paths)
    .filter((candidate) => matchTemplate(candidate, path))
    .toSorted((a, b) => parameterCount(a) - parameterCount(b))
    .find((candidate) => document.paths[candidate]?.[method.toLowerCase()])
  if (template === undefined) return undefined
  const pointer = `/paths/${escape(template)}/${method.toLowerCase()}`
  const content = `${pointer}/requestBody/content`
  const body = `${content}/application~1json/schema`
  return {
    template,
    bodyPointer: at(document, body) === undefined ? undefined : body,
    takesParts: at(document, `${content}/multipart~1form-data`) !== undefined,
    response: (status) => responseAt(document, `${pointer}/responses/${status}`),
  }
}

/** True when the template, such as `/pros/{id}`, matches the path, such as `/pros/abc`. */
export function matchTemplate(template: string, path: string): boolean {
  const parts = template.split('/')
  const pathParts = path.split('/')
  return (
    parts.length === pathParts.length && parts.every((part, index) => part.startsWith('{') || part === pathParts[index])
  )
}

/**
 * Copies the document and sets `additionalProperties: false` on every object schema that lists properties and does not
 * say otherwise, so that a response with an undocumented member is a violation. Parts of an `allOf` stay open, because
 * each part also sees the members of the others.
 */
export function withClosedObjects<T>(node: T, open = false): T {
  if (Array.isArray(node)) return node.map((item: unknown) => withClosedObjects(item, open)) as T
  if (typeof node !== 'object' || node === null) return node
  const copy: Json = {}
  for (const [key, value] of Object.entries(node)) copy[key] = withClosedObjects(value, key === 'allOf')
  const listsProperties = copy['type'] === 'object' && typeof copy['properties'] === 'object'
  if (listsProperties && !open && !('additionalProperties' in copy) && !('patternProperties' in copy))
    copy['additionalProperties'] = false
  return copy as T
}

function responseAt(document: ContractDocument, pointer: string): DocumentedResponse | undefined {
  const target = follow(document, pointer)
  const response = at(document, target)
  if (response === undefined) return undefined
  const headers = Object.keys(response['headers'] ?? {})
  return {
    schemaPointers: Object.fromEntries(
      Object.keys((response['content'] ?? {}) as Json).map((type) => [
        type,
        `${target}/content/${escape(type)}/schema`,
      ]),
    ),
    requiredHeaders: headers.filter(
      (name) => at(document, follow(document, `${target}/headers/${escape(name)}`))?.['required'] === true,
    ),
  }
}

/** The pointer that a `$ref` names, or the pointer itself. */
function follow(document: ContractDocument, pointer: string): string {
  const ref = at(document, pointer)?.['$ref']
  return typeof ref === 'string' ? ref.slice(1) : pointer
}

function at(document: ContractDocument, pointer: string): Json | undefined {
  let node: unknown = document
  for (const part of pointer.split('/').slice(1)) node = (node as Json | undefined)?.[unescape(part)]
  return node as Json | undefined
}

/** RFC 6901 §3. */
const escape = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1')
const unescape = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~')
const parameterCount = (template: string) => template.split('{').length
