// Programs of operators do what the role of their operator allows, and the keys of others do nothing of it.
import { describe, expect, test } from 'bun:test'

import { PRESETS, SCOPES, type Scope, isWidgetScope } from '../../src/auth/scopes.ts'
import { OPERATOR_ROLES, OPERATOR_ROUTES, type OperatorRole } from '../../src/auth/users/rules/operator-roles.ts'
import { rolesFor } from '../../src/auth/users/rules/permissions.ts'
import { giveOperatorRole } from '../../src/auth/users/verbs/operator-roles.ts'
import { ctxOf } from '../../src/ctx.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { accessOf, nameOf, routes } from '../support/app-routes.ts'
import { openTestApp } from '../support/app.ts'
import { grantedToken, someCustomer } from '../support/connected-app.ts'
import { opened } from '../support/fixture.ts'
import { checksum } from '../support/isolation-tenants.ts'
import { createOperatorWithKey } from '../support/operator-keys.ts'
import { findPros } from '../support/reviews.ts'

const app = await opened(openTestApp())

const PLATFORM = routes.filter((route) => route.path.startsWith('/api/v1/platform/'))
const [pro] = await findPros(app, 1)
const ALL_SCOPES = (Object.keys(SCOPES) as Scope[]).filter((scope) => !isWidgetScope(scope))

const keys = new Map<OperatorRole, string>()
for (const operatorRole of OPERATOR_ROLES)
  keys.set(operatorRole, (await createOperatorWithKey(app, { operatorRole })).key)
const reader = (await createOperatorWithKey(app, { scopes: ['platform:read'] })).key
const person = await someCustomer(app, `customer-${crypto.randomUUID()}@test.example`)
const others: Readonly<Record<string, string>> = {
  developer: await app.key(ALL_SCOPES),
  pro: await app.key(ALL_SCOPES, pro?.email),
  client: await app.key(ALL_SCOPES, await app.client()),
  customer: await grantedToken(app.deps, { resource: 'rest', person, scope: 'bookings:write' }),
}

const NO_ID = '01890000-0000-7000-8000-000000000000'

async function answer(name: string, key: string): Promise<[status: number, code: string]> {
  const [method = '', path = ''] = name.split(' ')
  const json = method === 'GET' || method === 'DELETE' ? {} : { json: {} }
  const response = await app.send(path.replace(/:\w+/g, NO_ID), { method, key, ...json })
  const text = await response.text()
  return [response.status, response.ok ? '' : (JSON.parse(text) as { code: string }).code]
}

/** What the page of the console that does the same says of the role; a route without a page names its area. */
const PAGES: Readonly<Record<string, string>> = {
  'GET /api/v1/platform/pros': 'GET /console/verification',
  'POST /api/v1/platform/pros': 'POST /console/pros/new',
  'GET /api/v1/platform/pros/:id': 'GET /console/verification/:id',
  'GET /api/v1/platform/pros/:id/open-work': 'GET /console/verification/:id',
  'POST /api/v1/platform/pros/:id/status': 'POST /console/verification/:id/status',
  'PUT /api/v1/platform/pros/:id/marks': 'POST /console/verification/:id',
  'POST /api/v1/platform/pros/:id/verification/refuse': 'POST /console/verification/:id/refuse',
  'POST /api/v1/platform/pros/:id/invitation': 'POST /console/pros/new',
  'GET /api/v1/platform/places/area': 'GET /console/area',
  'PUT /api/v1/platform/places/area': 'POST /console/area',
  'GET /api/v1/platform/places/districts': 'GET /console/area/districts',
  'POST /api/v1/platform/places/districts': 'POST /console/area/districts',
  'PATCH /api/v1/platform/places/districts/:id': 'POST /console/area/districts/:id',
  'DELETE /api/v1/platform/places/districts/:id': 'POST /console/area/districts/:id/remove',
  'GET /api/v1/platform/marketplace': 'GET /console/marketplace',
  'PATCH /api/v1/platform/marketplace': 'POST /console/marketplace',
  'GET /api/v1/platform/catalog': 'GET /console/catalog',
  'POST /api/v1/platform/catalog/categories': 'POST /console/catalog/categories/new',
  'PATCH /api/v1/platform/catalog/categories/:id': 'POST /console/catalog/categories/:id',
  'POST /api/v1/platform/catalog/categories/:id/merge': 'POST /console/catalog/categories/:id/merge',
  'POST /api/v1/platform/catalog/services': 'POST /console/catalog/services/new',
  'PATCH /api/v1/platform/catalog/services/:id': 'POST /console/catalog/services/:id',
  'POST /api/v1/platform/catalog/services/:id/merge': 'POST /console/catalog/services/:id/merge',
}

test('each route needs the key of an operator, with the scope to read or to write', () => {
  expect(PLATFORM.map(nameOf).toSorted()).toEqual(Object.keys(PAGES).toSorted())
  for (const route of PLATFORM)
    expect([nameOf(route), accessOf(route)]).toEqual([
      nameOf(route),
      { key: 'required', scopes: [route.method === 'GET' ? 'platform:read' : 'platform:write'], owner: 'operator' },
    ])
})

test('each route is for the roles of the page that does the same', () => {
  for (const [route, page] of Object.entries(PAGES))
    expect([route, OPERATOR_ROUTES[route]]).toEqual([route, OPERATOR_ROUTES[page]])
})

describe.each(PLATFORM.map(nameOf))('%s', (name) => {
  test.each([...OPERATOR_ROLES])('is open to the key of the role %s as the table says', async (role) => {
    const [status, code] = await answer(name, keys.get(role) ?? '')
    const isAllowed = rolesFor(name).includes(role)
    expect([role, status === 403, code === 'role_not_allowed']).toEqual([role, !isAllowed, !isAllowed])
    expect(status).not.toBe(401)
  })

  test('is refused to keys that can read only, and to the key of everybody else, whatever its scopes are', async () => {
    const before = await checksum(app.sql)
    const isRead = name.startsWith('GET ')
    expect((await answer(name, reader))[1] === 'insufficient_scope').toBe(!isRead)
    for (const [role, key] of Object.entries(others))
      expect([role, await answer(name, key)]).toEqual([role, [401, 'invalid_key']])
    expect(await checksum(app.sql)).toEqual(before)
  })
})

test('a key loses what its operator’s role loses, within seconds', async () => {
  const { key, email } = await createOperatorWithKey(app, { operatorRole: 'moderation' })
  const name = 'POST /api/v1/platform/pros'
  expect((await answer(name, key))[0]).toBe(400)
  await giveOperatorRole(ctxOf(app.deps), { email, operatorRole: 'support' })
  expect(await waitUntil(async () => (await answer(name, key))[1] === 'role_not_allowed', 5000)).toBe(true)
})

test('the preset has the scopes of all routes', () => {
  const needed = new Set(PLATFORM.flatMap((route) => accessOf(route)?.scopes ?? []))
  expect([...needed].toSorted()).toEqual([...PRESETS.platform].toSorted())
})
