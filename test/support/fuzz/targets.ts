// What there is to ask a server for: every operation of its document, with who may ask, and the documents themselves.
import type { Credentials, Parameter, Target } from './draft.ts'
import { type Known, type Schema, singular } from './values.ts'

/** As much of an OpenAPI document as is read here. */
export interface Document {
  paths: Record<string, Record<string, { parameters?: ({ $ref?: string } & Parameter)[]; requestBody?: RequestBody }>>
  components: { schemas?: Record<string, Schema>; parameters?: Record<string, Parameter> }
}

interface RequestBody {
  content: { 'application/json'?: { schema: Schema } }
}

/** Paths outside the API that a client may ask for as well. */
const DOCUMENTS = [
  '/',
  '/healthz',
  '/readyz',
  '/openapi.json',
  '/problems',
  '/problems/{code}',
  '/.well-known/api-catalog',
]

/** All targets, each as often as it is worth. */
export async function findTargets(url: string, document: Document, known: Known, credentials: Credentials) {
  const targets = targetsOf(document, known)
  const found = new Map<Target, Target>()
  for (const target of new Set(targets))
    found.set(target, { ...target, goodKeys: await goodKeys(url, target, credentials) })
  return targets.map((target) => found.get(target) ?? target)
}

/** The `{id}` of `/bookings/{id}` is a `bookingId`, where such are known. */
function knownName(template: string, { name }: Parameter, known: Known): { knownAs?: string } {
  const list = new RegExp(`([^/]+)/\\{${name}\\}`).exec(template)?.[1]
  const knownAs = `${singular(list ?? '')}Id`
  return known.has(knownAs) ? { knownAs } : {}
}

function targetsOf({ paths, components }: Document, known: Known): Target[] {
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
  // The operations are what matters, those with a body most of all: there is more to spoil.
  const weighted = operations.flatMap((target) => (target.body ? [target, target, target] : [target]))
  const repeats = Math.max(1, Math.ceil((4 * documents.length) / weighted.length))
  return [...Array.from({ length: repeats }, () => weighted).flat(), ...documents]
}

/** The keys with which an operation is not refused. */
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
