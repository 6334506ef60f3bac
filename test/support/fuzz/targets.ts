// The targets of fuzzing: every operation of the document with the keys that it accepts, and paths outside the API.
import type { Credentials, Parameter, Target } from './draft.ts'
import { type KnownValues, type Schema, singular } from './values.ts'

/** The parts of an OpenAPI document that fuzzing reads. */
export interface Document {
  paths: Record<string, Record<string, { parameters?: ({ $ref?: string } & Parameter)[]; requestBody?: RequestBody }>>
  components: { schemas?: Record<string, Schema>; parameters?: Record<string, Parameter> }
}

interface RequestBody {
  content: { 'application/json'?: { schema: Schema }; 'multipart/form-data'?: { schema: Schema } }
}

/** Paths outside the API. */
const DOCUMENTS = [
  '/',
  '/healthz',
  '/readyz',
  '/openapi.json',
  '/problems',
  '/problems/{code}',
  '/.well-known/api-catalog',
  '/.well-known/oauth-authorization-server',
  '/oauth/authorize',
]

const AGENT_SERVERS = ['/api/mcp', '/api/mcp/customer', '/api/mcp/public']

/** All targets, repeated by weight. */
export async function findTargets(url: string, document: Document, known: KnownValues, credentials: Credentials) {
  const tools = await Promise.all(AGENT_SERVERS.map((server) => toolsOf(url, server, credentials)))
  const targets = [...targetsOf(document, known), ...tools.flat()]
  const resolved = new Map<Target, Target>()
  for (const target of new Set(targets))
    resolved.set(
      target,
      target.goodKeys.length > 0 ? target : { ...target, goodKeys: await goodKeys(url, target, credentials) },
    )
  return targets.map((target) => resolved.get(target) ?? target)
}

/** The `{id}` of `/bookings/{id}` is a `bookingId` if there are known values of that name. */
function knownName(template: string, { name }: Parameter, known: KnownValues): { knownAs?: string } {
  const list = new RegExp(`([^/]+)/\\{${name}\\}`).exec(template)?.[1]
  const knownAs = `${singular(list ?? '')}Id`
  return known.has(knownAs) ? { knownAs } : {}
}

/** A call of each tool of an agent server, with the keys that it lists the tool for. */
async function toolsOf(url: string, server: string, { keys }: Credentials): Promise<Target[]> {
  const tools = new Map<string, Target>()
  for (const key of keys) {
    const response = await fetch(url + server, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    })
    const { result } = (await response.json()) as { result?: { tools: { name: string; inputSchema: Schema }[] } }
    for (const { name, inputSchema } of result?.tools ?? [])
      tools.set(name, {
        method: 'POST',
        template: server,
        parameters: [],
        body: callOf(name, inputSchema),
        isOperation: true,
        goodKeys: [...(tools.get(name)?.goodKeys ?? []), key],
      })
  }
  return [...tools.values()]
}

const callOf = (name: string, inputSchema: Schema): Schema => {
  const params = {
    type: 'object',
    required: ['name', 'arguments'],
    properties: { name: { const: name }, arguments: inputSchema },
  }
  const properties = { jsonrpc: { const: '2.0' }, id: { type: 'integer' }, method: { const: 'tools/call' }, params }
  return { type: 'object', required: Object.keys(properties), properties }
}

function targetsOf({ paths, components }: Document, known: KnownValues): Target[] {
  const operations = Object.entries(paths).flatMap(([template, item]) =>
    Object.entries(item).map(([method, { parameters = [], requestBody }]) => ({
      method: method.toUpperCase(),
      template,
      parameters: parameters.map((parameter) => ({
        ...(parameter.$ref
          ? (components.parameters?.[parameter.$ref.split('/').at(-1) ?? ''] ?? parameter)
          : parameter),
        ...knownName(template, parameter, known),
      })),
      body: requestBody?.content['application/json']?.schema,
      form: requestBody?.content['multipart/form-data']?.schema,
      isOperation: true,
      goodKeys: [],
    })),
  )
  const code: Parameter = {
    name: 'code',
    in: 'path',
    required: true,
    schema: { type: 'string', enum: ['internal', 'x'] },
  }
  const documents = DOCUMENTS.map((template) => ({
    method: 'GET',
    template,
    parameters: template.includes('{') ? [code] : [],
    body: undefined,
    isOperation: false,
    goodKeys: [],
  }))
  // Operations matter most, and those with a body above all: they have more to mutate.
  const weighted = operations.flatMap((target) => (target.body || target.form ? [target, target, target] : [target]))
  const repeats = Math.max(1, Math.ceil((4 * documents.length) / weighted.length))
  return [...Array.from({ length: repeats }, () => weighted).flat(), ...documents]
}

/** The keys for which an operation does not return 401 or 403. */
async function goodKeys(url: string, { method, template, isOperation }: Target, { keys }: Credentials) {
  if (!isOperation) return []
  const statuses = await Promise.all(
    keys.map(async (key) => {
      const headers = { authorization: `Bearer ${key}` }
      return (await fetch(url + template.replaceAll(/[{}]/g, ''), { method, headers })).status
    }),
  )
  return keys.filter((_, index) => statuses[index] !== 401 && statuses[index] !== 403)
}
