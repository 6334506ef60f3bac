// Mutations of a request that stay valid HTTP: of its values, names, method, path, headers and body.
import { gzipSync } from 'node:zlib'

import type { Random } from '../../../src/local/seed/random.ts'
import { type Draft, asText, bodyOf, escapePart } from './draft.ts'
import { HEADERS, HOSTILE_TEXTS, INVENTED_METHODS, METHODS, PATHS, PROTOTYPE_KEYS, RAW_QUERIES } from './hostile.ts'
import { hostileValue, nested } from './values.ts'

type Mutation = (random: Random, draft: Draft) => void

const addHeader: Mutation = (random, draft) => {
  const [name, values] = random.pick(HEADERS)
  if (random.chance(0.7)) draft.headers = draft.headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase())
  draft.headers.push([name, random.pick(values)])
}

const duplicateHeader: Mutation = (random, draft) => {
  const header = random.pick(draft.headers)
  draft.headers.push([
    random.chance(0.5) ? header[0].toLowerCase() : header[0],
    random.chance(0.5) ? header[1] : 'other',
  ])
}

const mutateQuery: Mutation = (random, draft) => {
  const value = () => (random.chance(0.8) ? random.pick(HOSTILE_TEXTS) : asText(hostileValue(random)))
  const index = random.integer(0, draft.query.length)
  const name = draft.query[index]?.[0] ?? random.pick(['limit', 'offset', 'id', ...PROTOTYPE_KEYS])
  if (random.chance(0.15)) draft.query.splice(index, 1)
  else if (random.chance(0.2)) draft.query.push([name, value()])
  else draft.query[index] = [name, value()]
}

const rawQuery: Mutation = (random, draft) => {
  draft.rawQuery = random.pick(RAW_QUERIES)
}

const mutateMethod: Mutation = (random, draft) => {
  draft.method = random.pick(random.chance(0.7) ? METHODS : INVENTED_METHODS)
  draft.isOperation = false
}

const mutatePath: Mutation = (random, draft) => {
  draft.isOperation = false
  const parts = draft.path.split('/')
  const part = () => escapePart(random.pick(HOSTILE_TEXTS))
  draft.path = random.weighted<() => string>([
    [() => random.pick(PATHS), 2],
    [() => `${draft.path}/${part()}`, 1],
    [() => parts.with(random.integer(1, parts.length - 1), part()).join('/'), 1],
  ])()
}

const mutateBody: Mutation = (random, draft) => {
  if (draft.form) draft.form = mutateForm(random, draft.form)
  else if (typeof draft.json !== 'object' || draft.json === null || random.chance(0.15))
    draft.json = hostileValue(random)
  else draft.json = mutateInside(random, draft.json as Record<string, unknown>)
}

/** Removes, repeats, adds or replaces a field. */
function mutateForm(random: Random, form: readonly [string, string][]): [string, string][] {
  const index = random.integer(0, Math.max(0, form.length - 1))
  const field: [string, string] = [form[index]?.[0] ?? 'a', random.pick(HOSTILE_TEXTS)]
  return random.weighted<[string, string][]>([
    [form.filter((_, other) => other !== index), 2],
    [[...form, field], 2],
    [[...form, [random.pick(PROTOTYPE_KEYS), 'x']], 1],
    [form.map((other, at) => (at === index ? field : other)), 6],
  ])
}

/** Removes, adds or replaces a field at a random depth. */
function mutateInside(random: Random, value: Record<string, unknown>): Record<string, unknown> {
  const names = Object.keys(value)
  const name = names.length > 0 ? random.pick(names) : 'a'
  const inner = value[name]
  if (typeof inner === 'object' && inner !== null && !Array.isArray(inner) && random.chance(0.5))
    return { ...value, [name]: mutateInside(random, inner as Record<string, unknown>) }
  const { [name]: _, ...without } = value
  return random.weighted<Record<string, unknown>>([
    [without, 2],
    [{ ...value, [name]: hostileValue(random) }, 6],
    [{ ...value, [random.pick([...PROTOTYPE_KEYS, 'id', 'status', 'surprise', ''])]: hostileValue(random) }, 2],
  ])
}

const encodeBody: Mutation = (random, draft) => {
  const { bytes = new Uint8Array(), headers } = bodyOf(draft)
  const text = new TextDecoder().decode(bytes)
  draft.headers = headers
  const json = () => {
    const others = draft.headers.filter(([name]) => name !== 'Content-Type')
    draft.headers = [...others, ['Content-Type', 'application/json']]
  }
  draft.bytes = random.weighted<() => Uint8Array>([
    [() => (draft.headers.push(['Content-Encoding', 'gzip']), gzipSync(bytes)), 1],
    [() => gzipSync(bytes), 1],
    [() => Buffer.from(text, 'utf16le'), 1],
    [() => Buffer.from(`\ufeff${text}`), 1],
    [() => Buffer.concat([bytes, Buffer.from([0xff, 0xc0, 0x80])]), 1],
    [() => bytes.subarray(0, random.integer(0, bytes.length)), 2],
    [() => Buffer.from(`${text}${text}`), 1],
    [() => Buffer.from(`{"a":1,"a":2,"__proto__":{"a":1},${text.slice(1)}`), 1],
    [
      () =>
        Buffer.from(
          text.replaceAll(/:(\d+|")/g, () => `:${random.pick(['NaN', '1e999', '-', '01', '\\ud800', '"\\ud800'])}`),
        ),
      1,
    ],
    [() => (json(), Buffer.from(JSON.stringify(nested(random.integer(20, 20_000), random.chance(0.5))))), 1],
    [() => (json(), Buffer.from('['.repeat(random.integer(1, 200_000)))), 1],
    [() => (json(), Buffer.alloc(random.pick([1, 1000, 262_144, 262_145, 400_000]), 0x20)), 3],
    [() => (json(), Buffer.from(`"${'\\u0000'.repeat(random.integer(1, 20_000))}"`)), 1],
    [() => (json(), Buffer.from(Array.from({ length: 200 }, () => random.integer(0, 255)))), 1],
    [() => (json(), Buffer.from(`{${Array.from({ length: 5000 }, (_, n) => `"k${n}":${n}`).join(',')}}`)), 1],
  ])()
}

/** Each mutation with its weight. */
const MUTATIONS: readonly (readonly [Mutation, number])[] = [
  [mutateQuery, 5],
  [rawQuery, 2],
  [mutateBody, 5],
  [encodeBody, 3],
  [addHeader, 5],
  [duplicateHeader, 1],
  [mutateMethod, 2],
  [mutatePath, 3],
]

/** Applies zero to six mutations to the draft. */
export function mutate(random: Random, draft: Draft): Draft {
  const count = random.weighted([
    [0, 20],
    [1, 45],
    [2, 20],
    [3, 10],
    [6, 5],
  ])
  for (let done = 0; done < count; done++) random.weighted(MUTATIONS)(random, draft)
  return draft
}
