// A valid request with one value at the rim of its schema: accepted values are stored, others are 400, and no value causes a 500.
import { expect, test } from 'bun:test'

import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

import { PRESETS } from '../../src/auth/scopes.ts'
import { Random } from '../../src/local/seed/random.ts'
import { type BookableSlot, findBookableSlot, openTestApp } from '../support/app.ts'
import { type Route, nameOf, routes } from '../support/app-routes.ts'
import { opened } from '../support/fixture.ts'
import { isFreeText, rimsOf } from '../support/fuzz/rims.ts'
import { findPros } from '../support/reviews.ts'
import { createOperatorWithKey } from '../support/operator-keys.ts'
import { allValidRequests } from '../support/valid-platform-requests.ts'
import type { ValidRequest } from '../support/valid-requests.ts'

const app = await opened(openTestApp())
const random = new Random(1, 0, 0)
let slot: BookableSlot = { professionalId: '', slug: '', serviceId: '', date: '', time: '' }
slot = await findBookableSlot(app)
// Not the pro of the slot: a business cannot book or review itself.
const pro = (await findPros(app, 2)).find(({ id }) => id !== slot.professionalId)
await app.deps.write.run(
  'givePlan',
  (sql) => sql`update professionals set plan = 'business' where id = ${pro?.id ?? null}`,
)
const presets = ['full-server', 'pro-dashboard', 'webhook-receiver', 'agent-tools'] as const
const key = await app.key(
  presets.flatMap((preset) => PRESETS[preset]),
  pro?.email,
)
const operator = await createOperatorWithKey(app)
/** The key of a client account, for the clients' routes. */
const clientKey = await app.key(PRESETS['agent-tools'], await app.client())

/** The messages of JSON-RPC have no bounds. */
const withInput = routes.filter((route) => allValidRequests(slot)[nameOf(route)] && !route.path.startsWith('/api/mcp'))

interface Rim {
  /** Where the value stands: `body.customer.name`. */
  field: string
  schema: TSchema
  value: unknown
  request: ValidRequest
}

/** The request with each of its values at each rim. */
function rims({ hooks }: Route, valid: ValidRequest): Rim[] {
  const of = (place: 'path' | 'query' | 'body', schema: TSchema | undefined) =>
    rimsWithin(schema, valid[place] ?? {}, place).map(({ changed, ...rim }) => ({
      ...rim,
      request: { ...valid, [place]: changed },
    }))
  return [...of('query', hooks.query), ...of('body', hooks.body)]
}

type Changed = Omit<Rim, 'request'> & { changed: Record<string, unknown> }

function rimsWithin(schema: TSchema | undefined, object: Record<string, unknown>, path: string): Changed[] {
  return Object.entries((schema?.['properties'] ?? {}) as Record<string, TSchema>).flatMap(([name, property]) => {
    const options = ((property['anyOf'] as TSchema[] | undefined) ?? [property]).filter(({ type }) => type !== 'null')
    const { [name]: inner } = object
    return options.flatMap((option) => {
      const field = `${path}.${name}`
      if (option.type === 'object' && typeof inner === 'object' && inner !== null)
        return rimsWithin(option, inner as Record<string, unknown>, field).map((rim) => ({
          ...rim,
          changed: { ...object, [name]: rim.changed },
        }))
      return rimsOf(random, option).map((value) => ({
        field,
        schema: property,
        value,
        changed: { ...object, [name]: value },
      }))
    })
  })
}

function send(route: Route, { path, query, body }: ValidRequest): Promise<Response> {
  const filled = route.path.replace(/:(\w+)/g, (_, param: string) => encodeURIComponent(path?.[param] ?? ''))
  const search = query ? `?${new URLSearchParams(query).toString()}` : ''
  const ofOperators = route.path.startsWith('/api/v1/platform/') ? operator.key : key
  const callerKey = route.path.startsWith('/api/v1/properties') ? clientKey : ofOperators
  return app.send(`${filled}${search}`, { method: route.method, key: callerKey, ...(body ? { json: body } : {}) })
}

/** How a test names a long value. */
const brief = (value: unknown) => {
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 40)}… (${text.length})` : text
}

test.each(withInput.map((route) => [nameOf(route), route] as const))(
  '%s answers each value at a rim, and not with an error of ours',
  async (name, route) => {
    const faults: string[] = []
    for (const { field, schema, value, request } of rims(route, allValidRequests(slot)[name] ?? {})) {
      const isQuery = field.startsWith('query')
      const isAccepted = Value.Check(schema, value)
      const response = await send(route, request)
      const { errors = [] } =
        response.status < 500 && response.status !== 204 ? ((await response.json()) as Answer) : {}
      const isTooLong = errors.some(({ path, message }) => path === field && message.includes('characters'))
      if (response.status >= 500) faults.push(`${field} ${brief(value)}: ${response.status}`)
      if (!isAccepted && !isQuery && response.status !== 400) faults.push(`${field} ${brief(value)} is accepted`)
      if (isAccepted && isFreeText(schema) && isTooLong) faults.push(`${field} ${brief(value)} is refused`)
    }
    expect(faults).toEqual([])
  },
  60_000,
)

interface Answer {
  errors?: { path: string; message: string }[]
}
