// No caller sees or changes another owner's data: calls every route of the application as two pros, two developers and two
// clients with each other's ids. New routes are included automatically and fail until a rule says where their ids come from.
import { describe, expect, test } from 'bun:test'

import { openTestApp, testRequest } from '../support/app.ts'
import { type Route, hasBody, idsOf, isPage, nameOf, routes } from '../support/app-routes.ts'
import type { Rule, Source } from '../support/isolation-rule.ts'
import { RULES } from '../support/isolation-rules.ts'
import {
  type OwnedKind,
  OWNERS,
  ROLES,
  type Role,
  type Tenant,
  checksum,
  createTenant,
} from '../support/isolation-tenants.ts'
import type { Visitor } from '../support/visitor.ts'
import { opened } from '../support/fixture.ts'
const app = await opened(openTestApp('migrated'))
const sql = app.sql
const tenants: [Tenant, Tenant] = [await createTenant(app), await createTenant(app)]

test('every route with an id or a body has a rule for each of its ids, and every rule has a route', () => {
  const faults = routes.flatMap((route) => {
    const [name, ids] = [nameOf(route), idsOf(route)]
    const rule = RULES[name]
    const isDocument = route.hooks.detail?.hide === true && ids.length === 0 && !hasBody(route)
    if (!rule)
      return isDocument || (ids.length === 0 && !hasBody(route))
        ? []
        : [
            `${name} needs a rule in test/support/isolation-rules.ts that says where ${ids.join(', ') || 'its body'} comes from`,
          ]
    const missing = ids.filter((id) => !(id in (rule.ids ?? {})))
    const unknown = Object.keys(rule.ids ?? {}).filter((id) => !ids.includes(id))
    return [
      ...missing.map(
        (id) => `the rule of ${name} does not say where ${id} comes from: a kind of OWNERS, public or secret`,
      ),
      ...unknown.map((id) => `the rule of ${name} names ${id}, which the route does not take`),
    ]
  })
  const names = new Set(routes.map(nameOf))
  const stale = Object.keys(RULES).filter((name) => !names.has(name))
  expect([...faults, ...stale.map((name) => `there is a rule for ${name}, but no such route`)]).toEqual([])
})

type Caller = { side: Tenant; role: Role }
const callers = (): Caller[] => tenants.flatMap((side) => ROLES.map((role) => ({ side, role })))
const owns = ({ side, role }: Caller, of: Tenant, kind: OwnedKind, { isByCustomer = false }: Rule) =>
  side === of && (isByCustomer || (OWNERS[kind] as readonly Role[]).includes(role))

/** The ids of the route that identify owned objects. */
const privateIds = (rule: Rule): [id: string, kind: OwnedKind][] =>
  Object.entries(rule.ids ?? {}).flatMap(([id, source]) => (source in OWNERS ? [[id, source as OwnedKind]] : []))

/** Sends the request with the ids `named`; public ids are those of the tenant `about`. */
async function call(route: Route, { side, role }: Caller, about: Tenant, named: Record<string, string>) {
  const rule = RULES[nameOf(route)] ?? {}
  const given: Record<string, string> = { ...named }
  for (const [id, source] of Object.entries(rule.ids ?? {}))
    if (source === 'public') given[id] = id.endsWith('serviceId') ? about.own.offer : about.professionalId
  const of = (place: string) =>
    Object.entries(given).flatMap(([id, value]) =>
      id.startsWith(`${place}.`) ? [[id.slice(place.length + 1), value]] : [],
    )
  const inPath = Object.fromEntries(of('path')) as Record<string, string>
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(inPath[name] ?? ''))
  const search = new URLSearchParams(Object.fromEntries(of('query')) as Record<string, string>).toString()
  const json = hasBody(route) ? { ...rule.body?.(side, named), ...Object.fromEntries(of('body')) } : undefined
  const target = `${path}${search ? `?${search}` : ''}`
  if (isPage(route)) return await visit(side.visitors[role], route.method, target, json ?? {})
  const request = { method: route.method, key: side.keys[role], ...(json ? { json } : {}) }
  // `send` checks responses against the OpenAPI document, which has no pages.
  const response = route.hooks.detail?.hide
    ? await app.app.handle(testRequest(app.deps.config.baseUrl, target, request))
    : await app.send(target, request)
  return { status: response.status, text: await response.text() }
}

/** As a browser. A redirect to the login page counts as 401. */
async function visit(by: Visitor, method: string, target: string, fields: Record<string, unknown>) {
  const { status, text, location } =
    method === 'GET' ? await by.get(target) : await by.post(target, fields as Record<string, string | string[]>)
  return {
    status: /^\/(console\/login|my\/sign-in)/.test(location ?? '') ? 401 : status,
    text: text + (location ?? ''),
  }
}

/** Services and published reviews. */
const PUBLISHED: ReadonlySet<OwnedKind> = new Set(['offer', 'spareOffer', 'review', 'sentReview'])

/** The owner's private data in a response to another caller, without the ids that the caller named. */
const leaks = (text: string, of: Tenant, named: Record<string, string> = {}) =>
  (Object.entries(of.own) as [OwnedKind, string][])
    .filter(([kind, value]) => !PUBLISHED.has(kind) && !Object.values(named).includes(value))
    .filter(([, value]) => text.includes(value))
    .map(([kind]) => kind)

const guarded = routes.filter((route) => privateIds(RULES[nameOf(route)] ?? {}).length > 0)
const naming = (source: Source) =>
  routes.filter((route) => {
    const rule = RULES[nameOf(route)] ?? {}
    return Object.values(rule.ids ?? {}).includes(source) && privateIds(rule).length === 0
  })
const idless = routes.filter((route) => {
  const { ids = {} } = RULES[nameOf(route)] ?? {}
  const isListed = isPage(route) ? !/log-?out$|sign-out$/.test(route.path) : !route.hooks.detail?.hide
  return Object.values(ids).every((source) => source === 'new') && isListed
})

describe.each(guarded.map((route) => [nameOf(route), route] as const))('%s', (name, route) => {
  const rule = RULES[name] ?? {}
  const refusals = new Set([401, 403, 404, ...(rule.refusal ? [rule.refusal] : [])])

  test('with another owner’s id finds nothing and changes nothing', async () => {
    const before = await checksum(sql)
    for (const [id, kind] of privateIds(rule))
      for (const caller of callers())
        for (const owner of tenants.filter((side) => !owns(caller, side, kind, rule))) {
          const pathIds = privateIds(rule).filter(([other]) => other !== id && other.startsWith('path.'))
          const named = {
            ...Object.fromEntries(pathIds.map(([other, otherKind]) => [other, caller.side.own[otherKind]])),
            [id]: owner.own[kind],
          }
          const { status, text } = await call(route, caller, owner, named)
          const description = `${caller.role} with the ${kind} of ${caller.side === owner ? 'their own tenant' : 'the other tenant'}`
          if (rule.isList && status === 200) expect([description, leaks(text, owner, named)]).toEqual([description, []])
          else
            expect([description, refusals.has(status) ? 'refused' : `${status} ${text}`]).toEqual([
              description,
              'refused',
            ])
        }
    expect(await checksum(sql)).toEqual(before)
  })
})

describe.each(idless.map((route) => [nameOf(route), route] as const))('%s', (name, route) => {
  test('shows each caller only their own data and changes nothing of the others’', async () => {
    for (const caller of callers()) {
      const other = tenants.find((side) => side !== caller.side)
      if (!other) throw new Error('There are two sides.')
      const before = await checksum(sql, other.owners)
      const { status, text } = await call(route, caller, caller.side, {})
      expect([name, caller.role, status < 500, leaks(text, other)]).toEqual([name, caller.role, true, []])
      // Data of another role of the same tenant is private as well, except the customer's bookings with their pro.
      if (caller.role === 'client') expect(leaks(text, caller.side).filter((kind) => kind !== 'property')).toEqual([])
      expect(await checksum(sql, other.owners)).toEqual(before)
    }
  })
})

const publicReads = naming('public').filter(({ method }) => method === 'GET')

test.each(publicReads.map((route) => [nameOf(route), route] as const))(
  '%s is public and leaks no private data',
  async (_, route) => {
    const before = await checksum(sql)
    for (const caller of callers())
      for (const about of tenants) expect(leaks((await call(route, caller, about, {})).text, about)).toEqual([])
    expect(await checksum(sql)).toEqual(before)
  },
)

test.each(naming('secret').map((route) => [nameOf(route), route] as const))(
  '%s requires a secret and does not accept an id instead',
  async (name, route) => {
    const before = await checksum(sql)
    const [secret = ''] = Object.keys(RULES[name]?.ids ?? {})
    for (const caller of callers())
      for (const about of tenants)
        for (const id of Object.values(about.own)) {
          const { status, text } = await call(route, caller, about, { [secret]: id })
          expect([id, status >= 400 && status < 500, leaks(text, about, { secret: id })]).toEqual([id, true, []])
        }
    expect(await checksum(sql)).toEqual(before)
  },
)

// Last, because it changes the data of the other tests.
describe('the owner of each id', () => {
  test.each(guarded.map((route) => [nameOf(route), route] as const))('is not refused by %s', async (name, route) => {
    const rule = RULES[name] ?? {}
    for (const [id, kind] of privateIds(rule)) {
      const [side] = tenants
      const pathIds = privateIds(rule).filter(([other]) => other.startsWith('path.'))
      const named = Object.fromEntries([...pathIds, [id, kind] as const].map(([one, of]) => [one, side.own[of]]))
      const answers = []
      const roles = rule.isByCustomer ? (['developer'] as const) : OWNERS[kind]
      for (const role of roles) answers.push(await call(route, { side, role }, side, named))
      // These are about the object's state: it was found.
      const isFound = answers.some(
        ({ status, text }) =>
          status < 400 ||
          status === 409 ||
          /review_too_early|no_visit_to_review|trace of this delivery was not kept/.test(text),
      )
      expect([id, isFound]).toEqual([id, true])
    }
  })
})
