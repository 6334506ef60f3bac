// Reading an OpenAPI document: which operation a request is, and where in the document its schemas are.

type Json = Record<string, unknown>

export interface ContractDocument extends Json {
  paths: Record<string, Record<string, Json>>
}

export interface DocumentedOperation {
  template: string
  /** JSON pointer of the schema of its body; undefined when it takes none. */
  bodyPointer: string | undefined
  response(status: number): DocumentedResponse | undefined
}

export interface DocumentedResponse {
  /** JSON pointers of the schemas, by media type. */
  schemaPointers: Record<string, string>
  requiredHeaders: string[]
}

/** The operation of a request; templates without parameters win over those with some. */
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
  const body = `${pointer}/requestBody/content/application~1json/schema`
  return {
    template,
    bodyPointer: at(document, body) === undefined ? undefined : body,
    response: (status) => responseAt(document, `${pointer}/responses/${status}`),
  }
}

/** Whether `/pros/{id}` stands for `/pros/abc`. */
export function matchTemplate(template: string, path: string): boolean {
  const parts = template.split('/')
  const given = path.split('/')
  return parts.length === given.length && parts.every((part, index) => part.startsWith('{') || part === given[index])
}

/**
 * A copy in which every object schema that lists its properties allows no others unless it says so: an answer with a
 * member that the document does not name is a fault. Parts of an `allOf` are left open; each sees the others' members.
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
  const place = follow(document, pointer)
  const response = at(document, place)
  if (response === undefined) return undefined
  const headers = Object.keys(response['headers'] ?? {})
  return {
    schemaPointers: Object.fromEntries(
      Object.keys((response['content'] ?? {}) as Json).map((type) => [type, `${place}/content/${escape(type)}/schema`]),
    ),
    requiredHeaders: headers.filter(
      (name) => at(document, follow(document, `${place}/headers/${escape(name)}`))?.['required'] === true,
    ),
  }
}

/** The place that a `$ref` names, or the place itself. */
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
