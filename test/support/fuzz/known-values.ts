// Real values for fuzzing: those in the server's lists and responses, by the name of the field they fit.
import type { Random } from '../../../src/local/seed/random.ts'
import { type KnownValues, singular } from './values.ts'

const MAX_VALUES = 40
/** Chosen so that some bookings succeed. */
const CHOSEN = new Set(['professionalId', 'serviceId', 'id', 'date', 'time'])

/** Reads every list without required path parameters, with each key, and a few pros' profiles. */
export async function readKnownValues(url: string, keys: readonly string[]): Promise<KnownValues> {
  const known = new Map<string, string[]>()
  const read = async (path: string, key?: string) => {
    const response = await fetch(url + path, { headers: key ? { authorization: `Bearer ${key}` } : {} })
    const value: unknown = response.ok ? await response.json() : undefined
    gather(known, value, '')
    return value
  }
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: Record<string, { get?: object }> }
  const lists = Object.entries(paths).flatMap(([path, { get }]) => (get && !path.includes('{') ? [path] : []))
  for (const path of lists) for (const key of keys) await read(path, key)
  // Pros with instant booking and their services, so that some bookings succeed.
  const pros = await read('/api/v1/pros?instantBook=true&limit=3')
  const { professionals } = pros as { professionals: { id: string; slug: string; services: { id: string }[] }[] }
  for (const { slug } of professionals) await read(`/api/v1/pros/${slug}`)
  known.set(
    'professionalId',
    professionals.map(({ id }) => id),
  )
  known.set(
    'serviceId',
    professionals.flatMap(({ services }) => services.map(({ id }) => id)),
  )
  known.set(
    'id',
    professionals.flatMap(({ id, slug }) => [id, slug]),
  )
  // Dates in lists, such as those of reviews, are past. Bookings need future ones.
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  known.set(
    'date',
    Array.from({ length: 10 }, (_, day) => inDays(day + 2)),
  )
  known.set('time', ['09:00', '10:00', '11:00', '13:00', '14:00'])
  return known
}

/** Takes one value of each field of a response, in place of an older one when there are many. */
export function learnValues(known: KnownValues, random: Random, value: unknown): void {
  const fresh: KnownValues = new Map()
  gather(fresh, value, '')
  for (const [name, [text = '']] of fresh) {
    const values = known.get(name) ?? []
    if (values.includes(text) || CHOSEN.has(name)) continue
    if (values.length < MAX_VALUES) known.set(name, [...values, text])
    else values[random.integer(0, MAX_VALUES - 1)] = text
  }
}

/** Lists `services[].id` as `serviceId`, `services[].slug` and `.name` as `service`, anything else by its own name. */
function gather(known: Map<string, string[]>, value: unknown, list: string): void {
  if (Array.isArray(value)) for (const item of value) gather(known, item, singular(list))
  else if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value)) {
      if (typeof inner !== 'string') gather(known, inner, name)
      else add(known, name === 'id' ? `${list}Id` : name === 'slug' || name === 'name' ? list : name, inner)
    }
}

function add(known: Map<string, string[]>, name: string, value: string): void {
  const values = known.get(name) ?? []
  if (values.length < MAX_VALUES && !values.includes(value)) known.set(name, [...values, value])
}
