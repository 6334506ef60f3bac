// The targets of fuzzing: every operation of the document with the keys that it accepts, and paths outside the API.
import type { Credentials, Parameter, Target } from './draft.ts'
import { type KnownValues, type Schema, singular } from './values.ts'

/** The parts of an OpenAPI document that fuzzing reads. */
export interface Document {
  paths: Record<string, Record<string, { parameters?: ({ $ref?: string } & Parameter)[]; requestBody?: RequestBody }>>
  components: { schemas?: Record<string, Schema>; parameters?: Record<string, Parameter> }
}

interface RequestBody {
  content: { 'application/json'?: { schema: Schema } }
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
]

/** All targets, repeated by weight. */
export async function findTargets(url: string, document: Document, known: KnownValues, credentials: Credentials) {
  const targets = targetsOf(document, known)
  const resolved = new Map<Target, Target>()
  for (const target of new Set(targets))
    resolved.set(target, { ...target, goodKeys: await goodKeys(url, target, credentials) })
  return targets.map((target) => resolved.get(target) ?? target)
}

/** The `{id}` of `/bookings/{id}` is a `bookingId` if there are known values of that name. */
function knownName(template: string, { name }: Parameter, known: KnownValues): { knownAs?: string } {
  const list = new RegExp(`([^/]+)/\\{${name}\\}`).exec(template)?.[1]
  const knownAs = `${singular(list ?? '')}Id`
  return known.has(knownAs) ? { knownAs } : {}
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
  const weighted = operations.flatMap((target) => (target.body ? [target, target, target] : [target]))
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
