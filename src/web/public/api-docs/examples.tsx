/** @jsxImportSource preact */
// One operation as a command and as scripts that can be copied.
import { LinkButton } from '../../ui/buttons.tsx'
import type { VNode } from 'preact'
import { type Content, type Entry, type Parameter, type ReadDocument, exampleOf } from './document.ts'

export const TRY_PATH = '/api-docs/try'

/** The operation as a command and as scripts. */
export function examplesView(
  document: ReadDocument,
  { method: verb, path, operation }: Entry,
  parameters: readonly Parameter[],
): VNode {
  const valueOf = ({ schema }: Parameter) => String(exampleOf(document, schema))
  const filled = path.replace(/\{(\w+)\}/g, (text, name) => {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name)
    return parameter ? encodeURIComponent(valueOf(parameter)) : text
  })
  const query = parameters.filter(({ in: place, required }) => place === 'query' && required)
  const search = query.map((one) => `${one.name}=${encodeURIComponent(valueOf(one))}`).join('&')
  const request: Request = {
    verb,
    url: `${document.servers[0]?.url ?? ''}${filled}${search && `?${search}`}`,
    isOpen: operation.security?.some((one) => Object.keys(one).length === 0) ?? false,
    body: operation.requestBody && bodyOf(document, operation.requestBody),
  }
  return (
    <>
      <h4>Example</h4>
      <pre tabindex={0} role="group" aria-label="curl">
        {curlOf(request)}
      </pre>
      <details class="more">
        <summary>In JavaScript</summary>
        <pre tabindex={0}>{scriptOf(request)}</pre>
      </details>
      <details class="more">
        <summary>In Python</summary>
        <pre tabindex={0}>{pythonOf(request)}</pre>
      </details>
      <p>
        <LinkButton href={`${TRY_PATH}/${operation.operationId}`} isSmall>
          Try it out
        </LinkButton>
      </p>
    </>
  )
}

interface Request {
  readonly verb: string
  readonly url: string
  readonly isOpen: boolean
  readonly body: Body | undefined
}

/** A JSON body, or the parts of a form with a file. */
type Body = { readonly json: unknown } | { readonly parts: readonly (readonly [name: string, value: string])[] }

/** The value of a part that is a file. */
const FILE = 'photo.jpg'

function bodyOf(document: ReadDocument, { content = {} }: Content): Body | undefined {
  const form = content['multipart/form-data']
  if (form) {
    const value = form.example ?? exampleOf(document, form.schema)
    return { parts: Object.entries(value as Record<string, string>) }
  }
  const json = content['application/json']
  return json && { json: json.example ?? exampleOf(document, json.schema) }
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

function curlOf({ verb, url, isOpen, body }: Request): string {
  const isPlain = verb === 'GET' || (verb === 'POST' && body !== undefined)
  return [
    `curl ${isPlain ? '' : `-X ${verb} `}'${url}'`,
    ...(isOpen ? [] : ['  -H "Authorization: Bearer $HEARTH_API_KEY"']),
    ...(body && 'json' in body
      ? ['  -H "Content-Type: application/json"', `  -d ${quoted(JSON.stringify(body.json))}`]
      : []),
    ...(body && 'parts' in body
      ? body.parts.map(([name, value]) => `  -F ${quoted(`${name}=${value === FILE ? '@' : ''}${value}`)}`)
      : []),
  ].join(' \\\n')
}

function scriptOf({ verb, url, isOpen, body }: Request): string {
  const headers = [
    ...(isOpen ? [] : ['    authorization: `Bearer ${apiKey}`,']),
    ...(body && 'json' in body ? [`    'content-type': 'application/json',`] : []),
  ]
  const options = [
    ...(verb === 'GET' ? [] : [`  method: '${verb}',`]),
    ...(headers.length === 0 ? [] : ['  headers: {', ...headers, '  },']),
    ...(body && 'json' in body
      ? [`  body: JSON.stringify(${JSON.stringify(body.json, null, 2).replaceAll('\n', '\n  ')}),`]
      : []),
    ...(body && 'parts' in body ? ['  body: form,'] : []),
  ]
  const form =
    body && 'parts' in body
      ? [
          'const form = new FormData()',
          ...body.parts.map(([name, value]) => `form.append('${name}', ${value === FILE ? 'file' : `'${value}'`})`),
        ]
      : []
  const call = options.length === 0 ? `fetch('${url}')` : `fetch('${url}', {\n${options.join('\n')}\n})`
  return [...form, `const response = await ${call}`, 'console.log(response.status, await response.json())'].join('\n')
}

/** With the package `requests`, which most programs in Python have. */
function pythonOf({ verb, url, isOpen, body }: Request): string {
  const parts = body && 'parts' in body ? body.parts : []
  const fields = parts.filter(([, value]) => value !== FILE).map(([name, value]) => `'${name}': '${value}'`)
  const files = parts.filter(([, value]) => value === FILE).map(([name]) => `'${name}': open('${FILE}', 'rb')`)
  const options = [
    ...(isOpen ? [] : [`    headers={'Authorization': f'Bearer {api_key}'},`]),
    ...(body && 'json' in body ? [`    json=${literalOf(body.json, '    ')},`] : []),
    ...(fields.length > 0 ? [`    data={${fields.join(', ')}},`] : []),
    ...(files.length > 0 ? [`    files={${files.join(', ')}},`] : []),
  ]
  const name = verb.toLowerCase()
  const call =
    options.length === 0 ? `requests.${name}('${url}')` : `requests.${name}(\n    '${url}',\n${options.join('\n')}\n)`
  return `import requests\n\nresponse = ${call}\nprint(response.status_code, response.json())`
}

/** JSON as Python writes it. */
function literalOf(value: unknown, indent: string): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const inner = `${indent}    `
  const members = Array.isArray(value)
    ? value.map((item) => literalOf(item, inner))
    : Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${literalOf(member, inner)}`)
  return members.length === 0
    ? `${open}${close}`
    : `${open}\n${inner}${members.join(`,\n${inner}`)},\n${indent}${close}`
}
